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

/** Jobs of a project, newest first; `statuses` empty = all. `AppError invalid` for a bad cursor. */
export async function listJobs(
  { database }: { database: Database },
  options: { projectId: ProjectId; statuses: readonly JobStatus[]; limit: number; cursor: string | null },
): Promise<ListPage<Job>> {
  let query = database.kysely
    .selectFrom("job")
    .selectAll()
    .where("project_id", "=", options.projectId)
    .orderBy("id", "desc")
    .limit(options.limit + 1);
  if (options.statuses.length > 0) query = query.where("status", "in", options.statuses);
  if (options.cursor !== null) query = query.where("id", "<", readCursor(options.cursor, "job") as Job["id"]);
  return pageOf(await query.execute(), options.limit, jobFromRow);
}

/** Jobs whose title, or first instruction while untitled, contains a text, ignoring case; newest first. */
export async function searchJobs(
  { database }: { database: Database },
  { projectId, search, limit }: { projectId: ProjectId; search: string; limit: number },
): Promise<{ job: Job; prompt: string }[]> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
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
