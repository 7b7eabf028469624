import type { Database, Queryable } from "#db/database.ts";
import type { PersonId } from "#lib/ids.ts";

/** What people can be told of besides their own jobs. */
export const NOTICE_KINDS = ["reviews", "connections", "links", "keys"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a person is told by mail. */
export interface NoticeChoices {
  /** The end of jobs that they sent the last message to. */
  jobs: boolean;
  kinds: readonly NoticeKind[];
  /** All of a day in one mail. */
  isDaily: boolean;
}

export const readNoticeKinds = (text: string): NoticeKind[] => {
  const chosen = text.split(" ");
  return NOTICE_KINDS.filter((kind) => chosen.includes(kind));
};

export async function findNoticeChoices(queryable: Queryable, id: PersonId): Promise<NoticeChoices> {
  const row = await queryable
    .selectFrom("person")
    .select(["mails_jobs", "notices", "daily_mail"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { jobs: row.mails_jobs === 1, kinds: readNoticeKinds(row.notices), isDaily: row.daily_mail === 1 };
}

/** What happened before is not told, nor what waits of a kind that is no longer chosen. */
export async function setNoticeChoices(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  { jobs, kinds, isDaily, at }: NoticeChoices & { at: Date },
): Promise<void> {
  await kysely
    .updateTable("person")
    .set({
      mails_jobs: jobs ? 1 : 0,
      notices: kinds.join(" "),
      daily_mail: isDaily ? 1 : 0,
      notices_since: at.getTime(),
    })
    .where("id", "=", id)
    .execute();
  await kysely
    .deleteFrom("notice")
    .where("person_id", "=", id)
    .where("sent_at", "is", null)
    .where("kind", "not in", [...kinds, jobs ? "jobs" : "none"])
    .execute();
}
