import { sql } from "kysely";
import type { DatabaseTransaction } from "#db/database.ts";
import {
  type CappedKind,
  type Facet,
  facets,
  type LabelKind,
  labelKinds,
  OTHER_LABEL,
} from "#features/visitors/labels.ts";

/** The facets that count labels of a kind; the first one measures their usage. */
const FACETS_OF: Record<CappedKind, readonly [Facet, ...Facet[]]> = {
  client: ["client", "verification"],
  referrer: ["referrer"],
  missing: ["missing"],
};
const CHUNK = 500;

/** Assigns numbers to new texts. */
export async function insertLabels(
  transaction: DatabaseTransaction,
  { project, kind, texts }: { project: number; kind: LabelKind; texts: readonly string[] },
): Promise<Map<string, number>> {
  if (texts.length === 0) return new Map();
  // From a counter, not the current maximum: facts still contain the number of a deleted label.
  const { last_label: last } = await transaction
    .updateTable("analytics_project")
    .set(({ eb }) => ({ last_label: eb("last_label", "+", texts.length) }))
    .where("number", "=", project)
    .returning("last_label")
    .executeTakeFirstOrThrow();
  const first = last - texts.length + 1;
  const rows = texts.map((text, index) => ({ project, id: first + index, kind: labelKinds[kind], text }));
  for (let start = 0; start < rows.length; start += CHUNK) {
    await transaction
      .insertInto("analytics_label")
      .values(rows.slice(start, start + CHUNK))
      .execute();
  }
  return new Map(rows.map(({ text, id }) => [text, id]));
}

/** The number of "(other)", created when missing. */
export async function ensureOtherLabel(
  transaction: DatabaseTransaction,
  project: number,
  kind: LabelKind,
): Promise<number> {
  const known = await transaction
    .selectFrom("analytics_label")
    .select("id")
    .where("project", "=", project)
    .where("kind", "=", labelKinds[kind])
    .where("text", "=", OTHER_LABEL)
    .executeTakeFirst();
  const added = known ? null : await insertLabels(transaction, { project, kind, texts: [OTHER_LABEL] });
  return known?.id ?? added?.get(OTHER_LABEL) ?? 0;
}

export async function countLabels(
  transaction: DatabaseTransaction,
  project: number,
  kind: CappedKind,
): Promise<number> {
  const { size } = await transaction
    .selectFrom("analytics_label")
    .select(({ fn }) => fn.countAll<number>().as("size"))
    .where("project", "=", project)
    .where("kind", "=", labelKinds[kind])
    .executeTakeFirstOrThrow();
  return Number(size);
}

/** All labels of a kind except the `keep` with most views; among equals the more recent one is kept. */
export async function leastUsedLabels(
  transaction: DatabaseTransaction,
  { project, kind, keep }: { project: number; kind: CappedKind; keep: number },
): Promise<number[]> {
  const facet = facets[FACETS_OF[kind][0]];
  // The tallies are summed first: joined as they are, each label would read all of them, as their key has the day before the
  // item. SQLite does not support an offset without a limit.
  const { rows } = await sql<{ id: number }>`
    select l.id from analytics_label as l
    left join (
      select item, sum(human + ai + other) as views, max(day) as day from view_tally
      where project = ${project} and facet = ${facet} group by item
    ) as t on t.item = l.id
    where l.project = ${project} and l.kind = ${labelKinds[kind]} and l.text <> ${OTHER_LABEL}
    order by coalesce(t.views, 0) desc, coalesce(t.day, 0) desc, l.id desc
    limit 1000000000 offset ${keep}
  `.execute(transaction);
  return rows.map(({ id }) => id);
}

/**
 * Moves the counts of labels to another label and deletes them. No view is lost, and no class: facts keep the number of
 * the deleted label and are counted as "(other)" from then on. Returns the project's new label version, which tells
 * stores that cached numbers are invalid. The caller holds the project's write lock.
 */
export async function mergeLabels(
  transaction: DatabaseTransaction,
  { project, kind, ids, into }: { project: number; kind: CappedKind; ids: readonly number[]; into: number },
): Promise<number> {
  for (const facet of FACETS_OF[kind]) {
    for (let start = 0; start < ids.length; start += CHUNK) {
      await moveTallies(transaction, { project, facet: facets[facet], items: ids.slice(start, start + CHUNK), into });
    }
  }
  return deleteLabels(transaction, project, ids);
}

/** Deletes labels without any counts, and returns the project's label version. */
export async function deleteLabels(
  transaction: DatabaseTransaction,
  project: number,
  ids: readonly number[],
): Promise<number> {
  for (let start = 0; start < ids.length; start += CHUNK) {
    await transaction
      .deleteFrom("analytics_label")
      .where("project", "=", project)
      .where("id", "in", ids.slice(start, start + CHUNK))
      .execute();
  }
  const { label_version: version } = await transaction
    .updateTable("analytics_project")
    .set(({ eb }) => ({ label_version: eb("label_version", "+", 1) }))
    .where("number", "=", project)
    .returning("label_version")
    .executeTakeFirstOrThrow();
  return version;
}

async function moveTallies(
  transaction: DatabaseTransaction,
  { project, facet, items, into }: { project: number; facet: number; items: readonly number[]; into: number },
): Promise<void> {
  await sql`
    insert into view_tally as t (project, facet, day, item, human, ai, other)
    select project, facet, day, cast(${into} as integer), sum(human), sum(ai), sum(other) from view_tally
    where project = ${project} and facet = ${facet} and item in (${sql.join(items)})
    group by project, facet, day
    on conflict (project, facet, day, item) do update
    set human = t.human + excluded.human, ai = t.ai + excluded.ai, other = t.other + excluded.other
  `.execute(transaction);
  await transaction
    .deleteFrom("view_tally")
    .where("project", "=", project)
    .where("facet", "=", facet)
    .where("item", "in", items)
    .execute();
}
