import { dayOf } from "#features/visitors/day.ts";
import { labelKinds, WHOLE_SITE } from "#features/visitors/labels.ts";
import { type CountRow, encodePack, packSpans } from "#features/visitors/index/pack.ts";
import { packClosedMonths } from "#features/visitors/index/packing.ts";
import { AI, HUMAN } from "#features/visitors/presence.ts";
import { lockProject } from "#features/visitors/index/project-row.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { insertTestProject } from "#testing/views.ts";
import { DAY_MS } from "#lib/clock.ts";
import { FIRST_TIME, type GeneratedView } from "./generate.ts";

// One number per view: visitor, page + 1, day of the data, class; 2^24 · 2^12 · 2^9 · 2 fits the 53 bits of a float.
const PAGES = 4_096;
const DAYS = 512;

/**
 * Builds the packed counts of a project from all its views at once, by sorting: a hundred million in minutes, where folding them
 * in sequence takes most of an hour. Writes what queries read, but neither facts nor the presence of visitors. The caller has to
 * check that the counts equal those of folding.
 */
export async function buildIndex(
  database: Database,
  views: Iterable<GeneratedView>,
  size: number,
): Promise<{ projectId: ProjectId; rows: number }> {
  const keys = new Float64Array(size);
  let filled = 0;
  let pages = 0;
  for (const { time, visitor, page, isAi } of views) {
    const day = Math.floor((time - FIRST_TIME) / DAY_MS);
    keys[filled++] = ((visitor * PAGES + page + 1) * DAYS + day) * 2 + (isAi ? 1 : 0);
    if (page >= pages) pages = page + 1;
  }
  const days = countDays(keys.subarray(0, filled).sort(), pages);
  const projectId = await insertTestProject(database.kysely, { analytics: { retentionDays: 4_000 } });
  let rows = 0;
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    for (let page = 0; page < pages; page++) {
      await transaction
        .insertInto("analytics_label")
        .values({ project: number, kind: labelKinds.page, id: page + 1, text: `/docs/page-${page}` })
        .execute();
    }
    for (const [day, counts] of days.entries()) {
      if (counts.length === 0) continue;
      rows += counts.length;
      const pack = { project: number, span: packSpans.day, day: dayOf(FIRST_TIME) + day, version: 1 };
      await transaction
        .insertInto("visitor_pack")
        .values({ ...pack, content: encodePack(counts) })
        .execute();
    }
    await packClosedMonths({ transaction, project: number, today: dayOf(FIRST_TIME) + days.length });
  });
  return { projectId, rows };
}

/** Counts by page and previous day, for each day of the data. `keys` are sorted. */
function countDays(keys: Float64Array, pages: number): CountRow[][] {
  const counts = createCounts(pages);
  const onPage = createPresence();
  const onSite = createPresence();
  let [visitor, page] = [-1, -1];
  for (const key of keys) {
    const pair = Math.floor(key / (DAYS * 2));
    const nextVisitor = Math.floor(pair / PAGES);
    const nextPage = pair % PAGES;
    if (nextVisitor !== visitor || nextPage !== page) onPage.close(page, counts.add);
    if (nextVisitor !== visitor) onSite.close(WHOLE_SITE, counts.add);
    [visitor, page] = [nextVisitor, nextPage];
    const rest = key % (DAYS * 2);
    const mask = rest % 2 === 1 ? AI : HUMAN;
    onPage.see(rest >> 1, mask);
    onSite.see(rest >> 1, mask);
  }
  onPage.close(page, counts.add);
  onSite.close(WHOLE_SITE, counts.add);
  return counts.days(dayOf(FIRST_TIME));
}

const kinds = { total: HUMAN | AI, human: HUMAN, ai: AI } as const;
type Kind = keyof typeof kinds;
/** `previous` is the previous day of that kind plus one, 0 for none. */
type Add = (row: { day: number; page: number; previous: number }, kind: Kind) => void;

/** The days on which one visitor viewed one page or the site. */
function createPresence() {
  const masks = new Uint8Array(DAYS);
  const seen: number[] = [];
  return {
    see(day: number, mask: number): void {
      if (masks[day] === 0) seen.push(day);
      masks[day]! |= mask;
    },
    close(page: number, add: Add): void {
      seen.sort((a, b) => a - b);
      for (const [kind, mask] of Object.entries(kinds) as [Kind, number][]) {
        let previous = 0;
        for (const day of seen) {
          if ((masks[day]! & mask) === 0) continue;
          add({ day, page, previous }, kind);
          previous = day + 1;
        }
      }
      for (const day of seen) masks[day] = 0;
      seen.length = 0;
    },
  };
}

/** Sums by day, page and previous day in growing columns: a map of objects would take gigabytes. */
function createCounts(pages: number) {
  const places = new Map<number, number>();
  let columns = { total: new Uint32Array(2 ** 16), human: new Uint32Array(2 ** 16), ai: new Uint32Array(2 ** 16) };
  const grown = (column: Uint32Array) => {
    const larger = new Uint32Array(column.length * 2);
    larger.set(column);
    return larger;
  };
  const add: Add = ({ day, page, previous }, kind) => {
    const key = (day * (pages + 1) + page) * DAYS + previous;
    let place = places.get(key);
    if (place === undefined) {
      places.set(key, (place = places.size));
      if (place >= columns.total.length) {
        columns = { total: grown(columns.total), human: grown(columns.human), ai: grown(columns.ai) };
      }
    }
    columns[kind][place]!++;
  };
  return {
    add,
    days(firstDay: number): CountRow[][] {
      const rows: CountRow[][] = [];
      for (const [key, place] of places) {
        const previous = key % DAYS;
        const page = Math.floor(key / DAYS) % (pages + 1);
        const day = Math.floor(key / DAYS / (pages + 1));
        while (rows.length <= day) rows.push([]);
        rows[day]!.push({
          page,
          previous: previous === 0 ? 0 : firstDay + previous - 1,
          human: columns.human[place]!,
          ai: columns.ai[place]!,
          total: columns.total[place]!,
        });
      }
      return rows;
    },
  };
}
