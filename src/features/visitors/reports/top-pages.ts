import { WHOLE_SITE } from "#features/visitors/labels.ts";
import type { PageNames } from "./counts-cache.ts";

export interface Counts {
  human: number;
  ai: number;
  total: number;
}

export interface PageCounts extends Counts {
  path: string;
}

/** Sums by page label, filled by the queries; index 0 is the whole site. */
export interface Sums {
  human: Float64Array;
  ai: Float64Array;
  total: Float64Array;
}

export function emptySums(size: number): Sums {
  return { human: new Float64Array(size), ai: new Float64Array(size), total: new Float64Array(size) };
}

/** One page of the list: total descending, then path ascending by code point; pages without a count are left out. */
export function topPages(sums: Sums, names: PageNames, window: { limit: number; offset: number }) {
  // One number per page combines its total and its reversed position in path order: a typed array sorts 2,000 of them
  // in 0.1 ms. Exact while total times pages stays under 2^53.
  const scale = names.paths.size + 1;
  const labels = new Uint32Array(names.paths.size);
  const keys = new Float64Array(names.paths.size);
  let found = 0;
  for (const label of names.paths.keys()) {
    const total = sums.total[label] ?? 0;
    if (total <= 0) continue;
    const place = names.rank[label] ?? 0;
    labels[place] = label;
    keys[found++] = total * scale + (scale - 1 - place);
  }
  const ordered = keys.subarray(0, found).sort();
  const pages: PageCounts[] = [];
  for (let index = window.offset; index < found && pages.length < window.limit; index++) {
    const key = ordered[found - 1 - index] ?? 0;
    const label = labels[scale - 1 - (key % scale)] ?? 0;
    pages.push({ path: names.paths.get(label) ?? "", ...countsAt(sums, label) });
  }
  return { totals: countsAt(sums, WHOLE_SITE), pages, hasMore: window.offset + pages.length < found };
}

/** Zeros for a path without a view. */
export function countsOfPath(sums: Sums, names: PageNames, path: string): Counts {
  for (const [label, name] of names.paths) if (name === path) return countsAt(sums, label);
  return { human: 0, ai: 0, total: 0 };
}

function countsAt(sums: Sums, label: number): Counts {
  return { human: sums.human[label] ?? 0, ai: sums.ai[label] ?? 0, total: sums.total[label] ?? 0 };
}
