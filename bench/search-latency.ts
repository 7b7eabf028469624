// `npm run bench bench/search-latency.ts -- [--sections 10000]`: the sites' search on both engines, in turn, on generated
// pages with the word frequencies of a language (Zipf). The database is PostgreSQL from the development packages.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { openDatabase } from "#db/database.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createPostgresSearch } from "#search/postgres-search.ts";
import type { SearchIndex } from "#search/search-index.ts";
import type { SearchPage } from "#search/search-page.ts";
import { createSearch } from "#search/search.ts";
import { createSqliteSearch } from "#search/sqlite-search.ts";
import { startPostgresServer } from "#testing/postgres-server.ts";

const { values } = parseArgs({ options: { sections: { type: "string", default: "10000" } } });
const SECTIONS_PER_PAGE = 10;
const WORDS = 20_000;
const QUERIES = 400;

let state = 7;
const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
const word = () => wordNumber(Math.floor(WORDS ** random()));
function wordNumber(number: number): string {
  let text = "";
  for (let left = number + 500; left > 0; left = Math.floor(left / 20))
    text += "aeiou"[left % 5]! + "bdfgklmnprst"[left % 12]!;
  return text;
}
const words = (count: number) => Array.from({ length: count }, word).join(" ");

const pages = Array.from(
  { length: Math.ceil(Number(values.sections) / SECTIONS_PER_PAGE) },
  (_, number): SearchPage => ({
    route: `/page-${number}`,
    title: words(3),
    keywords: "",
    isReference: false,
    language: null,
    version: null,
    versionRank: 0,
    key: "1",
    includes: [],
    sections: Array.from({ length: SECTIONS_PER_PAGE }, (__, at) => ({
      anchor: at === 0 ? null : `section-${at}`,
      heading: at === 0 ? "" : words(3),
      text: words(80),
      reference: "",
    })),
  }),
);
const queries = Array.from({ length: QUERIES }, (_, at) => {
  const text = words(1 + (at % 3));
  return at % 4 === 0
    ? text.slice(0, Math.max(2, text.length - 2))
    : at % 4 === 1
      ? `${text.slice(0, 2)}${text.slice(3)}`
      : text;
});

const directory = mkdtempSync(path.join(tmpdir(), "docent-search-"));
const server = await startPostgresServer();
try {
  await using database = await openDatabase({
    location: { engine: "postgres", url: new Secret(server.url("postgres")) },
    logger: silentLogger,
    migrate: true,
  });
  const project = newProjectId();
  await sql`insert into project (id, slug, name, code_host, branch, settings, created_at)
    values (${project}, 'bench', 'Bench', 'embedded', 'main', '{}', 0)`.execute(database.kysely);
  await using sqlite = createSqliteSearch({ directory });
  await using postgres = createPostgresSearch({ database });
  for (const [name, index] of Object.entries({ sqlite, postgres }) as [string, SearchIndex][]) {
    const startedAt = performance.now();
    for (let at = 0; at < pages.length; at += 20) {
      await index.change(project, { put: pages.slice(at, at + 20), remove: [] });
    }
    const indexedMs = performance.now() - startedAt;
    if (index === postgres) await sql`analyze search_section`.execute(database.kysely);
    const search = createSearch({ index });
    const times: number[] = [];
    for (let round = 0; round < 2; round++) {
      for (const query of queries) {
        const before = performance.now();
        await search(project, { query, scope: { language: null, version: null }, limit: 20, edition: "1" });
        if (round > 0) times.push(performance.now() - before);
      }
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
    console.log(
      `${name}: indexed in ${(indexedMs / 1_000).toFixed(1)} s; a search ${at(0.5)} ms, 95 % within ${at(0.95)} ms, longest ${at(0.999)} ms`,
    );
  }
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
