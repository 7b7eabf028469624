import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { RepositoryState } from "./repository-reads.ts";

const MAX_BATCH = 1_000;

/**
 * Reads states of repositories; null for one that is not there. Each site asks for its own four times a second, so what is asked
 * while a query is under way goes together into the next one. An answer is never older than its question.
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
    await Promise.resolve(); // those who ask at once go together
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
