import { type Selectable, sql } from "kysely";
import type { Database, Queryable } from "#db/database.ts";
import type { PullRequestTable } from "#db/tables/code-hosts.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";

export type PullRequestRow = Selectable<PullRequestTable>;

interface Row {
  projectId: ProjectId;
  number: number;
}

export async function findRow(database: Queryable, row: Row): Promise<PullRequestRow | null> {
  if (!Number.isSafeInteger(row.number) || row.number < 1 || row.number > 2_147_483_647) return null;
  const found = await database
    .selectFrom("pull_request")
    .selectAll()
    .where("project_id", "=", row.projectId)
    .where("number", "=", row.number)
    .executeTakeFirst();
  return found ?? null;
}

/** The open one of a head branch, else the newest. */
export async function findRowByHead(
  database: Queryable,
  projectId: ProjectId,
  head: string,
): Promise<PullRequestRow | null> {
  const found = await database
    .selectFrom("pull_request")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("head", "=", head)
    .orderBy(sql`case when state = 'open' then 0 else 1 end`)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

export async function listRows(
  database: Queryable,
  projectId: ProjectId,
  options: { state: PullRequestRow["state"] | "all"; limit: number; before: number | null; base?: string },
): Promise<PullRequestRow[]> {
  let query = database.selectFrom("pull_request").selectAll().where("project_id", "=", projectId);
  if (options.state !== "all") query = query.where("state", "=", options.state);
  if (options.base !== undefined) query = query.where("base", "=", options.base);
  if (options.before !== null) query = query.where("number", "<", options.before);
  return query.orderBy("number", "desc").limit(options.limit).execute();
}

export interface NewPullRequest {
  projectId: ProjectId;
  head: string;
  headCommit: ObjectId;
  base: string;
  title: string;
  body: string;
  draft: boolean;
  proposedBy: string | null;
  at: number;
}

/** Finds the open pull request of the head branch or makes it, in one transaction. */
export async function ensureRow(
  database: Database,
  wanted: NewPullRequest,
): Promise<{ outcome: "created" | "updated" | "unchanged"; row: PullRequestRow }> {
  return database.transaction(async (transaction) => {
    // SQLite has one writer at a time; elsewhere the project's row keeps two from taking the same number.
    if (database.engine === "postgres") {
      await transaction.selectFrom("project").select("id").where("id", "=", wanted.projectId).forUpdate().execute();
    }
    const known = await findRowByHead(transaction, wanted.projectId, wanted.head);
    const draft = wanted.draft ? 1 : 0;
    if (known?.state !== "open") return { outcome: "created", row: await insertRow(transaction, wanted) };
    const { base, title, body } = wanted;
    const asWanted = known.base === base && known.title === title && known.body === body && known.draft === draft;
    if (asWanted && known.head_sha === wanted.headCommit) return { outcome: "unchanged", row: known };
    const change = { base, title, body, draft, head_sha: wanted.headCommit, updated_at: wanted.at } as const;
    await transaction
      .updateTable("pull_request")
      .set(change)
      .where("project_id", "=", wanted.projectId)
      .where("number", "=", known.number)
      .execute();
    return { outcome: asWanted ? "unchanged" : "updated", row: { ...known, ...change } };
  });
}

/** Changes an open pull request; null when it is not open. */
export async function updateRow(
  database: Queryable,
  { projectId, number }: Row,
  change: Pick<PullRequestRow, "title" | "body" | "draft" | "updated_at">,
): Promise<PullRequestRow | null> {
  const row = await database
    .updateTable("pull_request")
    .set(change)
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("state", "=", "open")
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function insertRow(transaction: Queryable, wanted: NewPullRequest): Promise<PullRequestRow> {
  const { last } = await transaction
    .selectFrom("pull_request")
    .select((eb) => eb.fn.max("number").as("last"))
    .where("project_id", "=", wanted.projectId)
    .executeTakeFirstOrThrow();
  const row: PullRequestRow = {
    project_id: wanted.projectId,
    number: Number(last ?? 0) + 1,
    head: wanted.head,
    head_sha: wanted.headCommit,
    base: wanted.base,
    title: wanted.title,
    body: wanted.body,
    state: "open",
    draft: wanted.draft ? 1 : 0,
    merged_sha: null,
    merged_by: null,
    proposed_by: wanted.proposedBy,
    merge_base: null,
    created_at: wanted.at,
    updated_at: wanted.at,
    closed_at: null,
  };
  await transaction.insertInto("pull_request").values(row).execute();
  return row;
}

export type PullRequestEnd =
  | { state: "merged"; headCommit: ObjectId; mergedCommit: ObjectId; mergedBy: string | null; mergeBase: ObjectId | null; at: number } // oxfmt-ignore
  | { state: "closed"; headCommit: ObjectId; mergedCommit: null; mergeBase: ObjectId | null; at: number };

/** Ends an open pull request; without effect on one that has ended. */
export async function endRow(database: Queryable, row: Row, ending: PullRequestEnd): Promise<void> {
  await database
    .updateTable("pull_request")
    .set({
      state: ending.state,
      head_sha: ending.headCommit,
      merged_sha: ending.mergedCommit,
      merged_by: ending.state === "merged" ? ending.mergedBy : null,
      merge_base: ending.mergeBase,
      updated_at: ending.at,
      closed_at: ending.at,
    })
    .where("project_id", "=", row.projectId)
    .where("number", "=", row.number)
    .where("state", "=", "open")
    .execute();
}

export async function markRowReady(database: Queryable, row: Row, at: number): Promise<void> {
  await database
    .updateTable("pull_request")
    .set({ draft: 0, updated_at: at })
    .where("project_id", "=", row.projectId)
    .where("number", "=", row.number)
    .where("state", "=", "open")
    .where("draft", "=", 1)
    .execute();
}

/** Undoes an ending that the repository knows nothing of. */
export async function reopenRow(database: Queryable, row: Row, at: number): Promise<void> {
  await database
    .updateTable("pull_request")
    .set({ state: "open", merged_sha: null, merge_base: null, updated_at: at, closed_at: null })
    .where("project_id", "=", row.projectId)
    .where("number", "=", row.number)
    .execute();
}

export async function recordHead(
  database: Queryable,
  head: { projectId: ProjectId; branch: string; commit: ObjectId; at: number },
): Promise<void> {
  await database
    .updateTable("pull_request")
    .set({ head_sha: head.commit, updated_at: head.at })
    .where("project_id", "=", head.projectId)
    .where("head", "=", head.branch)
    .where("state", "=", "open")
    .where("head_sha", "!=", head.commit)
    .execute();
}
