import type { CircuitBreaker, Outage } from "#models/circuit-breaker.ts";
import type { ModelFailure } from "#models/failure.ts";
import type { ResolvedModel } from "#models/model.ts";
import { type JobError, jobError, type Waiting } from "#features/jobs/job.ts";
import type { JobLimits } from "#features/jobs/job-limits.ts";
import { type Claim, releaseJob } from "#features/jobs/queue/queue.ts";
import { resumeWaiting } from "#features/jobs/transitions/by-workers.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { recordProgress, type Turn, type TurnDeps } from "./turns.ts";

export interface OutageDeps extends TurnDeps {
  breaker: CircuitBreaker;
  limits: Pick<JobLimits, "outageMs">;
}

/** The provider of a job's model does not answer: the job gives its place to another and goes on later. */
export class ProviderAway extends Error {
  readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    super(waiting.reason);
    this.name = "ProviderAway";
    this.waiting = waiting;
  }
}

/**
 * Throws `ProviderAway` while the provider is known not to answer. Returns why the job has to end when it has waited for
 * as long as a job may wait, and null when it may ask.
 */
export function holdWhileAway(deps: OutageDeps, claim: Claim, model: ResolvedModel): JobError | null {
  const outage = deps.limits.outageMs > 0 && !model.isBuiltin ? deps.breaker.hold(model.credential) : null;
  // A wait that goes on is counted from where it began.
  return outage && waitOrGiveUp(deps, claim, { model, outage, heldAt: claim.job.waiting?.heldAt });
}

/** The same after a call that failed. */
export function holdAfterFailure(
  deps: OutageDeps,
  claim: Claim,
  model: ResolvedModel,
  failure: ModelFailure,
): JobError {
  const outage = deps.breaker.failed(model.credential, failure);
  return waitOrGiveUp(deps, claim, { model, outage });
}

function waitOrGiveUp(
  { clock, limits }: OutageDeps,
  { job }: Claim,
  { model, outage, heldAt }: { model: ResolvedModel; outage: Outage; heldAt?: Date | null | undefined },
): JobError {
  const { failure, until } = outage;
  const now = clock.now();
  const since = job.waiting?.since ?? now;
  if (until.getTime() - since.getTime() >= limits.outageMs) {
    const minutes = Math.round((now.getTime() - since.getTime()) / 60_000);
    const waited = minutes === 0 ? "" : ` The job waited for ${minutes} minutes.`;
    return jobError("model_error", `${failure.message}${waited}`, failure.hint);
  }
  const provider = model.name.split("/", 1)[0] ?? model.name;
  throw new ProviderAway({
    provider,
    code: failure.code,
    reason: failure.message,
    since,
    heldAt: heldAt ?? now,
    retryAt: until,
  });
}

/** Others that wait for the same moment are spread over it. */
const SPREAD_MS = 2_000;

/** Gives a job back until its provider is tried again. Throws `LostClaim`. */
export async function holdJobForProvider(deps: TurnDeps, claim: Claim, { waiting }: ProviderAway): Promise<void> {
  const text = `${waiting.reason} The job waits for ${waiting.provider} and goes on by itself.`;
  const isFirst = claim.job.waiting === null;
  await recordProgress(deps, claim, {
    turn: claim.job.handledCount + 1,
    phase: "waiting",
    waiting,
    events: isFirst ? [{ type: "notice", code: waiting.code, text }] : [],
  });
  const delayMs = waiting.retryAt.getTime() - deps.clock.now().getTime() + Math.random() * SPREAD_MS;
  await releaseJob(deps, claim, { delayMs, undoAttempt: true });
}

/** Adds the time that a turn was held to what it has waited for, once. */
export async function countWaitedTime(deps: TurnDeps, claim: Claim, turn: Turn): Promise<Turn> {
  const { waiting } = claim.job;
  if (!waiting?.heldAt) return turn;
  const held = deps.clock.now().getTime() - Math.max(waiting.heldAt.getTime(), turn.startedAt.getTime());
  const waitedMs = turn.waitedMs + Math.max(0, held);
  await recordProgress(deps, claim, {
    turn: turn.turn,
    waitedMs,
    waiting: { ...waiting, heldAt: null },
    events: [],
  });
  return { ...turn, waitedMs };
}

/** A provider answers again: the jobs that wait for one are due at once. Those of another provider are held again. */
export async function endWaits(deps: StoreDeps, claim: Claim): Promise<void> {
  await resumeWaiting(deps);
  deps.database.wakeUp.notify("job", claim.jobId);
}
