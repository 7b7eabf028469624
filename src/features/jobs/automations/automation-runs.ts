import type { CodeHost } from "#hosts/code-host.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { AutomationTriggerKind } from "#db/tables/jobs.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobId, newJobId, type ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { type Automation, requireAutomation } from "./automations.ts";
import { nextSlot } from "./cron.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import type { Job } from "#features/jobs/job.ts";
import { jobFromRow } from "#features/jobs/job-rows.ts";
import { unarchiveIn } from "#features/jobs/requests/lifecycle.ts";
import {
  announceMessage,
  insertJob,
  insertMessage,
  lastMessage,
  type SubmitDeps,
  type Submitted,
} from "#features/jobs/requests/submit.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";

export interface AutomationRunDeps {
  submit: SubmitDeps;
  codeHost: Pick<CodeHost, "getPullRequest">;
  findProject(id: ProjectId): Promise<Project | null>;
  /** The model that a job will use; `AppError invalid` for one that may not be used. */
  chooseModel(project: Project, asked: string | null): string;
}

export interface AutomationRun {
  number: number;
  startedBy: AutomationTriggerKind;
  startedAt: Date;
  jobId: JobId | null;
  /** Number of the run's message in the job: 1 created the job, a later one adds to its pull request. */
  messageSeq: number | null;
  /** Why there is no job. */
  note: string | null;
  /** How often the run was retried after an outage, and when last. */
  retries: number;
  retriedAt: Date | null;
}

export interface RunRequest {
  by: AutomationTriggerKind;
  /** The due time that this run claims, so that only one of several nodes runs it. Null for a run by hand or over HTTP. */
  dueAt: Date | null;
  /** The key of an HTTP request. Its outcome is the job's id, unless `outcomeOf` returns another. */
  idempotency?: IdempotencyKey | null;
  outcomeOf?(run: { jobId: JobId; number: number }): string;
}

export type RunOutcome =
  | ({ outcome: "started"; number: number } & Submitted)
  | { outcome: "skipped"; note: string }
  /** Another node claimed the due time, or the automation was changed. */
  | { outcome: "lost" };

/** The commits of a source that a run covers. */
export interface SourceRange {
  source: string;
  base: string;
  head: string;
}

type Target = { kind: "new" } | { kind: "message"; job: Job } | { kind: "skip"; note: string };

const MAX_TRIES = 5;

/**
 * Runs an automation once: as a follow-up to its latest job while that job is active or its pull request is open, so
 * that at most one pull request is open; otherwise as a new job. One transaction writes the run, its job or message and
 * the claim of the due time. A run is skipped while an earlier one still waits. `AppError rate_limited`, `not_found`,
 * `invalid` (its model may no longer be used), `unavailable` (the code host does not answer), `idempotency_mismatch`.
 */
export async function runAutomation(
  deps: AutomationRunDeps,
  automation: Automation,
  request: RunRequest,
): Promise<RunOutcome> {
  let current = automation;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const outcome = await tryRun(deps, current, request);
    if (outcome) return outcome;
    // The automation has run or was changed since it was read.
    current = await requireAutomation(deps.submit, { projectId: automation.projectId, automationId: automation.id });
    if (request.dueAt !== null && current.dueAt?.getTime() !== request.dueAt.getTime()) return { outcome: "lost" };
  }
  throw new AppError("conflict", "This automation is being run by others at the same time. Try again.");
}

/** Rolls back the transaction of a run: another process ran or changed the automation first. */
class LostRun extends Error {}

async function tryRun(
  deps: AutomationRunDeps,
  automation: Automation,
  request: RunRequest,
): Promise<RunOutcome | null> {
  const { database, clock } = deps.submit;
  const { idempotency = null } = request;
  const project = await deps.findProject(automation.projectId);
  if (!project) return { outcome: "lost" };
  const { trigger, pending } = automation;
  const isOfSource = "source" in trigger;
  const range = isOfSource && pending ? { source: trigger.source, ...pending } : null;
  const target: Target =
    isOfSource && !range && request.dueAt !== null
      ? { kind: "skip", note: "An earlier run covered these commits." }
      : await findTarget(deps, automation, project);
  // A scheduled or push run may be skipped: the waiting run sees the same commits. A range of a source has to wait.
  if (target.kind === "skip" && (request.dueAt === null || range)) throw new AppError("conflict", target.note);
  const model = target.kind === "new" ? deps.chooseModel(project, automation.model) : "";
  const now = clock.now();
  const attempt = database.transaction(async (transaction): Promise<RunOutcome | null> => {
    const jobId = target.kind === "message" ? target.job.id : newJobId(now);
    const outcome = request.outcomeOf?.({ jobId, number: automation.runs + 1 }) ?? jobId;
    await claimKey(transaction, idempotency, { outcome, at: now.getTime() });
    if (!(await takeRun(transaction, automation, { ...request, now }))) throw new LostRun();
    const submitted = await submitTo(transaction, deps, { automation, project, target, jobId, model, now });
    await transaction
      .insertInto("automation_run")
      .values({
        automation_id: automation.id,
        number: automation.runs + 1,
        started_by: request.by,
        due_at: (request.dueAt ?? now).getTime(),
        started_at: now.getTime(),
        job_id: submitted?.job.id ?? null,
        message_seq: submitted?.job.messageCount ?? null,
        note: target.kind === "skip" ? target.note : null,
        source_range: range && JSON.stringify(range),
      })
      .execute();
    if (submitted) return { outcome: "started", number: automation.runs + 1, ...submitted };
    return { outcome: "skipped", note: target.kind === "skip" ? target.note : "" };
  });
  const outcome = await attempt.catch((error: unknown) => {
    if (error instanceof LostRun) return null;
    if (error instanceof AppError && error.code === "not_found") return null; // the job was deleted meanwhile
    throw error;
  });
  if (outcome?.outcome === "started") announceMessage(database, lastMessage(outcome.job));
  return outcome;
}

async function findTarget(deps: AutomationRunDeps, automation: Automation, project: Project): Promise<Target> {
  const row = await deps.submit.database.kysely
    .selectFrom("job")
    .selectAll()
    .where("automation_id", "=", automation.id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return { kind: "new" };
  const job = jobFromRow(row);
  if (job.status === "active") {
    const waiting = job.messageCount - job.handledCount;
    if (waiting < 2) return { kind: "message", job };
    return { kind: "skip", note: `An earlier run is still waiting in job ${job.id}.` };
  }
  if (!job.pullRequest) return { kind: "new" };
  const repository = hostedRepository(project);
  const pullRequest = await deps.codeHost.getPullRequest(repository, job.pullRequest.number);
  return pullRequest?.state === "open" ? { kind: "message", job } : { kind: "new" };
}

/** Counts the run and claims its due time, if any. Returns false when the automation has changed since it was read. */
async function takeRun(
  transaction: DatabaseTransaction,
  automation: Automation,
  { dueAt, now }: RunRequest & { now: Date },
): Promise<boolean> {
  const { trigger, enabled, pending } = automation;
  const next = trigger.kind === "schedule" && enabled ? nextSlot(trigger, now) : null;
  const taken = { due_at: next?.getTime() ?? null, due_by: next ? ("schedule" as const) : null };
  let query = transaction
    .updateTable("automation")
    .set({ runs: automation.runs + 1, ...(pending && { from_commit: null }), ...(dueAt !== null && taken) })
    .where("id", "=", automation.id)
    .where("runs", "=", automation.runs)
    .where("updated_at", "=", automation.updatedAt.getTime());
  // More commits may have arrived meanwhile.
  if (pending) query = query.where("from_commit", "=", pending.base).where("seen_commit", "=", pending.head);
  if (dueAt !== null) query = query.where("due_at", "=", dueAt.getTime());
  return (await query.returning("id").executeTakeFirst()) !== undefined;
}

async function submitTo(
  transaction: DatabaseTransaction,
  deps: AutomationRunDeps,
  options: { automation: Automation; project: Project; target: Target; jobId: JobId; model: string; now: Date },
): Promise<Submitted | null> {
  const { automation, project, target, now } = options;
  const { prompt, effort } = automation;
  if (target.kind === "skip") return null;
  if (target.kind === "message") {
    const name = { projectId: project.id, jobId: target.job.id };
    await unarchiveIn(transaction, deps.submit, name);
    return insertMessage(transaction, deps.submit, { ...name, prompt, effort, now });
  }
  return insertJob(transaction, deps.submit, {
    id: options.jobId,
    now,
    projectId: project.id,
    prompt,
    effort,
    model: options.model,
    baseRef: automation.ref ?? project.branch,
    draft: automation.draft,
    title: automation.name,
    automationId: automation.id,
  });
}

/** The current state of the jobs of these runs, without deleted jobs. */
export async function jobsOfRuns(
  { kysely }: Pick<Database, "kysely">,
  runs: readonly Pick<AutomationRun, "jobId">[],
): Promise<Map<JobId, Job>> {
  const ids = runs.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
  if (ids.length === 0) return new Map();
  const rows = await kysely.selectFrom("job").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, jobFromRow(row)]));
}

/** Runs of an automation with a number below `before`, newest first. */
export async function listRuns(
  { database }: { database: Database },
  options: { automationId: string; before: number | null; limit: number },
): Promise<{ runs: AutomationRun[]; hasMore: boolean }> {
  let query = database.kysely
    .selectFrom("automation_run")
    .selectAll()
    .where("automation_id", "=", options.automationId)
    .orderBy("number", "desc")
    .limit(options.limit + 1);
  if (options.before !== null) query = query.where("number", "<", options.before);
  const rows = await query.execute();
  const runs = rows.slice(0, options.limit).map((row) => ({
    number: row.number,
    startedBy: row.started_by,
    startedAt: new Date(row.started_at),
    jobId: row.job_id as JobId | null,
    messageSeq: row.message_seq,
    note: row.note,
    retries: row.retries,
    retriedAt: row.retried_at === null ? null : new Date(row.retried_at),
  }));
  return { runs, hasMore: rows.length > options.limit };
}
