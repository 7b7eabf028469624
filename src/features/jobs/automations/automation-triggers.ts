import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { type AutomationRunDeps, runAutomation } from "./automation-runs.ts";
import { type Automation, fromRow } from "./automations.ts";
import { isAutomationsWork } from "./automations-work.ts";
import { nextSlot } from "./cron.ts";
import { noticeSources } from "./source-triggers.ts";

export interface AutomationDeps extends AutomationRunDeps {
  repoStore: Pick<RepoStore, "resolve" | "log">;
  logger: Logger;
}

const POLL_MS = 1_000;
/** How late a push is noticed whose signal was lost. */
const PUSH_POLL_MS = 30_000;
const RETRY_MS = 60_000;
/** The rest of an hour's window of calls is the longest that a run is put off. */
const MAX_PUT_OFF_MS = 3_600_000;
const MEND_EVERY_MS = 60_000;
const MAX_DUE = 50;

/**
 * Runs what is due and notices pushes, until disposed. Any number of processes may do it on one store: every due time
 * is run by one of them. Due times that passed while none ran are run once, late.
 */
export function startAutomations(deps: AutomationDeps): AsyncDisposable {
  let isPushed = true;
  const unsubscribe = deps.submit.database.wakeUp.subscribe("repository", () => (isPushed = true));
  const trouble = createLastingTrouble(deps.logger, "automations could not be run");
  let lookedAt = 0;
  let mendedAt = Number.NEGATIVE_INFINITY;
  const runOnce = async () => {
    try {
      if (isPushed || performance.now() - lookedAt > PUSH_POLL_MS) {
        isPushed = false;
        lookedAt = performance.now();
        await noticePushes(deps);
        await noticeSources(deps);
      }
      if (performance.now() - mendedAt > MEND_EVERY_MS) {
        mendedAt = performance.now();
        await bringForward(deps);
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

/**
 * Makes due times earlier that no right clock would have set: a schedule's is never after its next slot, and what a push
 * or a call made due, or a failure put off, never far ahead. So a clock that was ahead for a while keeps none waiting.
 */
export async function bringForward(deps: AutomationDeps): Promise<void> {
  const { database, clock } = deps.submit;
  const now = clock.now();
  const rows = await database.kysely
    .selectFrom("automation")
    .selectAll()
    .where("due_at", ">", now.getTime() + MAX_PUT_OFF_MS)
    .execute();
  for (const automation of rows.map(fromRow)) {
    const { trigger, dueAt, dueBy, enabled } = automation;
    const isScheduled = trigger.kind === "schedule" && enabled && (dueBy ?? "schedule") === "schedule";
    const latest = isScheduled ? nextSlot(trigger, now) : now;
    if (dueAt === null || latest === null || dueAt <= latest) continue;
    await database.kysely
      .updateTable("automation")
      .set({ due_at: latest.getTime() })
      .where("id", "=", automation.id)
      .where("due_at", "=", dueAt.getTime())
      .execute();
    deps.logger.info({ automationId: automation.id, projectId: automation.projectId }, "automation brought forward");
  }
}

/** Runs every automation that is due; answers with how many runs this process started. */
export async function runDueAutomations(deps: AutomationDeps): Promise<number> {
  const { database, clock } = deps.submit;
  const rows = await database.kysely
    .selectFrom("automation")
    .selectAll()
    .where("due_at", "<=", clock.now().getTime())
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

/** A run that could not be: later when that may help, otherwise noted as a run without a job. */
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
 * Makes automations due whose branch got new commits of anybody but an automation: what an automation did itself,
 * also once its pull request is merged, sets off none, so that they cannot run in circles.
 */
export async function noticePushes(deps: AutomationDeps): Promise<void> {
  const { database, clock } = deps.submit;
  const rows = await database.kysely
    .selectFrom("automation")
    .select(["id", "project_id", "branch", "seen_commit"])
    .where("trigger_kind", "=", "push")
    .where("enabled", "=", 1)
    .execute();
  for (const { id, project_id: projectId, branch, seen_commit: seen } of rows) {
    try {
      const tip = await deps.repoStore.resolve(projectId, `refs/heads/${branch}`);
      if (tip === null || tip === seen) continue;
      const isNews = !(await isAutomationsWork(deps, projectId, { base: seen, head: tip }));
      const at = clock.now().getTime();
      await database.kysely
        .updateTable("automation")
        .set((expression) => ({
          seen_commit: tip,
          ...(isNews && { due_at: expression.fn.coalesce("due_at", expression.val(at)), due_by: "push" as const }),
        }))
        .where("id", "=", id)
        .where("enabled", "=", 1)
        .where("seen_commit", seen === null ? "is" : "=", seen)
        .execute();
    } catch (error) {
      deps.logger.warn({ err: error, automationId: id }, "branch of an automation could not be read");
    }
  }
}
