import type { Selectable } from "kysely";
import type { Database } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { CommitInfo, RepoStore } from "#git/repo-store.ts";
import { listSources, mirrorOf } from "#hosts/sources/sources.ts";
import { mergedPullRequests } from "#features/jobs/source-news.ts";
import { AppError } from "#lib/app-error.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { retryAfterOutages } from "./automation-retries.ts";
import { type AutomationRunDeps, runAutomation } from "./automation-runs.ts";
import { type Automation, fromRow } from "./automations.ts";
import { correctDueTimes } from "./due-times.ts";
import { isAutomationsWork } from "./automations-work.ts";
import { nextSlot } from "./cron.ts";

export interface AutomationDeps extends AutomationRunDeps {
  repoStore: Pick<RepoStore, "resolve" | "log">;
  logger: Logger;
}

type Mirror = Parameters<RepoStore["log"]>[0];

const POLL_MS = 1_000;
/** How late a push is noticed when its notification was lost. */
const PUSH_POLL_MS = 30_000;
const RETRY_MS = 60_000;
const MAX_DUE = 50;
/** How many commits are searched for merged pull requests. */
const MAX_COMMITS = 500;

/**
 * Runs due automations and notices pushes, until disposed. Any number of processes may do this on one store: only one of
 * them runs each due time. Due times that passed while no process was running are run once, late.
 */
export function startAutomations(deps: AutomationDeps): AsyncDisposable {
  let isPushed = true;
  const unsubscribe = deps.submit.database.wakeUp.subscribe("repository", () => (isPushed = true));
  const trouble = createLastingTrouble(deps.logger, "automations could not be run");
  let lookedAt = 0;
  const runOnce = async () => {
    try {
      if (isPushed || performance.now() - lookedAt > PUSH_POLL_MS) {
        isPushed = false;
        lookedAt = performance.now();
        await correctDueTimes(deps);
        await noticePushes(deps);
        await retryAfterOutages(deps);
      }
      await runDueAutomations(deps);
      trouble.worked();
    } catch (error) {
      trouble.failed(error);
    }
  };
  const loop = repeat(runOnce, { everyMs: POLL_MS });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      unsubscribe();
    },
  };
}

/** Runs every automation that is due. Returns how many runs this process started. */
export async function runDueAutomations(deps: AutomationDeps): Promise<number> {
  const { database, clock } = deps.submit;
  const rows = await database.kysely
    .selectFrom("automation")
    .innerJoin("project", "project.id", "automation.project_id")
    .selectAll("automation")
    .where("due_at", "<=", clock.now().getTime())
    // Automations of an archived project run once, late, after it is unarchived.
    .where("project.archived_at", "is", null)
    .orderBy("due_at")
    .limit(MAX_DUE)
    .execute();
  let started = 0;
  for (const automation of rows.map(fromRow)) {
    const { dueAt } = automation;
    if (dueAt === null) continue;
    const fields = { automationId: automation.id, projectId: automation.projectId };
    try {
      const outcome = await runAutomation(deps, automation, { by: automation.dueBy ?? "schedule", dueAt });
      if (outcome.outcome === "started") started++;
      if (outcome.outcome !== "lost") deps.logger.info({ ...fields, outcome: outcome.outcome }, "automation run");
    } catch (error) {
      await putOff(deps, { automation, dueAt, error });
    }
  }
  return started;
}

/** Handles a run that failed to start: schedules a retry where one may help, otherwise records a run without a job. */
async function putOff(
  { submit: { database, clock }, logger }: AutomationDeps,
  { automation, dueAt, error }: { automation: Automation; dueAt: Date; error: unknown },
): Promise<void> {
  const now = clock.now();
  const fields = { automationId: automation.id, projectId: automation.projectId, err: error };
  const code = error instanceof AppError ? error.code : "internal";
  const isLasting = code === "invalid" || code === "not_found";
  const waitMs = error instanceof AppError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : RETRY_MS;
  const { trigger, enabled } = automation;
  const slot = trigger.kind === "schedule" && enabled ? nextSlot(trigger, now) : null;
  const next = isLasting
    ? { due_at: slot?.getTime() ?? null, due_by: slot ? ("schedule" as const) : null }
    : { due_at: now.getTime() + waitMs };
  await database.transaction(async (transaction) => {
    const taken = await transaction
      .updateTable("automation")
      .set({ ...next, ...(isLasting && { runs: automation.runs + 1 }) })
      .where("id", "=", automation.id)
      .where("runs", "=", automation.runs)
      .where("due_at", "=", dueAt.getTime())
      .returning("id")
      .executeTakeFirst();
    if (!taken || !isLasting) return;
    await transaction
      .insertInto("automation_run")
      .values({
        automation_id: automation.id,
        number: automation.runs + 1,
        started_by: automation.dueBy ?? "schedule",
        due_at: dueAt.getTime(),
        started_at: now.getTime(),
        job_id: null,
        message_seq: null,
        note: error instanceof Error ? error.message : String(error),
      })
      .execute();
  });
  if (code === "internal") logger.error(fields, "automation could not be run");
  else logger.info(fields, isLasting ? "automation not run" : "automation put off");
}

/**
 * Makes an automation due when its branch or source has new commits; for `source_merge`, when they include a merged pull
 * request. Commits by automations trigger nothing, even once merged, so automations cannot run in circles. For a source,
 * `from_commit` keeps the start of the next run's range, which grows until that run. Only one of several processes notices a push.
 */
export async function noticePushes(
  deps: Pick<AutomationDeps, "repoStore" | "logger"> & { submit: Stores },
): Promise<void> {
  const { database, clock } = deps.submit;
  const rows = await database.kysely
    .selectFrom("automation")
    .selectAll()
    .where("trigger_kind", "in", ["push", "source_push", "source_merge"])
    .where("enabled", "=", 1)
    .execute();
  for (const row of rows) {
    try {
      const watched = await watchedBranch(database, row);
      if (!watched) continue;
      const { id, trigger_kind: kind, seen_commit: seen } = row;
      const tip = await deps.repoStore.resolve(watched.repository, `refs/heads/${watched.branch}`);
      if (tip === null || tip === seen) continue;
      const range = { base: seen, head: tip };
      // The first commits of a source are only the starting point of its automation; the first commits of a branch trigger it.
      const isOwn = seen === null ? kind !== "push" : await isAutomationsWork(deps, watched.repository, range);
      const isNews = !isOwn && (kind !== "source_merge" || (await hasMerge(deps, watched.repository, range)));
      const at = clock.now().getTime();
      await database.kysely
        .updateTable("automation")
        .set(({ fn, val }) => ({
          seen_commit: tip,
          ...(isNews && { due_at: fn.coalesce("due_at", val(at)), due_by: kind as Exclude<typeof kind, "api"> }),
          ...(isNews && kind !== "push" && { from_commit: fn.coalesce("from_commit", val(seen)) }),
        }))
        .where("id", "=", id)
        .where("enabled", "=", 1)
        .where("seen_commit", seen === null ? "is" : "=", seen)
        .execute();
    } catch (error) {
      deps.logger.warn({ err: error, automationId: row.id }, "the repository of an automation could not be read");
    }
  }
}

type Stores = Pick<AutomationDeps["submit"], "database" | "clock">;

/** The branch whose commits trigger an automation; null when its source was removed. */
async function watchedBranch(
  database: Database,
  row: Pick<Selectable<Tables["automation"]>, "project_id" | "source" | "branch">,
): Promise<{ repository: Mirror; branch: string } | null> {
  if (row.source === null) return { repository: row.project_id, branch: row.branch ?? "" };
  const source = (await listSources(database, row.project_id)).find(({ name }) => name === row.source);
  return source ? { repository: mirrorOf(source), branch: source.branch } : null;
}

async function hasMerge(
  { repoStore }: Pick<AutomationDeps, "repoStore">,
  repository: Mirror,
  range: { base: string | null; head: string },
): Promise<boolean> {
  // The base may no longer exist, for example after the repository was created again. Then nothing can be compared.
  const commits = await repoStore.log(repository, { ...range, limit: MAX_COMMITS }).catch((): CommitInfo[] => []);
  return mergedPullRequests(commits).length > 0;
}
