import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ObjectId } from "#git/objects/objects.ts";

/** Fetches blobs that mirrors do not have. */
export interface MissingBlobs {
  /** Waits until the blobs are fetched; those that the host does not have stay missing. `AppError unavailable`. */
  fetch(project: ProjectId, oids: readonly ObjectId[]): Promise<void>;
}

interface Batch {
  oids: Set<ObjectId>;
  done: Promise<void>;
}

const MAX_BATCH = 5_000;
const MAX_REMEMBERED_FAILURES = 1_000;

/**
 * Runs one `fetch` at a time per project; blobs requested meanwhile form the next batch. After a failure, no request is
 * sent to the host for `restMs`. A caller waits at most `patienceMs`; the fetch itself continues.
 */
export function createMissingBlobs(deps: {
  fetch(project: ProjectId, take: () => ObjectId[]): Promise<void>;
  patienceMs: number;
  restMs: number;
}): MissingBlobs {
  const batches = new Map<ProjectId, Batch>();
  const failures = createLruCache<ProjectId, { error: unknown; untilMs: number }>({
    maxWeight: MAX_REMEMBERED_FAILURES,
  });

  /** The batch that has not started yet, which further requests join. */
  const nextBatch = (project: ProjectId): Batch => {
    const open = batches.get(project);
    if (open) return open;
    const oids = new Set<ObjectId>();
    const take = () => {
      batches.delete(project);
      return [...oids];
    };
    const done = deps.fetch(project, take).catch((error: unknown) => {
      batches.delete(project);
      failures.set(project, { error, untilMs: performance.now() + deps.restMs });
      throw error;
    });
    done.catch(() => undefined); // all callers may have stopped waiting
    const batch = { oids, done };
    batches.set(project, batch);
    return batch;
  };

  return {
    async fetch(project, oids) {
      const failure = failures.get(project);
      if (failure && performance.now() < failure.untilMs) throw unavailable(failure.error);
      const batch = nextBatch(project);
      if (batch.oids.size + oids.length > MAX_BATCH && batch.oids.size > 0) throw unavailable(null);
      for (const oid of oids) batch.oids.add(oid);
      await patiently(batch.done, deps.patienceMs);
    },
  };
}

async function patiently(done: Promise<void>, patienceMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The host has not responded in time.")), patienceMs);
  try {
    await Promise.race([done, late]);
  } catch (error) {
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause: unknown): AppError {
  const message = "This file is at the project's code host, which is not serving it at the moment.";
  return new AppError("unavailable", message, { cause, retryAfterSeconds: 30 });
}
