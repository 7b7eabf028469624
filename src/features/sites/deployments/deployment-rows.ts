import { deletedRows } from "#db/batches.ts";
import type { Database } from "#db/database.ts";
import type { DeploymentTable } from "#db/tables/sites.ts";
import type { CommitInfo, RepoStore } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import { createMeasure } from "#lib/measure.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import type { Report } from "#features/sites/report/report.ts";
import type { DeploymentState, KeptReport } from "./deployment.ts";

interface Deps {
  database: Database;
  repoStore: Pick<RepoStore, "log">;
  clock: Clock;
}

/** Older ones are deleted: this covers months of a busy project. */
export const MAX_DEPLOYMENTS = 500;
/** A node that has not finished by then was stopped, or hangs. */
const CLAIM_MS = 5 * 60_000;
const MAX_SUBJECT_LENGTH = 300;
const MAX_AUTHOR_LENGTH = 200;

/**
 * Records that a commit is the newest of a project's branch. Returns the id of the deployment that the caller now has
 * to finish; null when it is finished, or another node works on it; `outpaced` when another node has just recorded one,
 * maybe of an older commit: look again.
 */
export async function claimDeployment(
  deps: Deps,
  project: Pick<Project, "id" | "branch">,
  seen: { commit: string; pushedAt: Date | null },
): Promise<{ id: string } | "outpaced" | null> {
  const { database, clock } = deps;
  const now = clock.now();
  const last = await newestOf(deps, project.id)
    .select(["id", "number", "commit_id", "branch", "state", "claimed_at"])
    .executeTakeFirst();
  if (last?.commit_id === seen.commit && last.branch === project.branch) {
    const id =
      last.state === "loading" && isLost(last, now) ? await takeOver(deps, { ...last, state: "loading" }, now) : null;
    return id === null ? null : { id };
  }
  const [commit] = await deps.repoStore.log(project.id, { base: null, head: seen.commit, limit: 1 });
  const number = (last?.number ?? 0) + 1;
  const made = await database.kysely
    .insertInto("deployment")
    .values({
      id: newId("dep", now),
      project_id: project.id,
      number,
      commit_id: seen.commit,
      branch: project.branch,
      ...wordsOf(commit),
      authored_at: commit?.authoredAt.getTime() ?? now.getTime(),
      pushed_at: seen.pushedAt?.getTime() ?? null,
      noticed_at: now.getTime(),
      claimed_at: now.getTime(),
      state: "loading",
    })
    .onConflict((conflict) => conflict.columns(["project_id", "number"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made && number > MAX_DEPLOYMENTS) {
    await database.kysely
      .deleteFrom("deployment")
      .where("project_id", "=", project.id)
      .where("number", "<=", number - MAX_DEPLOYMENTS)
      .execute();
  }
  return made ?? "outpaced";
}

/**
 * Deletes up to `limit` deployments, with their reports, that were noticed before a time; answers with how many. Those
 * that readers see stay, and what is newer: the newest that could be shown, and the one of the commit that a site is pinned to.
 */
export function deleteOldDeployments(
  { database }: Pick<Deps, "database">,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = database.kysely
    .selectFrom("deployment as old")
    .innerJoin("project", "project.id", "old.project_id")
    .select("old.id")
    .where("old.noticed_at", "<", before)
    .where(({ or, eb }) => or([eb("pinned_commit", "is", null), eb("pinned_commit", "<>", eb.ref("old.commit_id"))]))
    .where("old.number", "<", ({ selectFrom }) =>
      selectFrom("deployment as newest")
        .select(({ fn }) => fn.max("newest.number").as("number"))
        .whereRef("newest.project_id", "=", "old.project_id")
        .where("newest.state", "=", "ready"),
    )
    .limit(limit);
  return deletedRows(database.kysely.deleteFrom("deployment").where("id", "in", old));
}

// The last case: the clock was ahead once.
const isLost = ({ claimed_at: at }: Pick<DeploymentTable, "claimed_at">, now: Date): boolean =>
  now.getTime() - at > CLAIM_MS || at > now.getTime() + CLAIM_MS;

/**
 * The newest deployment of a project, if it is this commit's and the node that worked on its report was stopped: the
 * caller now has to create the report. Else null.
 */
export async function claimReport(
  deps: Pick<Deps, "database" | "clock">,
  projectId: ProjectId,
  commit: string,
): Promise<string | null> {
  const now = deps.clock.now();
  const last = await newestOf(deps, projectId)
    .select(["id", "commit_id", "state", "claimed_at", "reported_at"])
    .executeTakeFirst();
  if (last?.commit_id !== commit || last.state !== "ready" || last.reported_at !== null) return null;
  return isLost(last, now) ? takeOver(deps, { ...last, state: "ready" }, now) : null;
}

/** The newest deployment of a commit that can be shown; null when there is none. */
export async function findReady(
  deps: Pick<Deps, "database">,
  projectId: ProjectId,
  commit: string,
): Promise<string | null> {
  const ready = newestOf(deps, projectId).select("id").where("state", "=", "ready");
  return (await ready.where("commit_id", "=", commit).executeTakeFirst())?.id ?? null;
}

const newestOf = ({ database }: Pick<Deps, "database">, projectId: ProjectId) =>
  database.kysely.selectFrom("deployment").where("project_id", "=", projectId).orderBy("number", "desc").limit(1);

type Claimed = { id: string; claimed_at: number; state: "loading" | "ready" };

async function takeOver({ database }: Pick<Deps, "database">, last: Claimed, now: Date): Promise<string | null> {
  const taken = await database.kysely
    .updateTable("deployment")
    .set({ claimed_at: now.getTime() })
    .where("id", "=", last.id)
    .where("claimed_at", "=", last.claimed_at)
    .where("state", "=", last.state)
    .returning("id")
    .executeTakeFirst();
  return taken?.id ?? null;
}

/** Commit messages are untrusted: PostgreSQL stores no NUL, and neither engine stores lone surrogates. */
function wordsOf(commit: CommitInfo | undefined): { subject: string; author: string } {
  const line = (text: string, length: number) =>
    text
      .replaceAll(/\p{Cc}+/gu, " ")
      .slice(0, length)
      .toWellFormed()
      .trim();
  return {
    subject: line(commit?.subject ?? "", MAX_SUBJECT_LENGTH),
    author: line(commit?.author.name ?? "", MAX_AUTHOR_LENGTH),
  };
}

export const deploymentEnds = createMeasure<{ state: Exclude<DeploymentState, "loading"> }>("deployment end");

/** Records the result of a claimed deployment. */
export async function endDeployment(
  { database, clock }: Pick<Deps, "database" | "clock">,
  id: string,
  end: {
    state: Exclude<DeploymentState, "loading">;
    isLive?: boolean;
    pages?: number;
    trouble?: string;
  },
): Promise<void> {
  await database.kysely
    .updateTable("deployment")
    .set({
      state: end.state,
      trouble: end.trouble ?? null,
      pages: end.pages ?? null,
      ...(end.isLive === true && { live_at: clock.now().getTime() }),
    })
    .where("id", "=", id)
    .execute();
  deploymentEnds.publish({ state: end.state });
}

/** All problems are counted; this many are stored. */
const MAX_FINDINGS = 200;
const MAX_REPORT_CHARACTERS = 256 * 1024;
const MAX_MESSAGE_LENGTH = 1_000;

/** The stored part of a report: messages may quote authors' text, which can be of any length. */
export async function recordReport({ database, clock }: Pick<Deps, "database" | "clock">, id: string, report: Report) {
  const cut = (text: string) => text.slice(0, MAX_MESSAGE_LENGTH).replaceAll("\0", "").toWellFormed();
  const problems = [];
  let characters = 0;
  for (const problem of report.problems) {
    const { severity, code, line } = problem;
    const kept = { severity, code, path: cut(problem.path), line, message: cut(problem.message) };
    characters += JSON.stringify(kept).length;
    if (problems.length >= MAX_FINDINGS || characters > MAX_REPORT_CHARACTERS) break;
    problems.push(kept);
  }
  const { pages, errors, warnings, links, durationMs } = report;
  const leftOut = errors + warnings - problems.length;
  const stored: KeptReport = { problems, leftOut, links, durationMs };
  await database.kysely
    .updateTable("deployment")
    .set({ pages, errors, warnings, report: JSON.stringify(stored), reported_at: clock.now().getTime() })
    .where("id", "=", id)
    .execute();
}

/** Readers see the newest deployment that can be shown: records that one which waited behind a pin is live. */
export async function markNewestLive(deps: Pick<Deps, "database" | "clock">, projectId: ProjectId): Promise<void> {
  const newest = await newestOf(deps, projectId).select("id").where("state", "=", "ready").executeTakeFirst();
  if (!newest) return;
  await deps.database.kysely
    .updateTable("deployment")
    .set({ live_at: deps.clock.now().getTime() })
    .where("id", "=", newest.id)
    .where("live_at", "is", null)
    .execute();
}

/** Projects whose newest commit was not recorded yet, or whose deployment was never finished; at most `limit`. */
export async function findOverdue({ database, clock }: Pick<Deps, "database" | "clock">, limit: number) {
  const rows = await database.kysely
    .selectFrom("project")
    .select("project.id")
    .where(({ or, not, exists, selectFrom }) => {
      const own = selectFrom("deployment").select("deployment.id").whereRef("project_id", "=", "project.id");
      const now = clock.now().getTime();
      const loading = own.where("state", "=", "loading");
      // The last case: the clock was ahead once.
      return or([
        not(exists(own)),
        exists(loading.where("claimed_at", "<", now - CLAIM_MS)),
        exists(loading.where("claimed_at", ">", now + CLAIM_MS)),
      ]);
    })
    .orderBy("project.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
