import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database, Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import {
  type Field,
  fieldWords,
  type IndexQuery,
  isPlainWord,
  MAX_VOCABULARY,
  OTHER_VERSION,
  projectWord,
  scopeWords,
  type SearchIndex,
  type SearchTerm,
} from "./search-index.ts";
import type { FoundSection, IndexedPage, SearchPage } from "./search-page.ts";

/** PostgreSQL has four: our own ranking separates titles from headings. */
const CLASSES = { title: "A", heading: "A", context: "B", text: "C", reference: "D" } as const satisfies Record<
  Field,
  string
>;
/** For D, C, B, A, in the proportions of `FIELD_WEIGHTS`. */
const WEIGHTS = "{0.025,0.125,0.25,1}";
/** Maximum sections to rank: PostgreSQL takes seconds for a hundred thousand. Titles and headings come first. */
const MAX_WEIGHED = 2_000;
const LEASE_SECONDS = 60;

/**
 * All projects in one table. Every section contains a word for its project, which every query requires: the index then only
 * reads that project's sections, and a condition on the column applies as well. Nodes take turns by a lease.
 */
export function createPostgresSearch({ database }: { database: Database }): SearchIndex {
  const { kysely } = database;
  const holder = randomUUID();

  return {
    async pages(project) {
      const { rows } = await sql<{ route: string; key: string; includes: string }>`
        select route, key, includes from search_page where project_id = ${project}`.execute(kysely);
      return new Map(
        rows.map(({ route, key, includes }): [string, IndexedPage] => [
          route,
          { key, includes: JSON.parse(includes) as string[] },
        ]),
      );
    },
    async change(project, { put, remove }) {
      await database.transaction(async (transaction) => {
        const routes = [...remove, ...put.map(({ route }) => route)];
        await sql`delete from search_page where project_id = ${project} and route = any(${routes})`.execute(
          transaction,
        );
        for (const page of put) await insertPage(transaction, project, page);
      });
    },
    async find(project, query) {
      const { terms, match, scope, isDefaultVersion = false, isOfTitles = false, limit } = query;
      const groups = terms.filter((term) => term.length > 0);
      if (groups.length === 0) return [];
      const joint = match === "all" ? " & " : " | ";
      const matched = groups.map((term) => alternatives(term, "")).join(joint);
      const strong = groups.map((term) => alternatives(term, "A")).join(joint);
      const part = `${partOf(project, scope)}${isDefaultVersion ? ` & !'${OTHER_VERSION}'` : ""}`;
      const { rows } = await sql<FoundSection>`
        with found as (
          (select id from search_section
            where project_id = ${project} and words @@ ${`${part} & (${strong})`}::tsquery
              and (anchor is null or not ${isOfTitles}) limit ${MAX_WEIGHED})
          union
          (select id from search_section
            where project_id = ${project} and words @@ ${`${part} & (${matched})`}::tsquery
              and not ${isOfTitles} limit ${MAX_WEIGHED})
        )
        select route, anchor, title, heading, body as text, reference, is_reference as "isReference"
        from found join search_section using (id)
        order by ts_rank(${WEIGHTS}::float4[], words, ${matched}::tsquery) * case when is_reference then 0.5 else 1 end desc, id
        limit ${limit}`.execute(kysely);
      return rows;
    },
    async vocabulary(project) {
      const sections = `select words from search_section where project_id = '${project.replaceAll("'", "")}'`;
      const { rows } = await sql<{ word: string }>`
        select word from ts_stat(${sections}) order by ndoc desc, word limit ${MAX_VOCABULARY}`.execute(kysely);
      return rows.map(({ word }) => word).filter(isPlainWord);
    },
    async alone(project, work) {
      const run = `${holder} ${randomUUID()}`;
      const { rows } = await sql`
        insert into search_lease (project_id, holder, until)
        values (${project}, ${run}, now() + ${`${LEASE_SECONDS} s`}::interval)
        on conflict (project_id) do update set holder = excluded.holder, until = excluded.until
        where search_lease.until < now() returning 1`.execute(kysely);
      if (rows.length === 0) return false;
      const stillOurs = async () => {
        const { numAffectedRows = 0n } = await sql`
          update search_lease set until = now() + ${`${LEASE_SECONDS} s`}::interval
          where project_id = ${project} and holder = ${run}`.execute(kysely);
        return numAffectedRows > 0n;
      };
      try {
        await work(stillOurs);
      } finally {
        await sql`delete from search_lease where project_id = ${project} and holder = ${run}`.execute(kysely);
      }
      return true;
    },
    async remove(project) {
      await sql`delete from search_page where project_id = ${project}`.execute(kysely);
    },
    async [Symbol.asyncDispose]() {}, // the database is not ours
  };
}

async function insertPage(transaction: Queryable, project: ProjectId, page: SearchPage): Promise<void> {
  await sql`
    insert into search_page (project_id, route, key, includes)
    values (${project}, ${page.route}, ${page.key}, ${JSON.stringify(page.includes)})`.execute(transaction);
  const { language, version } = scopeWords(page);
  const part = [projectWord(project), language, version, ...(page.versionRank === 0 ? [] : [OTHER_VERSION])]
    .map((word) => `'${word}'`)
    .join(" ");
  const sections = page.sections.map((section) => {
    const { anchor, heading, text, reference } = section;
    return { anchor, heading, body: text, reference, words: `${part} ${vectorText(fieldWords(page, section))}` };
  });
  await sql`
    insert into search_section (project_id, route, anchor, title, heading, body, reference, is_reference, words)
    select ${project}, ${page.route}, anchor, ${page.title}, heading, body, reference, ${page.isReference},
      words::tsvector
    from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb)
      as section (anchor text, heading text, body text, reference text, words text)`.execute(transaction);
}

/** Formats the words as a `tsvector` literal. They are letters and digits, so quoting needs no escapes. */
function vectorText(fields: Record<Field, readonly string[]>): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const [field, weight] of Object.entries(CLASSES) as [Field, string][]) {
    for (const word of fields[field]) {
      position += 1;
      const known = places.get(word);
      if (known === undefined) places.set(word, [`${position}${weight}`]);
      else known.push(`${position}${weight}`);
    }
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

function alternatives(term: SearchTerm, fields: string): string {
  const marks = (isPrefix: boolean) => (isPrefix || fields !== "" ? `:${isPrefix ? "*" : ""}${fields}` : "");
  return `(${term.map(({ text, isPrefix }) => `'${text}'${marks(isPrefix)}`).join(" | ")})`;
}

function partOf(project: ProjectId, scope: IndexQuery["scope"]): string {
  const own = scopeWords(scope);
  const all = scopeWords({ language: null, version: null });
  return [
    `'${projectWord(project)}'`,
    ...(scope.language === null ? [] : [`('${own.language}' | '${all.language}')`]),
    ...(scope.version === null ? [] : [`('${own.version}' | '${all.version}')`]),
  ].join(" & ");
}
