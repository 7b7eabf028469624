import type { Database, Queryable } from "#db/database.ts";
import type { PersonId } from "#lib/ids.ts";

/** Kinds of notices in addition to a person's own jobs. */
export const NOTICE_KINDS = ["reviews", "comments", "connections", "links", "keys"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a person wants to be told, and where. */
export interface NoticeChoices {
  /** The end of jobs to which they sent the last message. */
  jobs: boolean;
  kinds: readonly NoticeKind[];
  /** All notices of a day together. */
  isDaily: boolean;
  /** Sealed address of a chat webhook, which gets the notices instead of mail. */
  chatUrl: string | null;
}

/** Why a person's chat did not accept the last message. */
export interface ChatTrouble {
  problem: string;
  at: Date;
}

export const readNoticeKinds = (text: string): NoticeKind[] => {
  const chosen = text.split(" ");
  return NOTICE_KINDS.filter((kind) => chosen.includes(kind));
};

export async function findNoticeChoices(
  queryable: Queryable,
  id: PersonId,
): Promise<NoticeChoices & { chatTrouble: ChatTrouble | null }> {
  const row = await queryable
    .selectFrom("person")
    .select(["mails_jobs", "notices", "daily_mail", "chat_url", "chat_trouble", "chat_trouble_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    jobs: row.mails_jobs === 1,
    kinds: readNoticeKinds(row.notices),
    isDaily: row.daily_mail === 1,
    chatUrl: row.chat_url,
    chatTrouble:
      row.chat_trouble === null || row.chat_trouble_at === null
        ? null
        : { problem: row.chat_trouble, at: new Date(row.chat_trouble_at) },
  };
}

/** Drops pending notices of kinds that are no longer chosen; earlier events are not sent either. */
export async function setNoticeChoices(
  { kysely }: Pick<Database, "kysely">,
  id: PersonId,
  { jobs, kinds, isDaily, chatUrl, at }: NoticeChoices & { at: Date },
): Promise<void> {
  await kysely
    .updateTable("person")
    .set({
      mails_jobs: jobs ? 1 : 0,
      notices: kinds.join(" "),
      daily_mail: isDaily ? 1 : 0,
      chat_url: chatUrl,
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
