import { sql } from "kysely";
import type { Database, Queryable } from "#db/database.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import { type JobId, newId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openJson, sealJson } from "#lib/secrets/sealed-claims.ts";

export interface MailText {
  subject: string;
  /** Plain text. */
  text: string;
}

/** A mail that this process has claimed. */
export interface DueMail {
  id: string;
  /** An email address, or a person's chat. */
  to: string;
  /**
   * A text that was composed when it was queued, or an ended job, whose text is composed when it is sent. Null if another
   * server's key sealed the text.
   */
  content: MailText | { jobId: JobId } | null;
  attempt: number;
}

const PURPOSE = "mail";
/** Delays before the retries in seconds: seven attempts in a day. */
export const MAIL_RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600, 54_000] as const;
/** Lease of a claimed mail, after which another process can claim it. */
const LEASE_MS = 10 * 60_000;

/** The longest delay of a next attempt. A time further ahead was written by a wrong clock. */
const MAX_WAIT_MS = Math.max(...MAIL_RETRY_SECONDS) * 1_000;
const MAX_AGE_MS = 3 * DAY_MS;

/**
 * Queues a text. Links in mail can open accounts, so the stored text is sealed. Within a transaction (`queryable`),
 * call `wakeUp.notify("mail")` after the commit.
 */
export async function queueMail(
  { database, vault, clock, queryable }: { database: Database; vault: KeyVault; clock: Clock; queryable?: Queryable },
  to: string,
  { subject, text }: MailText,
): Promise<void> {
  const content = sealJson(vault, { subject, text }, PURPOSE);
  await insert(queryable ?? database.kysely, { to, content, jobId: null, at: clock.now().getTime() });
  if (!queryable) database.wakeUp.notify("mail");
}

/**
 * Queues the mail about a job in the transaction that ends it; call `wakeUp.notify("mail")` after the commit. A mail
 * that is still queued covers this end too, because its text is composed when it is sent.
 */
export async function queueJobMail(
  queryable: Queryable,
  { to, jobId, at }: { to: string; jobId: JobId; at: number },
): Promise<void> {
  await queryable.deleteFrom("mail").where("job_id", "=", jobId).where("recipient", "=", to).execute();
  await insert(queryable, { to, content: null, jobId, at });
}

const insert = (
  queryable: Queryable,
  { to, content, jobId, at }: { to: string; content: string | null; jobId: JobId | null; at: number },
) =>
  queryable
    .insertInto("mail")
    .values({
      id: newId("mail", new Date(at)),
      recipient: to,
      content,
      job_id: jobId,
      attempt: 0,
      next_attempt_at: at,
      created_at: at,
    })
    .execute();

/** Claims the mail that has been due the longest. Another process can claim it after the lease. */
export async function claimMail({
  database,
  vault,
  clock,
  canMail = true,
}: {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  /** False without a mail server: claims only messages to chats. */
  canMail?: boolean;
}): Promise<DueMail | null> {
  const now = clock.now().getTime();
  const lock = database.engine === "postgres" ? sql`for update skip locked` : sql``;
  const isSendable = canMail ? sql`` : sql`and recipient like 'chat:%'`;
  const candidate = sql<string>`(select id from mail where (next_attempt_at <= ${now} or next_attempt_at > ${now + MAX_WAIT_MS}) ${isSendable} order by next_attempt_at, id limit 1 ${lock})`;
  const row = await database.kysely
    .updateTable("mail")
    .set((expression) => ({ next_attempt_at: now + LEASE_MS, attempt: expression("attempt", "+", 1) }))
    .where("id", "=", candidate)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const content =
    row.job_id === null ? (openJson(vault, row.content ?? "", PURPOSE) as MailText | null) : { jobId: row.job_id };
  return { id: row.id, to: row.recipient, content, attempt: row.attempt };
}

export async function removeMail(database: Database, { id }: DueMail): Promise<void> {
  await database.kysely.deleteFrom("mail").where("id", "=", id).execute();
}

/** Schedules a retry; false if that was the last attempt and the mail was deleted. */
export async function mailFailed(
  { database, clock }: { database: Database; clock: Clock },
  mail: DueMail,
  { isFinal }: { isFinal: boolean },
): Promise<boolean> {
  const seconds = isFinal ? undefined : MAIL_RETRY_SECONDS[mail.attempt - 1];
  if (seconds === undefined) {
    await removeMail(database, mail);
    return false;
  }
  await database.kysely
    .updateTable("mail")
    .set({ next_attempt_at: clock.now().getTime() + seconds * 1_000 })
    .where("id", "=", mail.id)
    .where("attempt", "=", mail.attempt)
    .execute();
  return true;
}

/** Mail that the mail server has not accepted: how much, and since when the oldest waits. Null if there is none. */
export async function delayedMail(
  { kysely }: Pick<Database, "kysely">,
  now: Date,
): Promise<{ count: number; since: Date } | null> {
  const nextTry = now.getTime() + MAIL_RETRY_SECONDS[0] * 1_000;
  const { count, since } = await kysely
    .selectFrom("mail")
    .select(({ fn }) => [fn.countAll<number | string>().as("count"), fn.min("created_at").as("since")])
    // A first attempt counts once it has failed: while it runs, the next one is as far ahead as the lease.
    .where((is) =>
      is.or([is("attempt", ">", 1), is.and([is("attempt", "=", 1), is("next_attempt_at", "<=", nextTry)])]),
    )
    .where("recipient", "not like", "chat:%")
    .executeTakeFirstOrThrow();
  return Number(count) === 0 ? null : { count: Number(count), since: new Date(Number(since)) };
}

/** Deletes mail that was not sent within three days, such as that of a mail server that is no longer configured. */
export async function deleteOldMail(database: Database, now: Date): Promise<void> {
  await database.kysely
    .deleteFrom("mail")
    .where("created_at", "<", now.getTime() - MAX_AGE_MS)
    .execute();
}
