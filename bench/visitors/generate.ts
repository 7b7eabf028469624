import { createRandom } from "#test/support/random.ts";

/** One view of the generated data, with everything that the engines receive. */
export interface GeneratedView {
  time: number;
  /** Number of the visitor; visitors below `aiFrom` share of the numbers are people. */
  visitor: number;
  page: number;
  isAi: boolean;
}

export interface DataShape {
  views: number;
  days: number;
  pages: number;
  seed: number;
}

/** First day of all generated data. */
export const FIRST_TIME = Date.UTC(2025, 10, 1);
const DAY_MS = 86_400_000;

/**
 * Views in order of time, as sessions of 1 to 12 pages: Zipf pages, 40 % of sessions by new visitors, heavy-tailed returns of
 * recent visitors and a few regulars, 21 % of views by AI readers, some visitors seen as both.
 */
export function* generateViews({ views, days, pages, seed }: DataShape): Generator<GeneratedView> {
  const random = createRandom(seed);
  const cumulative = new Float64Array(pages);
  let sum = 0;
  for (let page = 0; page < pages; page++) cumulative[page] = sum += 1 / (page + 1) ** 0.9;
  const pickPage = () => {
    const target = random() * sum;
    let low = 0;
    let high = pages - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulative[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  let visitors = 0;
  const step = (days * DAY_MS) / views;
  let made = 0;
  while (made < views) {
    const isNew = visitors < 10 || random() < 0.4;
    // Half of the returns are recent visitors, half come from a core of regulars.
    const back = Math.floor(random() ** 3 * visitors);
    const visitor = isNew ? visitors++ : random() < 0.5 ? visitors - 1 - back : Math.floor(back / 8);
    const kind = (Math.imul(visitor, 2_654_435_761) >>> 0) / 2 ** 32; // per visitor, not per session
    const aiShare = kind < 0.2 ? 0.95 : kind < 0.3 ? 0.2 : 0;
    const length = 1 + Math.floor(random() ** 2 * 8);
    for (let index = 0; index < length && made < views; index++, made++) {
      yield { time: FIRST_TIME + Math.floor(made * step), visitor, page: pickPage(), isAi: random() < aiShare };
    }
  }
}
