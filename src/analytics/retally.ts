import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { readClients, type StoredClient } from "./client-label.ts";
import { decodeFacts, factAt } from "./facts.ts";
import type { createIndexStores } from "./index-store.ts";
import { facets } from "./labels.ts";
import { lockProject } from "./project-row.ts";
import { classOf, exclusions, factExclusions } from "./rules.ts";
import { createTally, tallyView } from "./tally.ts";

const FACT_FACETS = [facets.page, facets.client, facets.surface, facets.referrer, facets.verification];

interface RetallyDeps {
  database: Database;
  stores: ReturnType<typeof createIndexStores>;
  clients: ReadonlyMap<number, StoredClient>;
}

/** Counts the views of one day again from its facts, in one transaction; what left no facts stays as it was counted. */
export async function retallyDay(
  { database, stores, clients }: RetallyDeps,
  { projectId, day }: { projectId: ProjectId; day: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    const segments = await transaction
      .selectFrom("view_segment")
      .select("content")
      .where("project", "=", number)
      .where("day", "=", day)
      .execute();
    const tally = createTally();
    let known = clients;
    for (const { content } of segments) {
      const columns = decodeFacts(content);
      for (let index = 0; index < columns.rows; index++) {
        const fact = factAt(columns, index);
        if (!known.has(fact.client)) known = await readClients(transaction, number); // folded since
        const category = known.get(fact.client)?.category ?? "other_bot";
        tallyView(tally, { day, fact, ...classOf({ category, source: fact.source, surface: fact.surface }) });
      }
    }
    const ofDay = transaction.deleteFrom("view_tally").where("project", "=", number).where("day", "=", day);
    await ofDay.where("facet", "in", FACT_FACETS).execute();
    const reasons = factExclusions.map((reason) => exclusions[reason]);
    await ofDay.where("facet", "=", facets.excluded).where("item", "in", reasons).execute();
    await stores(transaction).addTallies(number, tally.rows());
  });
}
