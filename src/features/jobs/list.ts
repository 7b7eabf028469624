import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Job, JobStatus } from "./job.ts";
import { jobFromRow } from "./job-rows.ts";

/** One page of a list, newest first; `nextCursor` requests the page after it. */
export interface ListPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** Cuts rows read with `limit + 1` into a page. A cursor is the id of the last item: ids sort by time. */
export function pageOf<Row extends { id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Item,
): ListPage<Item> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(present), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** A cursor of `pageOf` for ids with this prefix; `AppError invalid` for anything else. */
export function readCursor(cursor: string, prefix: string): string {
  if (new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(cursor)) return cursor;
  throw new AppError("invalid", "`cursor` is not one that a page of this list gave.", {
    details: [{ path: "cursor", message: "not a cursor of this list" }],
  });
}

/** Restricts a list of jobs; what is absent does not. */
export interface JobSearch {
  /** Each occurs in the title or in an instruction, ignoring case. */
  words?: readonly string[];
  /** Who sent one of the messages: a person by their address, or anyone by the stored name. */
  askedBy?: { email: string } | { name: string } | null;
  from?: Date | null;
  /** Exclusive. */
  to?: Date | null;
}

const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** Jobs of a project, newest first; `statuses` empty = all. `AppError invalid` for a bad cursor. */
export async function listJobs(
  { database }: { database: Database },
  options: {
    projectId: ProjectId;
    statuses: readonly JobStatus[];
    search?: JobSearch;
    limit: number;
    cursor: string | null;
  },
): Promise<ListPage<Job>> {
  const { words = [], askedBy = null, from = null, to = null } = options.search ?? {};
  let query = database.kysely
    .selectFrom("job")
    .selectAll()
    .where("project_id", "=", options.projectId)
    .orderBy("id", "desc")
    .limit(options.limit + 1);
  if (options.statuses.length > 0) query = query.where("status", "in", options.statuses);
  if (options.cursor !== null) query = query.where("id", "<", readCursor(options.cursor, "job") as Job["id"]);
  for (const pattern of words.map(containing)) {
    query = query.where(({ or, eb, exists, selectFrom }) => {
      const message = selectFrom("job_message").select("seq").whereRef("job_message.job_id", "=", "job.id");
      return or([
        eb(sql<string>`lower(coalesce(job.title, ''))`, "like", sql<string>`${pattern} escape '\\'`),
        exists(message.where(sql<boolean>`lower(job_message.prompt) like ${pattern} escape '\\'`)),
      ]);
    });
  }
  if (askedBy !== null) {
    query = query.where(({ exists, selectFrom }) => {
      const message = selectFrom("job_message").select("seq").whereRef("job_message.job_id", "=", "job.id");
      return exists(
        "email" in askedBy
          ? message.where("asked_by_email", "=", askedBy.email)
          : message.where("asked_by", "=", askedBy.name),
      );
    });
  }
  if (from !== null) query = query.where("created_at", ">=", from.getTime());
  if (to !== null) query = query.where("created_at", "<", to.getTime());
  return pageOf(await query.execute(), options.limit, jobFromRow);
}

const MAX_ASKERS = 200;

/** The names of those who asked for jobs of a project, in order. */
export async function listJobAskers({ database }: { database: Database }, projectId: ProjectId): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom("job_message")
    .innerJoin("job", "job.id", "job_message.job_id")
    .select("job_message.asked_by")
    .distinct()
    .where("job.project_id", "=", projectId)
    .where("job_message.asked_by", "is not", null)
    .orderBy("job_message.asked_by")
    .limit(MAX_ASKERS)
    .execute();
  return rows.map((row) => row.asked_by ?? "");
}

/** Jobs whose title, or first instruction while untitled, contains a text, ignoring case; newest first. */
export async function searchJobs(
  { database }: { database: Database },
  { projectId, search, limit }: { projectId: ProjectId; search: string; limit: number },
): Promise<{ job: Job; prompt: string }[]> {
  const pattern = containing(search);
  const rows = await database.kysely
    .selectFrom("job")
    .innerJoin("job_message", (join) => join.onRef("job_message.job_id", "=", "job.id").on("job_message.seq", "=", 1))
    .selectAll("job")
    .select("job_message.prompt as first_prompt")
    .where("job.project_id", "=", projectId)
    .where(sql<boolean>`lower(coalesce(job.title, job_message.prompt)) like ${pattern} escape '\\'`)
    .orderBy("job.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ first_prompt: prompt, ...row }) => ({ job: jobFromRow(row), prompt }));
}

/** Jobs of a project, newest first, by offset: for callers that do not use a cursor. */
export async function listJobsFrom(
  { database }: { database: Database },
  { projectId, skip, take }: { projectId: ProjectId; skip: number; take: number },
): Promise<Job[]> {
  const rows = await database.kysely
    .selectFrom("job")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id", "desc")
    .limit(take)
    .offset(skip)
    .execute();
  return rows.map(jobFromRow);
}
