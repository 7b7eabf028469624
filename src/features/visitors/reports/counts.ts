import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { type CountsCache, createCountsCache, type PageNames, readPageNames } from "./counts-cache.ts";
import { monthStart, nextMonthStart } from "#features/visitors/day.ts";
import { facets, WHOLE_SITE } from "#features/visitors/labels.ts";
import { packSpans, type Pack, rowsBefore } from "#features/visitors/index/pack.ts";
import type { PagedRange } from "#features/visitors/range.ts";
import { type Counts, countsOfPath, emptySums, type PageCounts, type Sums, topPages } from "./top-pages.ts";

interface CountsDeps {
  database: Database;
  /** Packs and names cached between calls; without it each call reads them. */
  cache?: CountsCache;
}

/** With a `path`, the totals are those of this page. */
type CountsQuery = { projectId: ProjectId; path?: string | null } & PagedRange;

export interface PagedVisitors {
  totals: Counts;
  visitors: PageCounts[];
  hasMore: boolean;
}

export interface PagedViews {
  totals: Counts;
  views: PageCounts[];
  hasMore: boolean;
}

// Day 0 means "never" in the counts, and a stored day has 16 bits (until the year 2149).
const NO_BOUND = { from: 1, to: 0xffff };

/**
 * Unique visitors of a project in a range of days, of the site and of each page (total descending, then path by code
 * point). Exact: a visitor counts on the first of its days in the range, which is the one whose previous day lies
 * before the range. A project without views is all zeros; the caller checks that the project exists.
 */
export async function queryVisitors(deps: CountsDeps, query: CountsQuery): Promise<PagedVisitors> {
  const { totals, pages, hasMore } = await countPages(deps, query, addVisitors);
  return { totals, visitors: pages, hasMore };
}

/** Views that count as human or AI, in the form and order of `queryVisitors`. */
export async function queryViews(deps: CountsDeps, query: CountsQuery): Promise<PagedViews> {
  const { totals, pages, hasMore } = await countPages(deps, query, addViews);
  return { totals, views: pages, hasMore };
}

interface Bounds {
  project: number;
  /** Number of its visitor index. */
  index: number;
  from: number;
  to: number;
}

type AddSums = (deps: Required<CountsDeps>, bounds: Bounds, sums: GrowingSums) => Promise<void>;

/** Sums that are sized once the largest page label is known. */
interface GrowingSums {
  sums: Sums;
}

async function countPages(deps: CountsDeps, query: CountsQuery, add: AddSums) {
  const { database, cache = createCountsCache() } = deps;
  const project = await database.kysely
    .selectFrom("analytics_project")
    .select(["number", "index_number"])
    .where("project_id", "=", query.projectId)
    .executeTakeFirst();
  const holder: GrowingSums = { sums: emptySums(1) };
  let names: PageNames = { size: 1, paths: new Map(), rank: new Uint32Array(1) };
  if (project) {
    const bounds = {
      project: project.number,
      index: project.index_number,
      from: Math.max(query.from ?? NO_BOUND.from, NO_BOUND.from),
      to: Math.min(query.to ?? NO_BOUND.to, NO_BOUND.to),
    };
    holder.sums = emptySums((cache.names.get(project.number)?.size ?? 1) + 1024);
    if (bounds.from < bounds.to) await add({ database, cache }, bounds, holder);
    // Labels are written in the same transaction as the counts, so names that are read after the counts are complete.
    names = await readPageNames(database.kysely, project.number, cache.names.get(project.number));
    cache.names.set(project.number, names);
  }
  const found = topPages(holder.sums, names, query);
  return query.path == null ? found : { ...found, totals: countsOfPath(holder.sums, names, query.path) };
}

const MAX_TRIES = 5;

/**
 * The calendar months that are completely inside a range: from `firstMonth` up to `lastMonth`; none if that is not
 * ascending.
 */
function wholeMonths({ from, to }: { from: number; to: number }): { firstMonth: number; lastMonth: number } {
  return { firstMonth: from === monthStart(from) ? from : nextMonthStart(from), lastMonth: monthStart(to) };
}

/** A pack to read, with its name and current version. */
interface ListedPack {
  span: number;
  day: number;
  version: number;
}

/** Changes of a page's counts that are in no pack yet. */
interface UnpackedCounts {
  page: number;
  human: number;
  ai: number;
  total: number;
}

const absent = sql<null>`null`;

/** Unpacked changes, and the packs below them, in one statement: a consistent snapshot of the store. */
async function readCounts(
  { database }: CountsDeps,
  { index, from, to }: Bounds,
): Promise<{ listed: ListedPack[]; unpacked: UnpackedCounts[] }> {
  const { firstMonth, lastMonth } = wholeMonths({ from, to });
  const inMonths = sql<boolean>`(day >= ${firstMonth} and day < ${lastMonth})`;
  const rows = await database.kysely
    .selectFrom("visitor_pack")
    .select(["span", "day", "version"])
    .select([absent.as("page"), absent.as("human"), absent.as("ai"), absent.as("total")])
    .$castTo<ListedPack | (UnpackedCounts & { span: null })>()
    .where("project", "=", index)
    .where("day", ">=", from)
    .where("day", "<", to)
    .where((eb) =>
      eb.or([
        eb("span", "=", packSpans.day),
        eb.and([eb("span", "=", packSpans.dayOfPackedMonth), eb.not(inMonths)]),
        eb.and([eb("span", "=", packSpans.month), inMonths]),
      ]),
    )
    .unionAll(
      database.kysely
        .selectFrom("visitor_count")
        .select([absent.as("span"), absent.as("day"), absent.as("version"), "page"])
        .select(({ fn }) => [
          fn.sum<number>("human").as("human"),
          fn.sum<number>("ai").as("ai"),
          fn.sum<number>("total").as("total"),
        ])
        .where("project", "=", index)
        .where("day", ">=", from)
        .where("day", "<", to)
        .where("previous", "<", from)
        .groupBy("page"),
    )
    .execute();
  return {
    listed: rows.filter((row) => row.span !== null),
    unpacked: rows.filter((row) => row.span === null),
  };
}

async function addVisitors(deps: Required<CountsDeps>, bounds: Bounds, holder: GrowingSums): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { listed, unpacked } = await readCounts(deps, bounds);
    const packs = await loadPacks(deps, bounds.index, listed);
    if (packs === null && tries < MAX_TRIES) continue; // repacked meanwhile: read again
    if (packs === null) throw new Error("visitor counts were packed anew during every try to read them");
    let size = holder.sums.total.length;
    for (const pack of packs) size = Math.max(size, pack.maxPage + 1);
    for (const row of unpacked) size = Math.max(size, row.page + 1);
    holder.sums = emptySums(size);
    for (const pack of packs) addPack(holder.sums, pack, rowsBefore(pack, bounds.from));
    for (const row of unpacked) addRow(holder.sums, row);
    return;
  }
}

function addPack(sums: Sums, pack: Pack, rows: number): void {
  const { human, ai, total } = sums;
  const { page: pages, human: humans, ai: ais, total: totals } = pack;
  for (let index = 0; index < rows; index++) {
    const page = pages[index]!;
    human[page]! += humans[index]!;
    ai[page]! += ais[index]!;
    total[page]! += totals[index]!;
  }
}

function addRow(sums: Sums, row: UnpackedCounts): void {
  sums.human[row.page]! += Number(row.human);
  sums.ai[row.page]! += Number(row.ai);
  sums.total[row.page]! += Number(row.total);
}

/** The packs of a listing; null when one of them was replaced since. */
async function loadPacks(
  { database, cache }: Required<CountsDeps>,
  project: number,
  listed: readonly ListedPack[],
): Promise<Pack[] | null> {
  const packs: Pack[] = [];
  const missing: ListedPack[] = [];
  for (const pack of listed) {
    const known = cache.pack(`${project}/${pack.span}/${pack.day}`, pack.version);
    if (known) packs.push(known);
    else missing.push(pack);
  }
  if (missing.length === 0) return packs;
  for (const span of Object.values(packSpans)) {
    const wanted = missing.filter((pack) => pack.span === span);
    if (wanted.length === 0) continue;
    const found = await database.kysely
      .selectFrom("visitor_pack")
      .select(["day", "version", "content"])
      .where("project", "=", project)
      .where("span", "=", span)
      .where(
        "day",
        "in",
        wanted.map((pack) => pack.day),
      )
      .execute();
    const byDay = new Map(found.map((pack) => [pack.day, pack]));
    for (const { day, version } of wanted) {
      const pack = byDay.get(day);
      if (pack?.version !== version) return null;
      packs.push(cache.storePack(`${project}/${span}/${day}`, version, pack.content));
    }
  }
  return packs;
}

async function addViews({ database }: Required<CountsDeps>, bounds: Bounds, holder: GrowingSums): Promise<void> {
  const { firstMonth, lastMonth } = wholeMonths(bounds);
  const hasMonths = firstMonth < lastMonth;
  const rows = await database.kysely
    .selectFrom("view_tally")
    .select(({ fn }) => ["item", fn.sum<number>("human").as("human"), fn.sum<number>("ai").as("ai")])
    .where("project", "=", bounds.project)
    .where((eb) => {
      const within = (facet: number, from: number, to: number) =>
        eb.and([eb("facet", "=", facet), eb("day", ">=", from), eb("day", "<", to)]);
      if (!hasMonths) return within(facets.page, bounds.from, bounds.to);
      return eb.or([
        within(facets.page, bounds.from, firstMonth),
        within(facets.pageMonth, firstMonth, lastMonth),
        within(facets.page, lastMonth, bounds.to),
      ]);
    })
    .groupBy("item")
    .execute();
  holder.sums = emptySums(rows.reduce((size, row) => Math.max(size, row.item + 1), 1));
  for (const row of rows) {
    const [human, ai] = [Number(row.human), Number(row.ai)];
    addRow(holder.sums, { page: row.item, human, ai, total: human + ai });
    addRow(holder.sums, { page: WHOLE_SITE, human, ai, total: human + ai });
  }
}
