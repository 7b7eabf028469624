import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { readClients, type StoredClient } from "./client-label.ts";
import { nextMonthStart } from "./day.ts";
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
    // A month is summed up once all its days are right.
    const rows = tally.rows().filter((row) => row.facet !== facets.pageMonth);
    await stores(transaction).addTallies(number, rows);
  });
}

/** Sums the page views of a calendar month up again from its days. */
export async function retallyMonth(
  database: Database,
  { projectId, month }: { projectId: ProjectId; month: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    await transaction
      .deleteFrom("view_tally")
      .where("project", "=", number)
      .where("facet", "=", facets.pageMonth)
      .where("day", "=", month)
      .execute();
    await sql`
      insert into view_tally (project, facet, day, item, human, ai, other)
      select project, cast(${facets.pageMonth} as integer), cast(${month} as integer), item, sum(human), sum(ai), sum(other) from view_tally
      where project = ${number} and facet = ${facets.page} and day >= ${month} and day < ${nextMonthStart(month)}
      group by project, item
    `.execute(transaction);
  });
}
