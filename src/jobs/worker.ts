import type { Database } from "#db/database.ts";
import { type Bell, createBell } from "#lib/bell.ts";
import { errorText } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { Project } from "#projects/project.ts";
import { Cancelled, startClaimWatch } from "./claim-watch.ts";
import { finishTurn } from "./finish-turn.ts";
import { type FailCode, jobError } from "./job.ts";
import { isHostTrouble } from "./publish.ts";
import { type Claim, claimJob, LostClaim, type QueueDeps, releaseJob } from "./queue.ts";
import { lastDelivered } from "./turn-history.ts";
import type { TurnDeps } from "./turns.ts";

export interface WorkerDeps extends QueueDeps, TurnDeps {
  database: Database;
  logger: Logger;
  findProject(id: Claim["job"]["projectId"]): Promise<Project | null>;
  /** Carries one message to its end; see `runTurn`. */
  runTurn(turn: { claim: Claim; project: Project; signal: AbortSignal }): Promise<void>;
}

export interface WorkerOptions {
  /** Jobs of this process at the same time. 0 = this process serves only. */
  atOnce: number;
  leaseMs: number;
  /** Attempts without progress after which a job is given up: so many errors, or twice as many deaths of workers. */
  maxAttempts: number;
}

export interface Worker extends AsyncDisposable {
  /** Stops claiming and gives running jobs back, each after its current step. */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
// A worker that dies takes jobs along that did nothing to it: more patience than with errors of their own.
const DEATHS_PER_ATTEMPT = 2;

class Stopping extends Error {}

/** Claims and runs jobs until stopped. A lost wake-up costs one poll interval. */
export function startWorker(deps: WorkerDeps, options: WorkerOptions): Worker {
  const { database, logger } = deps;
  const owner = newId("wrk");
  const stopping = new AbortController();
  const bells = Array.from({ length: options.atOnce }, createBell);
  const ringAll = () => {
    for (const bell of bells) bell.ring();
  };
  const claims = startClaimWatch(deps, options);
  const unsubscribe = database.wakeUp.subscribe("job", ringAll);
  const slots = bells.map((bell) => runSlot(bell));

  async function runSlot(bell: Bell): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const claim = await claimJob(deps, { owner, leaseMs: options.leaseMs });
        if (claim) await carry(claim);
        else await bell.wait(POLL_MS, stopping.signal);
      } catch (error) {
        logger.error({ err: error }, "job worker failed");
        await bell.wait(POLL_MS, stopping.signal);
      }
    }
  }

  async function carry(claim: Claim): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, stopping.signal]);
    using _watch = claims.watch(claim, controller);
    try {
      if (claim.isCancelled) throw new Cancelled();
      if (claim.attempt > options.maxAttempts * DEATHS_PER_ATTEMPT) {
        await giveUp(claim, "internal", "The job ended the server's worker several times and was given up.");
        return;
      }
      const project = await deps.findProject(claim.job.projectId);
      if (!project) return;
      await deps.runTurn({ claim, project, signal });
    } catch (error) {
      await handleFailure(claim, signal.aborted ? signal.reason : error);
    }
  }

  async function handleFailure(claim: Claim, error: unknown): Promise<void> {
    const fields = { jobId: claim.jobId, attempt: claim.attempt };
    try {
      if (error instanceof LostClaim) {
        logger.info(fields, "job claim lost");
      } else if (error instanceof Stopping) {
        await releaseJob(deps, claim, { delayMs: 0, undoAttempt: true });
      } else if (error instanceof Cancelled) {
        await giveUp(claim, "cancelled", "The job was cancelled.");
      } else if (claim.attempt < options.maxAttempts) {
        const delayMs = Math.min(MAX_BACKOFF_MS, 500 * 2 ** claim.attempt);
        logger.warn({ ...fields, err: error, delayMs }, "job turn failed and will be tried again");
        await releaseJob(deps, claim, { delayMs, undoAttempt: false });
      } else {
        logger.error({ ...fields, err: error }, "job turn failed and was given up");
        if (isHostTrouble(error)) await giveUp(claim, "code_host_error", errorText(error));
        else await giveUp(claim, "internal", "The server failed to carry out the job.");
      }
    } catch (second) {
      // The lease runs out by itself; another claim goes on from the last stored step.
      if (!(second instanceof LostClaim)) logger.error({ ...fields, err: second }, "job could not be given back");
    }
  }

  // What the model was told is part of the failed turn, as in one that fails by itself.
  const giveUp = async (claim: Claim, code: FailCode, message: string) => {
    const turn = claim.job.handledCount + 1;
    const handledSeq = (await lastDelivered(deps, claim, turn)) ?? turn;
    await finishTurn(deps, { claim, turn, outcome: { ok: false, error: jobError(code, message), handledSeq } });
  };

  const stop = async () => {
    stopping.abort(new Stopping());
    ringAll();
    await Promise.all(slots);
    await claims[Symbol.asyncDispose]();
    unsubscribe();
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
