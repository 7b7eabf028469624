import { sql } from "kysely";
import { dayOf } from "#features/visitors/day.ts";
import { readAnalyticsSettings } from "#features/visitors/settings.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { findSecrets } from "#lib/secrets/secret-scan.ts";

/** A completed search of a reader. */
export interface CountedSearch {
  query: string;
  /** The number of results. */
  results: number;
  /** The page that was opened; null when none was. */
  page: string | null;
  /** The browser sends GPC or DNT. */
  isPrivate: boolean;
}

/** Counts searches by project, day and query: nothing identifies the reader. */
export interface SearchCounter extends AsyncDisposable {
  /** Returns at once; the search is stored some seconds later, and lost if the process is killed before. */
  count(project: ProjectId, search: CountedSearch): void;
  flush(): Promise<void>;
}

const FLUSH_MS = 2_000;
const MAX_WAITING = 2_000;
const MAX_QUERIES_PER_DAY = 1_000;

interface Waiting {
  day: number;
  query: string;
  searches: number;
  results: number;
  lastAt: number;
  isPrivate: boolean;
  pages: Map<string, number>;
}

type Deps = { database: Database; clock: Clock; logger: Logger };

export function createSearchCounter(deps: Deps): SearchCounter {
  const { database, clock } = deps;
  let waiting = new Map<ProjectId, Map<string, Waiting>>();
  let size = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const trouble = createLastingTrouble(deps.logger, "searches could not be counted");

  async function write(project: ProjectId, rows: readonly Waiting[]): Promise<void> {
    const settings = await readAnalyticsSettings(database.kysely, project);
    if (settings === null || !settings.collect) return;
    const counted = rows.filter(({ isPrivate }) => settings.countPrivate || !isPrivate);
    await database.transaction(async (transaction) => {
      for (const row of counted) await addRow(transaction, project, row);
    });
  }

  const flush = (): Promise<void> => {
    const rows = waiting;
    waiting = new Map();
    size = 0;
    writing = writing.then(async () => {
      for (const [project, queries] of rows) {
        await write(project, [...queries.values()]).then(trouble.worked, trouble.failed);
      }
    });
    return writing;
  };

  return {
    flush,
    count(project, { query, results, page, isPrivate }) {
      if (size >= MAX_WAITING) return;
      const lastAt = clock.now().getTime();
      const day = dayOf(lastAt);
      const kept = keptQuery(query);
      const key = `${day} ${isPrivate} ${kept}`;
      const queries = waiting.get(project) ?? new Map<string, Waiting>();
      waiting.set(project, queries);
      const row: Waiting = queries.get(key) ?? {
        day,
        query: kept,
        searches: 0,
        results,
        lastAt,
        isPrivate,
        pages: new Map(),
      };
      if (!queries.has(key)) size += 1;
      queries.set(key, row);
      row.searches += 1;
      row.results = results;
      row.lastAt = lastAt;
      if (page !== null) row.pages.set(page, (row.pages.get(page) ?? 0) + 1);
      timer ??= setTimeout(() => {
        timer = null;
        void flush();
      }, FLUSH_MS).unref();
    },
    async [Symbol.asyncDispose]() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}

/** After this many queries in a day a new one is only counted: a script could generate millions. */
async function addRow(transaction: DatabaseTransaction, project: ProjectId, row: Waiting): Promise<void> {
  const { day, searches, results, lastAt: last_at, pages } = row;
  const ofDay = transaction.selectFrom("search_count").where("project_id", "=", project).where("day", "=", day);
  const known = await ofDay.select("query").where("query", "=", row.query).executeTakeFirst();
  const { queries } = await ofDay.select(sql<number>`count(*)`.as("queries")).executeTakeFirstOrThrow();
  const query = known === undefined && Number(queries) >= MAX_QUERIES_PER_DAY ? "" : row.query;
  const clicks = [...pages.values()].reduce((sum, each) => sum + each, 0);
  await transaction
    .insertInto("search_count")
    .values({ project_id: project, day, query, searches, clicks, results, last_at })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "day", "query"]).doUpdateSet({
        searches: sql`search_count.searches + ${searches}`,
        clicks: sql`search_count.clicks + ${clicks}`,
        results,
        last_at,
      }),
    )
    .execute();
  if (query === "") return;
  for (const [page, count] of pages) {
    await transaction
      .insertInto("search_click")
      .values({ project_id: project, day, query, page, clicks: count })
      .onConflict((conflict) =>
        conflict
          .columns(["project_id", "day", "query", "page"])
          .doUpdateSet({ clicks: sql`search_click.clicks + ${count}` }),
      )
      .execute();
  }
}

const MAX_LENGTH = 100;
const EMAIL = /[^\s@]@[^\s@]/;
/** Numbers of phones, cards, accounts and people; IP addresses. */
const LONG_NUMBER = /(?:\d[\s./:-]?){7,}/;
/** Tokens of no known format: long, without a blank, letters and digits mixed. */
const TOKEN = /(?=\S*\d)(?=\S*[a-z])[\w+/=-]{24,}/i;

/** A query as reports show it; "" for one that may identify its author or contain private data: it is only counted. */
function keptQuery(query: string): string {
  const text = query.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  if (text.length > MAX_LENGTH || EMAIL.test(text) || LONG_NUMBER.test(text) || TOKEN.test(text)) return "";
  if (text.includes("\0") || findSecrets(text).length > 0) return "";
  return text.toLowerCase();
}
