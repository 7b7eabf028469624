import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { nextMonthStart, monthStart } from "#features/visitors/day.ts";
import { type Fact, factAt } from "#features/visitors/facts.ts";
import type { createIndexStores } from "./index-store.ts";
import { facets, labelKinds } from "#features/visitors/labels.ts";
import { ensureOtherLabel } from "./label-rows.ts";
import { lockProject } from "./project-row.ts";
import { exclusions, factExclusions } from "#features/visitors/clients/rules.ts";
import { readDay } from "./segments.ts";
import { createTally, tallyView } from "./tally.ts";

const FACT_FACETS = [facets.page, facets.client, facets.surface, facets.referrer, facets.verification];

interface RetallyDeps {
  database: Database;
  stores: ReturnType<typeof createIndexStores>;
}

/** Recounts the views of one day from its facts, in one transaction; counts without facts stay. */
export async function retallyDay(
  { database, stores }: RetallyDeps,
  { projectId, day }: { projectId: ProjectId; day: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    await tallyDay({ transaction, stores }, { number, day });
  });
}

/** The same inside a transaction whose caller holds the project's write lock. */
export async function tallyDay(
  { transaction, stores }: { transaction: DatabaseTransaction; stores: RetallyDeps["stores"] },
  { number, day }: { number: number; day: number },
): Promise<void> {
  const tally = createTally();
  const labels = await readLabelNumbers(transaction, number);
  const lost: Fact[] = [];
  for (const columns of await readDay(transaction, number, day)) {
    for (let index = 0; index < columns.rows; index++) {
      const fact = factAt(columns, index);
      if (isLabelled(fact, labels)) tallyView(tally, { day, fact });
      else lost.push(fact);
    }
  }
  if (lost.length > 0) {
    // Their labels were merged into "(other)" after they were stored.
    const client = await ensureOtherLabel(transaction, number, "client");
    const referrer = await ensureOtherLabel(transaction, number, "referrer");
    for (const fact of lost) {
      const named = {
        client: labels.has(fact.client) ? fact.client : client,
        referrer: fact.referrer === 0 || labels.has(fact.referrer) ? fact.referrer : referrer,
      };
      tallyView(tally, { day, fact: { ...fact, ...named } });
    }
  }
  const ofDay = transaction.deleteFrom("view_tally").where("project", "=", number).where("day", "=", day);
  await ofDay.where("facet", "in", FACT_FACETS).execute();
  const reasons = factExclusions.map((reason) => exclusions[reason]);
  await ofDay.where("facet", "=", facets.excluded).where("item", "in", reasons).execute();
  // Months are summed after all their days are correct.
  const rows = tally.rows().filter((row) => row.facet !== facets.pageMonth);
  await stores(transaction).addTallies(number, rows);
}

const isLabelled = ({ client, referrer }: Fact, labels: ReadonlySet<number>) =>
  labels.has(client) && (referrer === 0 || labels.has(referrer));

async function readLabelNumbers(transaction: DatabaseTransaction, project: number): Promise<Set<number>> {
  const rows = await transaction
    .selectFrom("analytics_label")
    .select("id")
    .where("project", "=", project)
    .where("kind", "in", [labelKinds.client, labelKinds.referrer])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Sums the page views of a calendar month from its days again. */
export async function retallyMonth(
  database: Database,
  { projectId, month }: { projectId: ProjectId; month: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    await sumMonth(transaction, { project: number, month });
  });
}

/** The same inside a transaction whose caller holds the project's write lock. */
export async function sumMonth(
  transaction: DatabaseTransaction,
  { project, month }: { project: number; month: number },
): Promise<void> {
  await transaction
    .deleteFrom("view_tally")
    .where("project", "=", project)
    .where("facet", "=", facets.pageMonth)
    .where("day", "=", month)
    .execute();
  await sql`
    insert into view_tally (project, facet, day, item, human, ai, other)
    select project, cast(${facets.pageMonth} as integer), cast(${month} as integer), item, sum(human), sum(ai), sum(other) from view_tally
    where project = ${project} and facet = ${facets.page} and day >= ${month} and day < ${nextMonthStart(month)}
    group by project, item
  `.execute(transaction);
}

/**
 * Changes segments of a day, and recounts the day and its month if one changed. `change` returns the changed segment;
 * null for one that stays. The caller holds the project's write lock.
 */
export async function rewriteDay(
  { transaction, stores }: { transaction: DatabaseTransaction; stores: ReturnType<typeof createIndexStores> },
  { number, day }: { number: number; day: number },
  change: (content: Uint8Array) => { content: Uint8Array; views?: number } | null,
): Promise<void> {
  let isChanged = false;
  const segments = await transaction
    .selectFrom("view_segment")
    .select(["seq", "content"])
    .where("project", "=", number)
    .where("day", "=", day)
    .execute();
  for (const { seq, content } of segments) {
    const changed = change(content);
    if (changed === null) continue;
    isChanged = true;
    await transaction
      .updateTable("view_segment")
      .set(changed)
      .where("project", "=", number)
      .where("day", "=", day)
      .where("seq", "=", seq)
      .execute();
  }
  if (!isChanged) return;
  await tallyDay({ transaction, stores }, { number, day });
  await sumMonth(transaction, { project: number, month: monthStart(day) });
}
