import { createLookLoop, type LookLoop } from "#hosts/remote/look-loop.ts";
import { AppError } from "#lib/app-error.ts";
import type { SourceId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createToldTroubles, type ToldTroubles } from "#lib/told-troubles.ts";
import { findSourceWithToken, mirrorOf } from "./sources.ts";
import { type SourceDeps, syncSource } from "./sync-source.ts";

export interface SourceFollowingDeps extends SourceDeps {
  logger: Logger;
}

/** Keeps the mirrors of sources current. Their hosts send no webhooks here: each is looked at in turn. */
export function createSourceFollowing(deps: SourceFollowingDeps): Pick<LookLoop<SourceId>, "start"> {
  const troubles = createToldTroubles(deps.logger, { label: "source", message: "source not followed" });
  return createLookLoop<SourceId>(deps, {
    rows: { table: "source", id: "id" },
    messages: { one: "source not followed", all: "sources could not be followed" },
    look: (id, { signal }) => lookAt(deps, id, { troubles, signal }),
  });
}

async function lookAt(
  deps: SourceFollowingDeps,
  id: SourceId,
  { troubles, signal }: { troubles: ToldTroubles; signal: AbortSignal },
): Promise<void> {
  try {
    const source = await findSourceWithToken(deps, id);
    if (!source) return;
    const hasMoved = await syncSource(deps, source, { signal });
    await record(deps, id, null);
    troubles.worked(id);
    if (hasMoved) deps.database.wakeUp.notify("repository", mirrorOf(source));
  } catch (error) {
    // The next server looks again.
    if (!signal.aborted) {
      const words = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
      // A failure for a source that was removed meanwhile is not logged.
      if (await record(deps, id, words)) troubles.failed(id, words, error);
    }
  }
  // Removed meanwhile: remove the mirror that the look has recreated, also when its fetch failed or was aborted.
  if (!(await isThere(deps, id))) await deps.repoStore.remove(mirrorOf({ id }));
}

async function isThere({ database }: SourceDeps, id: SourceId): Promise<boolean> {
  const row = await database.kysely.selectFrom("source").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** False: the source is gone. */
async function record({ database, clock }: SourceDeps, id: SourceId, trouble: string | null): Promise<boolean> {
  const now = clock.now().getTime();
  const recorded = await database.kysely
    .updateTable("source")
    .set({ tried_at: now, trouble, ...(trouble === null && { synced_at: now }) })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return recorded !== undefined;
}
