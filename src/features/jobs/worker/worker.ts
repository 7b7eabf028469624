import { type Database, isUnwritable } from "#db/database.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import { type Bell, createBell } from "#lib/waiting/bell.ts";
import { createActivity } from "#lib/activity.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import { MachineBusy } from "#lib/waiting/machine-busy.ts";
import { createKeyedMutex } from "#lib/waiting/mutex.ts";
import { type JobId, newId, type ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import type { Project } from "#features/projects/project.ts";
import { keepsWork } from "#features/jobs/requests/cancel.ts";
import { Cancelled, startClaimWatch } from "./claim-watch.ts";
import { finishTurn } from "#features/jobs/turn/finish-turn.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { type Claim, claimJob, LostClaim, releaseJob } from "#features/jobs/queue/queue.ts";
import { holdJobForProvider, ProviderAway, StandInNeeded } from "#features/jobs/turn/provider-outage.ts";
import { lastDelivered } from "#features/jobs/turn/turn-history.ts";
import type { TurnDeps } from "#features/jobs/turn/turns.ts";

export interface WorkerDeps extends StoreDeps, TurnDeps {
  database: Database;
  logger: Logger;
  findProject(id: Claim["job"]["projectId"]): Promise<Project | null>;
  /** Processes one message; see `runTurn`. */
  runTurn(turn: { claim: Claim; project: Project; signal: AbortSignal; stop?: JobError }): Promise<void>;
}

export interface WorkerOptions {
  /** Concurrent jobs in this process; `heldUpMs` can add one more. 0 = this process runs no jobs. */
  atOnce: number;
  /** How long one project may hold all slots before another project gets an additional slot; default one minute. */
  heldUpMs?: number;
  leaseMs: number;
  /** Attempts without progress after which an error ends the job. */
  maxAttempts: number;
  /**
   * How many workers may die at one place of a turn before the job is given up; default 2. The job may not be the cause: a
   * process that is killed takes all its jobs along. So jobs with which a worker died run one at a time, and a job that
   * makes progress between two deaths is not suspected.
   */
  maxDeaths?: number;
}

export interface Worker extends AsyncDisposable {
  /** Stops claiming and releases running jobs, each after its current step. */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
const BUSY_PAUSE_MS = 5_000;
const HELD_UP_MS = 60_000;
const STORE_PAUSE_MS = 10_000;
/** A job without progress for this long uses up attempts again, even while the store has trouble. */
const STORE_PATIENCE_MS = 24 * 3_600_000;
const MAX_DEATHS = 2;

const FORBIDDEN_HINT = "Fix the project's connection to its code host, then send a follow-up message.";
const TOO_LARGE_HINT = "Make the branch smaller, or create the job with another `ref`.";

/**
 * Our own disk is full or read-only, the object storage is unavailable, or the repository is missing: not the job's fault,
 * and people must fix it.
 */
function isStoreTrouble(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const isOurs = (one: unknown) => one instanceof RepositoryMissing || one instanceof StorageUnavailable;
  return [error, cause].some((one) => isOurs(one) || isDiskFull(one) || isUnwritable(one));
}

/** The code host is unavailable or refuses: not this server's fault, and its message is meant for people. */
const isHostTrouble = (error: unknown): error is AppError =>
  error instanceof AppError && ["unavailable", "forbidden", "rate_limited"].includes(error.code);

const isAskedToWait = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "rate_limited" && error.retryAfterSeconds !== undefined;

class Stopping extends Error {}

/** Claims that ended: how long the job waited for its first attempt (null for a later one), and how long it ran. */
export const jobRuns = createMeasure<{
  projectId: ProjectId;
  jobId: JobId;
  attempt: number;
  waitedSeconds: number | null;
  seconds: number;
  /** Undefined if it was not traced. */
  traceId: string | undefined;
}>("job run");

/** Work on one message of a job by one worker, for as long as it holds the claim. */
export const jobTurns = createActivity<{
  projectId: ProjectId;
  jobId: JobId;
  /** The number of the message. */
  seq: number;
  attempt: number;
  waitedSeconds: number | null;
  /** Why the claim was released before the message was handled. */
  released?: "stopping" | "provider" | "other model" | "machine" | "store" | "code host" | "error" | "lost";
  /** Set by a follower, for the log. */
  traceId?: string;
}>("job turn");

type Turn = Parameters<typeof jobTurns.run>[0];

/** Claims and runs jobs until stopped. A lost wake-up costs one poll interval. */
export function startWorker(deps: WorkerDeps, options: WorkerOptions): Worker {
  const { database, logger } = deps;
  const { maxDeaths = MAX_DEATHS, heldUpMs = HELD_UP_MS } = options;
  const owner = database.nodeId ?? newId("wrk");
  const stopping = new AbortController();
  const bells = Array.from({ length: options.atOnce }, createBell);
  /** The claims that hold the slots, with the time when each took its slot. */
  const held = new Map<Claim, number>();
  const ringAll = () => {
    for (const bell of [...bells, spare]) bell.ring();
  };
  const claims = startClaimWatch(deps, options);
  const unsubscribe = database.wakeUp.subscribe("job", ringAll);
  const trouble = createLastingTrouble(logger, "jobs could not be claimed");
  const claiming = createKeyedMutex();
  // Jobs with which a worker died run one at a time, so that an innocent one does not die with the deadly one again.
  let suspect: Claim | null = null;
  const slots = bells.map((bell) => runSlot(bell, () => claimNext()));
  // An additional slot for another project when one holds all slots without progress, because a model or files do not arrive.
  const spare = createBell();
  if (options.atOnce > 0) slots.push(runSlot(spare, () => claimForSpare(held)));

  async function runSlot(bell: Bell, next: () => Promise<Claim | null | undefined>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const claim = await claiming.run("", next);
        if (claim !== undefined) trouble.worked();
        if (claim) await hold(claim, bell);
        else await bell.wait(POLL_MS, stopping.signal);
      } catch (error) {
        trouble.failed(error);
        await bell.wait(POLL_MS, stopping.signal);
      }
    }
  }

  async function hold(claim: Claim, bell: Bell): Promise<void> {
    const startMs = performance.now();
    if (bell !== spare) held.set(claim, startMs);
    const waitedMs = deps.clock.now().getTime() - claim.job.updatedAt.getTime();
    const waitedSeconds = claim.attempt === 1 ? Math.max(0, waitedMs) / 1_000 : null;
    const { jobId, attempt } = claim;
    const { projectId, handledCount } = claim.job;
    const turn: Turn = { projectId, jobId, seq: handledCount + 1, attempt, waitedSeconds };
    try {
      await jobTurns.run(turn, () => carry(claim, turn));
    } finally {
      const { traceId } = turn;
      jobRuns.publish({ projectId, jobId, attempt, waitedSeconds, seconds: secondsSince(startMs), traceId });
      held.delete(claim);
      suspect = suspect === claim ? null : suspect;
    }
  }

  /** Undefined when no additional slot is due and the store was not queried. */
  async function claimForSpare(places: ReadonlyMap<Claim, number>): Promise<Claim | null | undefined> {
    const [first, ...others] = [...places.keys()].map(({ job }) => job.projectId);
    const isOfOne = first !== undefined && others.every((project) => project === first);
    const since = Math.max(...places.values());
    const isHeldUp = places.size === options.atOnce && performance.now() - since >= heldUpMs;
    return isOfOne && isHeldUp ? claimNext(first) : undefined;
  }

  async function claimNext(except?: ProjectId): Promise<Claim | null> {
    await claims.extendDue();
    const claim = await claimJob(deps, { owner, leaseMs: options.leaseMs, withDeaths: suspect === null, except });
    if (claim && claim.deaths > 0) suspect = claim;
    return claim;
  }

  async function carry(claim: Claim, turn: Turn): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, stopping.signal]);
    using _watch = claims.watch(claim, controller);
    try {
      if (claim.isCancelled) throw new Cancelled();
      if (claim.deaths > maxDeaths) {
        logger.error({ jobId: claim.jobId, deaths: claim.deaths }, "job was given up, as its workers died");
        const message = `The server ended ${claim.deaths} times at the same place of this turn, so it was given up.`;
        return await giveUp(claim, jobError("worker_died", message));
      }
      const project = await deps.findProject(claim.job.projectId);
      if (!project) return;
      await deps.runTurn({ claim, project, signal });
    } catch (error) {
      await handleFailure(claim, signal.aborted ? signal.reason : error, turn);
    }
  }

  const isRecent = ({ job }: Claim) => deps.clock.now().getTime() - job.updatedAt.getTime() < STORE_PATIENCE_MS;

  async function handleFailure(claim: Claim, error: unknown, turn: Turn): Promise<void> {
    const fields = { jobId: claim.jobId, attempt: claim.attempt };
    const release = (released: NonNullable<Turn["released"]>, how: Parameters<typeof releaseJob>[2]) => {
      turn.released = released;
      return releaseJob(deps, claim, how);
    };
    try {
      if (error instanceof LostClaim) {
        turn.released = "lost";
        logger.info(fields, "job claim lost");
      } else if (error instanceof Stopping) {
        await release("stopping", { delayMs: 0, undoAttempt: true });
      } else if (error instanceof Cancelled) {
        await endCancelled(claim);
      } else if (error instanceof ProviderAway) {
        const { provider, reason, retryAt } = error.waiting;
        logger.warn({ ...fields, provider, reason, retryAt }, "job waits for its model's provider");
        turn.released = "provider";
        await holdJobForProvider(deps, claim, error);
      } else if (error instanceof StandInNeeded) {
        logger.warn({ ...fields, reason: error.message }, "job continues with another model");
        await release("other model", { delayMs: 0, undoAttempt: true });
      } else if (error instanceof MachineBusy) {
        logger.warn({ ...fields, err: error }, "job turn was released because the machine is busy");
        await release("machine", { delayMs: BUSY_PAUSE_MS, undoAttempt: true });
      } else if (isStoreTrouble(error) && isRecent(claim)) {
        logger.warn({ ...fields, reason: errorText(error) }, "job turn waits for the store");
        await release("store", { delayMs: STORE_PAUSE_MS, undoAttempt: true });
      } else if (isAskedToWait(error) && isRecent(claim)) {
        const seconds = Math.max(1, error.retryAfterSeconds ?? 1);
        logger.warn({ ...fields, seconds }, "job turn waits for the limits of its code host");
        await release("code host", { delayMs: seconds * 1_000, undoAttempt: true });
      } else if (error instanceof AppError && error.code === "too_large") {
        logger.info({ ...fields, reason: error.message }, "job met something too large");
        await giveUp(claim, jobError("impossible", error.message, TOO_LARGE_HINT));
      } else if (claim.attempt < options.maxAttempts) {
        const delayMs = Math.min(MAX_BACKOFF_MS, 500 * 2 ** claim.attempt);
        logger.warn({ ...fields, err: error, delayMs }, "job turn failed and will be tried again");
        await release("error", { delayMs, undoAttempt: false });
      } else {
        logger.error({ ...fields, err: error }, "job turn failed and was given up");
        if (isHostTrouble(error)) {
          const isForbidden = error.code === "forbidden";
          const ended = jobError("code_host_error", error.message, isForbidden ? FORBIDDEN_HINT : undefined);
          await giveUp(claim, isForbidden ? ended : { ...ended, outage: true });
        } else await giveUp(claim, jobError("internal", "The server failed to carry out the job."));
      }
    } catch (second) {
      // The lease expires, and another claim continues from the last stored step.
      if (!(second instanceof LostClaim)) logger.error({ ...fields, err: second }, "job could not be released");
    }
  }

  // The messages that the model received are part of the failed turn, as in one that fails by itself.
  const giveUp = async (claim: Claim, error: JobError) => {
    const turn = claim.job.handledCount + 1;
    const handledSeq = (await lastDelivered(deps, claim, turn)) ?? turn;
    await finishTurn(deps, { claim, turn, outcome: { ok: false, error, handledSeq } });
  };

  /** Publishing may fail as often as in any other turn. After that the work is dropped. */
  async function endCancelled(claim: Claim): Promise<void> {
    const message = "The job was cancelled.";
    const isKept =
      claim.attempt <= options.maxAttempts && claim.deaths <= maxDeaths && (await keepsWork(deps, claim.jobId));
    const project = isKept ? await deps.findProject(claim.job.projectId) : null;
    if (!project) return giveUp(claim, jobError("cancelled", message));
    try {
      await deps.runTurn({ claim, project, signal: stopping.signal, stop: jobError("cancelled", message) });
    } catch (error) {
      if (error instanceof LostClaim) throw error;
      const isStopping = stopping.signal.aborted;
      if (!isStopping) logger.warn({ jobId: claim.jobId, err: error }, "a cancelled job's work could not be published");
      await releaseJob(deps, claim, { delayMs: 0, undoAttempt: isStopping });
    }
  }

  const stop = async () => {
    stopping.abort(new Stopping());
    ringAll();
    await Promise.all(slots);
    await claims[Symbol.asyncDispose]();
    unsubscribe();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
