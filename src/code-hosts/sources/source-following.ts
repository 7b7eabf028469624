import { AppError } from "#lib/app-error.ts";
import type { SourceId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createBell } from "#lib/waiting/bell.ts";
import { findSourceWithToken, mirrorOf } from "./sources.ts";
import { type SourceDeps, syncSource } from "./sync-source.ts";

export interface SourceFollowingDeps extends SourceDeps {
  logger: Logger;
}

/** Keeps the mirrors of sources as their repositories are. */
export interface SourceFollowing {
  /** Has a source looked at as soon as can be, as after its webhook. */
  hint(id: SourceId): void;
  /** Begins to look, until disposed. */
  start(): AsyncDisposable;
}

const TICK_MS = 1_000;
const LOOK_EVERY_MS = 60_000;
const LOOK_AFTER_TROUBLE_MS = 5 * 60_000;
/** Fewer than projects have: nobody waits for a source as for a page. One project's sources are ten at most. */
const AT_ONCE = 4;

/** Any number of processes may do it on one store: each look is taken by one of them. */
export function createSourceFollowing(deps: SourceFollowingDeps): SourceFollowing {
  const stopping = new AbortController();
  const looking = new Map<SourceId, Promise<void>>();
  const hinted = new Set<SourceId>();
  const bell = createBell();
  const trouble = createLastingTrouble(deps.logger, "sources could not be followed");

  const begin = (id: SourceId) => {
    const look = lookAt(deps, id, stopping.signal)
      .catch((error: unknown) => deps.logger.error({ err: error, source: id }, "source not followed"))
      .finally(() => {
        looking.delete(id);
        if (hinted.size > 0) bell.ring();
      });
    looking.set(id, look);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        for (const id of hinted) {
          if (looking.size >= AT_ONCE) break;
          if (looking.has(id)) continue;
          hinted.delete(id);
          begin(id);
        }
        for (const id of await takeDue(deps, AT_ONCE - looking.size)) {
          if (!looking.has(id)) begin(id);
        }
        trouble.worked();
      } catch (error) {
        trouble.failed(error);
      }
      await bell.wait(TICK_MS, stopping.signal);
    }
  };
  return {
    hint(id) {
      hinted.add(id);
      bell.ring();
    },
    start() {
      const loop = run();
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort();
          await loop;
          await Promise.all(looking.values());
        },
      };
    },
  };
}

async function lookAt(deps: SourceFollowingDeps, id: SourceId, signal: AbortSignal): Promise<void> {
  try {
    const source = await findSourceWithToken(deps, id);
    if (!source) return;
    const hasMoved = await syncSource(deps, source, { signal });
    await record(deps, id, null);
    if (hasMoved) deps.database.wakeUp.notify("repository", mirrorOf(source));
    // Removed meanwhile: what was fetched goes too.
    if (!(await findSourceWithToken(deps, id))) await deps.repoStore.remove(mirrorOf(source));
  } catch (error) {
    if (signal.aborted) return; // the next server looks again
    if (!(error instanceof AppError)) deps.logger.error({ err: error, source: id }, "source not followed");
    const words = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
    await record(deps, id, words);
  }
}

async function record({ database, clock }: SourceDeps, id: SourceId, trouble: string | null): Promise<void> {
  const now = clock.now().getTime();
  await database.kysely
    .updateTable("source")
    .set({ tried_at: now, trouble, ...(trouble === null && { synced_at: now }) })
    .where("id", "=", id)
    .execute();
}

/** Sources whose turn it is, marked as looked at now so that no other process takes them. */
async function takeDue({ database, clock }: SourceDeps, limit: number): Promise<SourceId[]> {
  if (limit <= 0) return [];
  const now = clock.now().getTime();
  const due = await database.kysely
    .selectFrom("source")
    .select(["id", "tried_at"])
    .where((is) =>
      is.or([
        is("tried_at", "is", null),
        is.and([is("trouble", "is", null), is("tried_at", "<=", now - LOOK_EVERY_MS)]),
        is("tried_at", "<=", now - LOOK_AFTER_TROUBLE_MS),
        // The clock was ahead once.
        is("tried_at", ">", now + LOOK_EVERY_MS),
      ]),
    )
    .orderBy("tried_at")
    .limit(limit)
    .execute();
  const taken: SourceId[] = [];
  for (const { id, tried_at } of due) {
    const row = await database.kysely
      .updateTable("source")
      .set({ tried_at: now })
      .where("id", "=", id)
      .where("tried_at", tried_at === null ? "is" : "=", tried_at)
      .returning("id")
      .executeTakeFirst();
    if (row) taken.push(row.id);
  }
  return taken;
}
