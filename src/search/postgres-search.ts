import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database, Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import {
  type IndexQuery,
  isPlainWord,
  MAX_SECTION_WORDS,
  MAX_VOCABULARY,
  projectWord,
  scopeWords,
  type SearchIndex,
  type SearchTerm,
} from "./search-index.ts";
import type { FoundSection, IndexedPage, SearchPage } from "./search-page.ts";
import { indexedWords } from "./words.ts";

/** Of D, C, B, A: text, context, heading, title, in the proportions of `FIELD_WEIGHTS`. */
const WEIGHTS = "{0.125,0.25,0.5,1}";
/** Sections that are weighed: to rank a hundred thousand takes PostgreSQL seconds. Titles and headings come first. */
const MAX_WEIGHED = 2_000;
const LEASE_SECONDS = 60;
const FIELDS = ["A", "B", "C", "D"] as const;

/**
 * All projects in one table. Every section has its project's own word, which every query asks for: the index leads to that
 * project's sections alone, and a condition on the column holds besides. Nodes take turns by a lease.
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
        for (const page of put) await putIn(transaction, project, page);
      });
    },
    async find(project, { terms, match, scope, limit }) {
      const groups = terms.filter((term) => term.length > 0);
      if (groups.length === 0) return [];
      const joint = match === "all" ? " & " : " | ";
      const wanted = groups.map((term) => alternatives(term, "")).join(joint);
      const strong = groups.map((term) => alternatives(term, "AB")).join(joint);
      const part = partOf(project, scope);
      const { rows } = await sql<FoundSection>`
        with found as (
          (select id from search_section
            where project_id = ${project} and words @@ ${`${part} & (${strong})`}::tsquery limit ${MAX_WEIGHED})
          union
          (select id from search_section
            where project_id = ${project} and words @@ ${`${part} & (${wanted})`}::tsquery limit ${MAX_WEIGHED})
        )
        select route, anchor, title, heading, body as text from found join search_section using (id)
        order by ts_rank(${WEIGHTS}::float4[], words, ${wanted}::tsquery) desc, id limit ${limit}`.execute(kysely);
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

async function putIn(transaction: Queryable, project: ProjectId, page: SearchPage): Promise<void> {
  await sql`
    insert into search_page (project_id, route, key, includes)
    values (${project}, ${page.route}, ${page.key}, ${JSON.stringify(page.includes)})`.execute(transaction);
  const { language, version } = scopeWords(page);
  const sections = page.sections.map(({ anchor, heading, text }) => {
    const isFirst = anchor === null;
    const words = vectorText([isFirst ? page.title : "", heading, isFirst ? "" : page.title, text]);
    const part = [projectWord(project), language, version].map((word) => `'${word}'`).join(" ");
    return { anchor, heading, body: text, words: `${part} ${words}` };
  });
  await sql`
    insert into search_section (project_id, route, anchor, title, heading, body, words)
    select ${project}, ${page.route}, anchor, ${page.title}, heading, body, words::tsvector
    from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb)
      as section (anchor text, heading text, body text, words text)`.execute(transaction);
}

/** Title, heading, context and text as PostgreSQL writes a `tsvector`. Words are letters and digits, so quotes hold them. */
function vectorText(fields: readonly [title: string, heading: string, context: string, text: string]): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const [index, field] of fields.entries()) {
    for (const word of indexedWords(field, MAX_SECTION_WORDS)) {
      position += 1;
      const known = places.get(word);
      if (known === undefined) places.set(word, [`${position}${FIELDS[index]}`]);
      else known.push(`${position}${FIELDS[index]}`);
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
