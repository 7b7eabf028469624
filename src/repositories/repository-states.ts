import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { RepositoryState } from "./repository-reads.ts";

const MAX_BATCH = 1_000;

/**
 * Reads the state of a repository; null for an unknown one. Each site reads its own four times a second, so calls that
 * arrive during a query share the next one. A result is never older than its call.
 */
export function createRepositoryStates({ kysely }: Pick<Database, "kysely">) {
  type Waiting = Map<ProjectId, PromiseWithResolvers<RepositoryState | null>>;
  let waiting: Waiting = new Map();
  let isReading = false;

  async function answer(batch: Waiting): Promise<void> {
    try {
      const rows = await kysely
        .selectFrom("repository")
        .select(["id", "version", "packs"])
        .where("id", "in", [...batch.keys()])
        .execute();
      const found = new Map(rows.map(({ id, ...state }) => [id, state]));
      for (const [id, { resolve }] of batch) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  async function readAll(): Promise<void> {
    await Promise.resolve(); // calls of the same tick share a query
    while (waiting.size > 0) {
      const batch = new Map([...waiting].slice(0, MAX_BATCH));
      waiting = new Map([...waiting].slice(MAX_BATCH));
      await answer(batch);
    }
    isReading = false;
  }

  return (id: ProjectId): Promise<RepositoryState | null> => {
    const asked = waiting.get(id) ?? Promise.withResolvers<RepositoryState | null>();
    waiting.set(id, asked);
    if (!isReading) {
      isReading = true;
      void readAll();
    }
    return asked.promise;
  };
}
