import { z } from "zod";
import type { Queryable } from "#db/database.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { withoutAddresses, withoutMarks } from "./mail-text.ts";
import type { NoticeKind } from "./notice-choices.ts";

/** An event that people may want to be notified of. */
export interface News {
  kind: NoticeKind | "jobs";
  /** Identifies the event within its kind, so that each is sent once. */
  subject: string;
  /** Null: the instance. */
  projectId: ProjectId | null;
  /** Time of the event. */
  at: number;
  headline: string;
  /** Path at this server. */
  path: string;
  /** Recipients: people who can merge, admins, or one person. */
  readers: "editors" | "admins" | { id: PersonId } | { email: string };
  /** Author of the job, who is notified by the mail about its end. */
  askedBy?: string | null;
}

/** How far back events are reported, so that those of a weekend without the server are sent afterwards. */
const WINDOW_MS = 3 * DAY_MS;
/** How long a connection must fail before people are notified: hosts are often down for minutes. */
const CONNECTION_MS = 3_600_000;
const KEY_MS = 7 * DAY_MS;
/** Per kind and round; of comments per project, kind and round. */
const MAX_NEWS = 200;

const StoredPullRequest = z.object({ number: z.number(), url: z.string(), state: z.string(), draft: z.boolean() });
const StoredReport = z.object({ links: z.object({ broken: z.number() }) });

/** Current events of all projects. */
export async function findNews(queryable: Queryable, now: number): Promise<News[]> {
  const each = await Promise.all([
    jobNewsOf(queryable, now),
    newComments(queryable, now),
    failedConnections(queryable, now),
    brokenLinks(queryable, now),
    endingKeys(queryable, now),
  ]);
  return each.flat();
}

/** The outcome of a job in a word: a question or a refusal is an answer, and not finished work. */
export function outcomeWord(job: { status: string; question: unknown; refusal: unknown }): string {
  if (job.question !== null) return "Question";
  if (job.refusal !== null) return "Refused";
  return job.status === "failed" ? "Failed" : "Done";
}

/** Ended jobs, for their authors, and their pull requests that await a review. */
async function jobNewsOf(queryable: Queryable, now: number): Promise<News[]> {
  const rows = await queryable
    .selectFrom("job")
    .innerJoin("project", "project.id", "job.project_id")
    .innerJoin("job_message", (join) =>
      join.onRef("job_message.job_id", "=", "job.id").onRef("job_message.seq", "=", "job.done_seq"),
    )
    .select([
      "job.id",
      "job.project_id",
      "job.title",
      "job.status",
      "job.question",
      "job.refusal",
      "job.pull_request",
      "job.updated_at",
      "done_seq",
    ])
    .select(["project.slug", "project.name", "job_message.asked_by_email"])
    .where("job.updated_at", ">", now - WINDOW_MS)
    .where("job.status", "in", ["completed", "failed"])
    .orderBy("job.updated_at", "desc")
    .limit(MAX_NEWS)
    .execute();
  return rows.flatMap((row): News[] => {
    const title = withoutMarks(row.title ?? "a job");
    const about = { projectId: row.project_id, at: row.updated_at };
    const found: News[] = [];
    if (row.asked_by_email !== null) {
      const headline = `[${row.name}] ${outcomeWord(row)}: ${title}`;
      const path = `/${row.slug}/jobs/${row.id}`;
      found.push({ ...about, kind: "jobs", subject: `${row.id} ${row.done_seq}`, headline, path, readers: { email: row.asked_by_email } }); // oxfmt-ignore
    }
    const pullRequest = row.pull_request === null ? null : StoredPullRequest.parse(JSON.parse(row.pull_request));
    if (pullRequest?.state === "open" && !pullRequest.draft) {
      const headline = `[${row.name}] Pull request #${pullRequest.number} waits for your review: ${title}`;
      const subject = `${row.project_id} ${pullRequest.number}`;
      found.push({ ...about, kind: "reviews", subject, headline, path: pullRequest.url, readers: "editors", askedBy: row.asked_by_email }); // oxfmt-ignore
    }
    return found;
  });
}

/**
 * Comments and reviews, for the people who sent messages to the job and for those who commented before: the newest of each
 * project, so that a busy one does not displace others.
 */
async function newComments(queryable: Queryable, now: number): Promise<News[]> {
  const rows = await queryable
    .selectFrom("pull_request_comment as comment")
    .innerJoin("project", "project.id", "comment.project_id")
    .innerJoin("pull_request", (join) =>
      join
        .onRef("pull_request.project_id", "=", "comment.project_id")
        .onRef("pull_request.number", "=", "comment.number"),
    )
    .leftJoin("person", "person.id", "comment.person_id")
    .select(["comment.id", "comment.project_id", "comment.number", "comment.author", "person.email as author_email"])
    .select(["comment.verdict", "comment.created_at", "pull_request.head", "pull_request.title"])
    .select(["project.slug", "project.name"])
    .where("comment.id", "in", (inner) =>
      inner
        .selectFrom((ranked) =>
          ranked
            .selectFrom("pull_request_comment")
            .select("id")
            .select(({ fn }) =>
              fn
                .agg<number>("row_number")
                .over((over) => over.partitionBy("project_id").orderBy("id", "desc"))
                .as("rank"),
            )
            .where("created_at", ">", now - WINDOW_MS)
            .as("ranked"),
        )
        .select("ranked.id")
        .where("ranked.rank", "<=", MAX_NEWS),
    )
    .execute();
  const each = [...Map.groupBy(rows, (row) => `${row.project_id} ${row.number}`).values()].map(
    async (comments): Promise<News[]> => {
      const [{ project_id, number, head }] = comments as [(typeof rows)[number]];
      const talkers = await queryable
        .selectFrom("pull_request_comment")
        .innerJoin("person", "person.id", "pull_request_comment.person_id")
        .select("person.email")
        .select(({ fn }) => fn.min<string>("pull_request_comment.id").as("first"))
        .groupBy("person.email")
        .where("project_id", "=", project_id)
        .where("number", "=", number)
        .execute();
      const senders = await queryable
        .selectFrom("job_message")
        .innerJoin("job", "job.id", "job_message.job_id")
        .select("asked_by_email as email")
        .distinct()
        .where("job.project_id", "=", project_id)
        .where("job.branch", "=", head)
        .where("asked_by_email", "is not", null)
        .execute();
      return comments.flatMap((row) => {
        const earlier = talkers.filter(({ first }) => first < row.id);
        const readers = new Set([...earlier, ...senders].map(({ email }) => email));
        const did = { comment: "commented on", approve: "approved", changes: "requested changes to" }[row.verdict];
        const author = withoutAddresses(row.author) || "Someone";
        const headline = `[${row.name}] ${author} ${did} pull request #${number}: ${withoutMarks(row.title)}`;
        return [...readers].flatMap((email): News[] =>
          email === null || email === row.author_email
            ? []
            : [
                {
                  kind: "comments",
                  subject: row.id,
                  projectId: project_id,
                  at: row.created_at,
                  headline,
                  path: `/${row.slug}/pull/${number}?comments=${row.id}#${row.id}`,
                  readers: { email },
                },
              ],
        );
      });
    },
  );
  return (await Promise.all(each)).flat();
}

async function failedConnections(queryable: Queryable, now: number): Promise<News[]> {
  const rows = await queryable
    .selectFrom("connection")
    .innerJoin("project", "project.id", "connection.project_id")
    .select(["project.id", "project.slug", "project.name", "trouble", "synced_at", "connection.created_at"])
    .where("trouble", "is not", null)
    // Newest first, so that the limit does not cut them off in favor of failures that were reported already.
    .orderBy(({ fn }) => fn.coalesce("synced_at", "connection.created_at"), "desc")
    .limit(MAX_NEWS)
    .execute();
  return rows
    .map((row) => ({ ...row, since: row.synced_at ?? row.created_at }))
    .filter(({ since }) => since < now - CONNECTION_MS)
    .map((row) => ({
      kind: "connections",
      subject: row.id,
      projectId: row.id,
      at: row.since + CONNECTION_MS,
      headline: `[${row.name}] The connection to the repository has failed for an hour: ${row.trouble}`,
      path: `/${row.slug}/connection`,
      readers: "admins",
    }));
}

/** Deployments with more broken links than the previous one. */
async function brokenLinks(queryable: Queryable, now: number): Promise<News[]> {
  const rows = await queryable
    .selectFrom("deployment")
    .innerJoin("project", "project.id", "deployment.project_id")
    .select(["project.id", "project.slug", "project.name", "deployment.number", "reported_at"])
    .select((expression) => [
      "deployment.report",
      expression
        .selectFrom("deployment as before")
        .select("before.report")
        .whereRef("before.project_id", "=", "deployment.project_id")
        .whereRef("before.number", "<", "deployment.number")
        .where("before.report", "is not", null)
        .orderBy("before.number", "desc")
        .limit(1)
        .as("report_before"),
    ])
    .where("reported_at", ">", now - WINDOW_MS)
    .orderBy("reported_at", "desc")
    .limit(MAX_NEWS)
    .execute();
  const brokenIn = (report: string | null) =>
    report === null ? 0 : StoredReport.parse(JSON.parse(report)).links.broken;
  return rows.flatMap((row) => {
    const broken = brokenIn(row.report);
    if (broken <= brokenIn(row.report_before)) return [];
    return {
      kind: "links",
      subject: `${row.id} ${row.number}`,
      projectId: row.id,
      at: row.reported_at ?? 0,
      headline: `[${row.name}] ${broken === 1 ? "1 broken link" : `${broken} broken links`} on the site`,
      path: `/${row.slug}/deployments/${row.number}`,
      readers: "editors",
    };
  });
}

async function endingKeys(queryable: Queryable, now: number): Promise<News[]> {
  const rows = await queryable
    .selectFrom("api_key")
    .leftJoin("project", "project.id", "api_key.project_id")
    .select(["api_key.id", "api_key.name", "api_key.hint", "person_id", "project_id", "expires_at"])
    .select(["project.slug", "project.name as project"])
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where("expires_at", "<", now + KEY_MS)
    .orderBy("expires_at")
    .limit(MAX_NEWS)
    .execute();
  return rows.map((row) => {
    const day = new Date(row.expires_at ?? 0).toISOString().slice(0, 10);
    const isToken = row.person_id !== null;
    const isOfServer = !isToken && row.slug === null;
    const what = isToken ? "Your personal access token" : isOfServer ? "The server's API key" : `[${row.project}] The API key`; // oxfmt-ignore
    return {
      kind: "keys",
      subject: row.id,
      projectId: row.project_id,
      // The current time, so that it also reaches people who choose it after the week began.
      at: now,
      headline: `${what} “${row.name}” (docent_…${row.hint}) expires on ${day}${isOfServer ? ": “docent keys create --instance” on the server creates another" : ""}`,
      path: isToken ? "/-/account" : isOfServer ? "/" : `/${row.slug}/keys`,
      readers: row.person_id === null ? "admins" : { id: row.person_id },
    };
  });
}
