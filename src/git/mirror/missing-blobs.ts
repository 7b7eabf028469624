import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ObjectId } from "#git/objects/objects.ts";

/** Brings blobs that mirrors do not hold. */
export interface MissingBlobs {
  /** Waits until they were fetched; those that the host does not have stay missing. `AppError unavailable`. */
  bring(project: ProjectId, oids: readonly ObjectId[]): Promise<void>;
}

interface Batch {
  oids: Set<ObjectId>;
  done: Promise<void>;
}

const MAX_BATCH = 5_000;
const MAX_REMEMBERED_FAILURES = 1_000;

/**
 * What is asked for while a fetch is under way waits for the next one, together: `fetch` runs once at a time for a project.
 * After a failure nobody asks the host again for `restMs`. Nobody waits longer than `patienceMs`; the fetch goes on.
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

  /** The batch that has not begun, which a further one joins. */
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
    done.catch(() => undefined); // those who wait may have gone
    const batch = { oids, done };
    batches.set(project, batch);
    return batch;
  };

  return {
    async bring(project, oids) {
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
  const timer = setTimeout(() => reject(new Error("The host takes its time.")), patienceMs);
  try {
    await Promise.race([done, late]);
  } catch (error) {
    throw unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause: unknown): AppError {
  const message = "This file is at the project's code host, which does not hand it out at the moment.";
  return new AppError("unavailable", message, { cause, retryAfterSeconds: 30 });
}
