import { WHOLE_SITE } from "#features/visitors/labels.ts";
import type { DayCountRow, IndexStore, PresenceKey, PresenceRow } from "./index-store.ts";
import {
  addPresence,
  decodePresence,
  encodePresence,
  HUMAN,
  AI,
  type PresenceDays,
} from "#features/visitors/presence.ts";

/** The fields of a counted view that the visitor index needs. */
export interface Appearance {
  visitor: number;
  page: number;
  day: number;
  mask: number;
}

/**
 * Adds counted views to the visitor index of a project, in any order of days. Idempotent. The caller holds the
 * project's write lock. Returns how many rows of counts it wrote.
 */
export async function addAppearances(
  store: IndexStore,
  project: number,
  appearances: readonly Appearance[],
): Promise<number> {
  const groups = groupByKey(appearances);
  const stored = await store.readPresence(project, groups);
  const changes = createCountChanges();
  const written: PresenceRow[] = [];
  for (const [index, group] of groups.entries()) {
    const row = stored[index];
    const days: PresenceDays = row ? decodePresence(row.last, row.earlier) : [];
    const change = changes.forPage(group.page);
    let isChanged = false;
    for (const { day, mask } of group.days) isChanged = addPresence(days, day, mask, change) || isChanged;
    if (isChanged) written.push({ visitor: group.visitor, page: group.page, ...encodePresence(days) });
  }
  await store.writePresence(project, written);
  const counts = changes.rows();
  await store.addCounts(project, counts);
  return counts.length;
}

interface KeyGroup extends PresenceKey {
  days: { day: number; mask: number }[];
}

/** Appearances by visitor and page and by visitor on the site, sorted like the presence table. */
function groupByKey(appearances: readonly Appearance[]): KeyGroup[] {
  const visitors = new Map<number, Map<number, KeyGroup>>();
  for (const { visitor, page, day, mask } of appearances) {
    const pages = visitors.get(visitor) ?? new Map<number, KeyGroup>();
    visitors.set(visitor, pages);
    for (const key of [WHOLE_SITE, page]) {
      const group = pages.get(key);
      if (!group) {
        pages.set(key, { visitor, page: key, days: [{ day, mask }] });
        continue;
      }
      const known = group.days.find((one) => one.day === day);
      if (known) known.mask |= mask;
      else group.days.push({ day, mask });
    }
  }
  return [...visitors.values()]
    .flatMap((pages) => [...pages.values()])
    .sort((a, b) => a.visitor - b.visitor || a.page - b.page);
}

/** Collects changes of counts; those that cancel out leave no row. */
export function createCountChanges() {
  const rows = new Map<number, Map<number, DayCountRow>>(); // by page, then by day and previous day
  return {
    forPage(page: number) {
      const known = rows.get(page) ?? new Map<number, DayCountRow>();
      rows.set(page, known);
      return (day: number, previous: number, bits: number, step: number): void => {
        const key = day * 65_536 + previous;
        let row = known.get(key);
        if (!row) known.set(key, (row = { day, page, previous, human: 0, ai: 0, total: 0 }));
        if (bits === HUMAN) row.human += step;
        else if (bits === AI) row.ai += step;
        else row.total += step;
      };
    },
    rows(): DayCountRow[] {
      const all: DayCountRow[] = [];
      for (const ofPage of rows.values()) {
        for (const row of ofPage.values()) if (row.human !== 0 || row.ai !== 0 || row.total !== 0) all.push(row);
      }
      return all.sort((a, b) => a.day - b.day || a.page - b.page || a.previous - b.previous);
    },
  };
}
