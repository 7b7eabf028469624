import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { decodeFacts, factAt } from "#features/visitors/facts.ts";
import { readIndexRows } from "#features/visitors/index/rebuild.ts";
import { facets } from "#features/visitors/labels.ts";
import { decodePresence } from "#features/visitors/presence.ts";

/** Everything that the store has about a project's views, with texts instead of numbers. */
export async function contentOf(database: Database, projectId: ProjectId) {
  const { kysely } = database;
  const row = await kysely
    .selectFrom("analytics_project")
    .selectAll()
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  const labels = await kysely
    .selectFrom("analytics_label")
    .select(["id", "text"])
    .where("project", "=", row.number)
    .execute();
  const texts = new Map(labels.map(({ id, text }) => [id, text]));
  const textOf = (id: number) => (id === 0 ? "" : (texts.get(id) ?? `label ${id} is missing`));
  const segments = await kysely.selectFrom("view_segment").selectAll().where("project", "=", row.number).execute();
  const facts = segments.flatMap(({ day, content }) => {
    const columns = decodeFacts(content);
    return Array.from({ length: columns.rows }, (_, index) => {
      const { page, client, referrer, ...fact } = factAt(columns, index);
      return JSON.stringify([day, textOf(page), textOf(client), textOf(referrer), fact]);
    });
  });
  const tallies = await kysely.selectFrom("view_tally").selectAll().where("project", "=", row.number).execute();
  const numbered: readonly number[] = [facets.surface, facets.excluded];
  const presence = await kysely.selectFrom("visitor_presence").selectAll().execute();
  const counts = await database.transaction((transaction) => readIndexRows(transaction, row.index_number));
  return {
    facts: facts.sort(),
    tallies: tallies
      .filter(({ human, ai, other }) => human + ai + other > 0)
      .map(({ facet, day, item, human, ai, other }) =>
        JSON.stringify([facet, day, numbered.includes(facet) ? item : textOf(item), human, ai, other]),
      )
      .sort(),
    // Of every index in the store, also one that is no longer read.
    presence: presence
      .map(({ visitor, page, last, earlier }) => JSON.stringify([visitor, textOf(page), decodePresence(last, earlier)]))
      .sort(),
    counts: [...counts]
      .map(([key, value]) => {
        const [day, page, previous] = key.split("/").map(Number);
        return `${day} ${textOf(page ?? 0)} ${previous} ${value}`;
      })
      .sort(),
    labels: labels.map(({ text }) => text).sort(),
  };
}

/** Makes the second world's project a twin of the first one's, with the same visitor secret. */
export async function twin(from: Database, to: Database, projectId: ProjectId, replaced: ProjectId): Promise<void> {
  await to.kysely.deleteFrom("project").where("id", "=", replaced).execute();
  const project = await from.kysely.selectFrom("project").selectAll().where("id", "=", projectId).execute();
  await to.kysely.insertInto("project").values(project).execute();
  const secrets = await from.kysely.selectFrom("visitor_secret").selectAll().execute();
  await to.kysely.insertInto("visitor_secret").values(secrets).execute();
}
