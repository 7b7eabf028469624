import type { Database, Queryable } from "#db/database.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import { allowsScope, LEVEL_OF_ROLE } from "#kit/levels.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { oneLine } from "#lib/one-line.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { chatOf, chatTextOf } from "./chat.ts";
import { type MailText, queueMail } from "./mail-queue.ts";
import { findNews, type News } from "./news.ts";
import { readNoticeKinds } from "./notice-choices.ts";

export interface NoticeDeps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  baseUrl(): string;
  /** False without a mail server: only people with a chat webhook are told. */
  canMail: boolean;
}

const EVERY_MS = 60_000;
const KEPT_MS = 30 * DAY_MS;
/** Time of the daily mail, in UTC. */
const DAILY_HOUR = 6;
/** Maximum per mail, which says how many more there are. */
const MAX_LISTED = 50;

/** Once a minute, sends people the notices that they chose, until disposed. Several processes send each only once. */
export function startNotices(deps: NoticeDeps & { logger: Logger }): AsyncDisposable {
  return repeat(
    async () => {
      await tellNotices(deps).catch((error: unknown) => deps.logger.error({ err: error }, "notices were not sent"));
    },
    { firstAfterMs: EVERY_MS, everyMs: EVERY_MS },
  );
}

/** One round: stores new notices for their recipients, each once, and queues due mail. */
export async function tellNotices(deps: NoticeDeps): Promise<void> {
  const { kysely } = deps.database;
  const now = deps.clock.now().getTime();
  await kysely
    .deleteFrom("notice")
    .where("created_at", "<", now - KEPT_MS)
    .execute();
  // A connection that recovered is reported again when it fails again.
  const working = kysely.selectFrom("connection").select("project_id").where("trouble", "is", null);
  await kysely.deleteFrom("notice").where("kind", "=", "connections").where("project_id", "in", working).execute();
  const people = (await readersOf(kysely)).filter((person) => deps.canMail || person.chat_url !== null);
  if (people.length === 0) return;
  const news = await findNews(kysely, now);
  for (const person of people) {
    const own = news.filter((one) => isRecipient(person, one));
    if (own.length > 0) await writeDown(kysely, person, { news: own, baseUrl: deps.baseUrl(), now });
    await dropNoticesOfFormerProjects(kysely, person);
    await sendDue(deps, person, now);
  }
}

type Reader = Awaited<ReturnType<typeof readersOf>>[number];

async function readersOf(queryable: Queryable) {
  const people = await queryable
    .selectFrom("person")
    .select(["id", "email", "is_owner", "mails_jobs", "notices", "notices_since", "daily_mail", "chat_url"])
    .where((row) => row.or([row("notices", "!=", ""), row("daily_mail", "=", 1), row("chat_url", "is not", null)]))
    .execute();
  if (people.length === 0) return [];
  const roles = await queryable
    .selectFrom("project_member")
    .select(["person_id", "project_id", "role"])
    .where(
      "person_id",
      "in",
      people.map(({ id }) => id),
    ) // oxfmt-ignore
    .execute();
  return people.map((person) => ({
    ...person,
    // Readers of the site alone are told nothing of the project.
    roles: new Map(
      roles
        .filter(({ person_id: id, role }) => id === person.id && allowsScope(LEVEL_OF_ROLE[role], "read"))
        .map((one) => [one.project_id, one.role]),
    ),
  }));
}

function isRecipient(person: Reader, { kind, at, projectId, readers, askedBy }: News): boolean {
  if (at < person.notices_since) return false;
  // The end of a job is sent as a mail of its own, with its summary, unless the person chose a daily mail or a chat.
  const isInNotices = person.daily_mail === 1 || person.chat_url !== null;
  const isChosen =
    kind === "jobs" ? person.mails_jobs === 1 && isInNotices : readNoticeKinds(person.notices).includes(kind);
  if (!isChosen) return false;
  const hasOwnMail = person.mails_jobs === 1 && !isInNotices;
  if (hasOwnMail && askedBy === person.email) return false;
  const role = projectId === null ? undefined : person.roles.get(projectId);
  const isMember = person.is_owner === 1 || role !== undefined;
  if (typeof readers === "object") return "id" in readers ? readers.id === person.id : isMember && readers.email === person.email; // oxfmt-ignore
  return person.is_owner === 1 || role === "admin" || (readers === "editors" && role === "editor");
}

async function writeDown(
  queryable: Queryable,
  { id }: { id: PersonId },
  { news, baseUrl, now }: { news: readonly News[]; baseUrl: string; now: number },
): Promise<void> {
  await queryable
    .insertInto("notice")
    .values(
      news.map(({ kind, subject, projectId, headline, path }) => ({
        person_id: id,
        kind,
        subject,
        project_id: projectId,
        headline: oneLine(headline).slice(0, 500),
        url: path.startsWith("/") ? baseUrl + path : path,
        created_at: now,
        sent_at: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(["person_id", "kind", "subject"]).doNothing())
    .execute();
}

/** Drops notices of people who left the project before the daily mail. */
async function dropNoticesOfFormerProjects(queryable: Queryable, { id, is_owner, roles }: Reader): Promise<void> {
  if (is_owner === 1) return;
  await queryable
    .deleteFrom("notice")
    .where("person_id", "=", id)
    .where("sent_at", "is", null)
    .where("project_id", "not in", [...roles.keys(), "none" as ProjectId])
    .execute();
}

async function sendDue(deps: NoticeDeps, person: Reader, now: number): Promise<void> {
  const { database } = deps;
  const before = person.daily_mail === 1 ? lastDailyHour(now) : now + 1;
  await database.transaction(async (transaction) => {
    // If two processes compete, the second finds the notices sent.
    const rows = await transaction
      .updateTable("notice")
      .set({ sent_at: now })
      .where("person_id", "=", person.id)
      .where("sent_at", "is", null)
      // The last case: the clock was ahead once.
      .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now + DAY_MS)]))
      .returning(["headline", "url", "created_at"])
      .execute();
    if (rows.length === 0) return;
    const to = person.chat_url === null ? person.email : chatOf(person.id);
    const content = person.chat_url === null ? mailOf(rows, deps.baseUrl()) : chatOfNotices(rows, deps.baseUrl());
    await queueMail({ ...deps, queryable: transaction }, to, content);
  });
  database.wakeUp.notify("mail");
}

function lastDailyHour(now: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + DAILY_HOUR * 3_600_000;
  return today <= now ? today : today - DAY_MS;
}

const chatOfNotices = (notices: readonly { headline: string; url: string }[], baseUrl: string): MailText => ({
  subject: "",
  text: chatTextOf(notices.slice(0, MAX_LISTED), { more: Math.max(0, notices.length - MAX_LISTED), baseUrl }),
});

function mailOf(notices: readonly { headline: string; url: string }[], baseUrl: string): MailText {
  const [first] = notices;
  const listed = notices.slice(0, MAX_LISTED).map(({ headline, url }) => `${headline}\n${url}`);
  const more = notices.length - listed.length;
  const lines = [
    ...listed,
    ...(more > 0 ? [`And ${more} more: ${baseUrl}/`] : []),
    `Change your notification settings: ${baseUrl}/-/account`,
  ];
  const subject = notices.length === 1 ? first!.headline.slice(0, 200) : `${notices.length} notifications from Docent`;
  return { subject, text: `${lines.join("\n\n")}\n` };
}
