import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { type MailText, queueJobMail } from "#features/mail/mail-queue.ts";
import { withoutMarks } from "#features/mail/mail-text.ts";
import { outcomeWord } from "#features/mail/news.ts";
import { oneLine } from "#lib/one-line.ts";
import type { JobEventData } from "./events.ts";
import { jobNews } from "./job-news.ts";
import { jobFromRow, type JobRow } from "./job-rows.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";

export const endsJob = ({ type }: JobEventData) => type === "job.completed" || type === "job.failed";

/** Queues a mail to the person who sent the last message of a job that has ended, if they have such mails turned on. */
export async function recordJobMail(
  transaction: DatabaseTransaction,
  { job, events, at }: { job: JobRow; events: readonly JobEventData[]; at: number },
): Promise<void> {
  if (!events.some(endsJob)) return;
  const email = await recipientOf(transaction, job);
  if (email !== null) await queueJobMail(transaction, { to: email, jobId: job.id, at });
}

/** Only a person who can still see the job. */
async function recipientOf(queryable: Queryable, { id, project_id: projectId }: JobRow): Promise<string | null> {
  const row = await queryable
    .selectFrom("job_message")
    .innerJoin("person", "person.email", "job_message.asked_by_email")
    .leftJoin("project_member", (join) =>
      join
        .onRef("project_member.person_id", "=", "person.id")
        .on("project_member.project_id", "=", projectId)
        .on("project_member.role", "!=", "reader"),
    )
    .select(["person.email", "person.is_owner", "person.mails_jobs", "person.daily_mail", "person.chat_url"])
    .select("project_member.role")
    .where("job_message.job_id", "=", id)
    .orderBy("job_message.seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || (row.is_owner === 0 && row.role === null)) return null;
  return row.mails_jobs === 1 && row.daily_mail === 0 && row.chat_url === null ? row.email : null;
}

interface TextDeps {
  database: Database;
  baseUrl(): string;
  findProjectById(id: ProjectId): Promise<{ slug: string; name: string } | null>;
}

/** The text of a mail about a job that has ended; null when the job was deleted or is active again. */
export async function jobMailText(
  { database, baseUrl, findProjectById }: TextDeps,
  jobId: JobId,
): Promise<MailText | null> {
  const row = await database.kysely.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirst();
  const project = row && (await findProjectById(row.project_id));
  if (!row || !project || row.status === "active") return null;
  const job = jobFromRow(row);
  const lines = [
    ...jobNews(job).map(withoutMarks),
    `Job: ${baseUrl()}/${project.slug}/jobs/${job.id}`,
    `You get this mail because you sent the job its last message. Your account page turns it off: ${baseUrl()}/-/account`,
  ];
  return {
    subject: oneLine(`[${project.name}] ${outcomeWord(job)}: ${withoutMarks(job.title ?? "your job")}`).slice(0, 200),
    text: `${lines.join("\n\n")}\n`,
  };
}
