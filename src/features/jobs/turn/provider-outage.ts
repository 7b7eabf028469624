import { counted } from "#lib/counted.ts";
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

/** The provider of a job's model stopped answering, and another model can continue: the job is claimed again for it. */
export class StandInNeeded extends Error {
  override name = "StandInNeeded";
}

/** The provider of a job's model does not answer: the job releases its slot and continues later. */
export class ProviderAway extends Error {
  readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    super(waiting.reason);
    this.name = "ProviderAway";
    this.waiting = waiting;
  }
}

/** The model that continues a turn: the job's own, or the first stand-in whose provider answers. */
export interface ChosenModel {
  model: ResolvedModel;
  /** The outage that made a stand-in necessary; null for the job's own model. */
  standsInFor: Outage | null;
}

/**
 * Throws `ProviderAway` while no provider is known to answer. Returns an error when the job has waited for the maximum time.
 */
export function chooseModel(
  deps: OutageDeps,
  claim: Claim,
  [model, ...others]: readonly [ResolvedModel, ...ResolvedModel[]],
): ChosenModel | JobError {
  const outage = awayNow(deps, model);
  if (outage === null) return { model, standsInFor: null };
  const other = others.find((each) => each.credential !== model.credential && awayNow(deps, each) === null);
  if (other) return { model: other, standsInFor: outage };
  // A continued wait counts from its beginning.
  return waitOrGiveUp(deps, claim, { model, outage, heldAt: claim.job.waiting?.heldAt });
}

const awayNow = ({ limits, breaker }: OutageDeps, { isBuiltin, credential }: ResolvedModel): Outage | null =>
  limits.outageMs > 0 && !isBuiltin ? breaker.hold(credential) : null;

/** The same after a failed call. If another model can stand in, the job is released for it immediately. */
export function holdAfterFailure(
  deps: OutageDeps,
  claim: Claim,
  [model, ...others]: readonly [ResolvedModel, ...ResolvedModel[]],
  failure: ModelFailure,
): JobError {
  const outage = deps.breaker.failed(model.credential, failure);
  const isThere = ({ credential }: ResolvedModel) =>
    credential !== model.credential && !deps.breaker.isAway(credential);
  if (others.some(isThere)) throw new StandInNeeded(outage.failure.message);
  return waitOrGiveUp(deps, claim, { model, outage });
}

/** Records in the transcript that another model continues a job. */
export async function recordStandIn(
  deps: TurnDeps,
  claim: Claim,
  { turn, chosen: { model, standsInFor } }: { turn: Turn; chosen: ChosenModel },
): Promise<void> {
  if (!standsInFor) return;
  const text = `${standsInFor.failure.message} The job continues with ${model.name}.`;
  await recordProgress(deps, claim, { turn: turn.turn, events: [{ type: "notice", code: "model_fallback", text }] });
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
    const waited = minutes === 0 ? "" : ` The job waited for ${counted(minutes, "minute")}.`;
    return { ...jobError("model_error", `${failure.message}${waited}`, failure.hint), outage: true };
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

/** Jobs that wait for the same time are spread over this interval. */
const SPREAD_MS = 2_000;

/** Releases a job until its provider is tried again. Throws `LostClaim`. */
export async function holdJobForProvider(deps: TurnDeps, claim: Claim, { waiting }: ProviderAway): Promise<void> {
  const text = `${waiting.reason} The job waits for ${waiting.provider} and continues by itself.`;
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

/** Adds the time for which a turn was on hold to its waiting time, once. */
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

/** Makes waiting jobs due after a provider answers again. Jobs of other providers are put on hold again. */
export async function endWaits(deps: StoreDeps, claim: Claim): Promise<void> {
  await resumeWaiting(deps);
  deps.database.wakeUp.notify("job", claim.jobId);
}
