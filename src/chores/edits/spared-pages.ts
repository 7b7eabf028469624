import { count } from "#tools/outcome.ts";

/** A page that a chore left as it was, because of what the page is. */
export interface SparedPage {
  path: string;
  /** Where its problem is, from 1; null where no line can be named. */
  line: number | null;
  /** Why, as it follows the path: `does not parse (…)`. */
  reason: string;
}

/** What a page costs that cannot be read, parsed or written: itself. The first reason of each page counts. */
export interface SparedPages {
  add(page: SparedPage): void;
  /** In path order. */
  all(): SparedPage[];
}

const MAX_LISTED = 25;
const MAX_REASON = 300;

export function createSparedPages(): SparedPages {
  const byPath = new Map<string, SparedPage>();
  return {
    add(page) {
      if (!byPath.has(page.path)) byPath.set(page.path, page);
    },
    all: () => [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** A line of the report for each of the pages. */
export function sparedNotes(pages: readonly SparedPage[]): string[] {
  const shown = pages.slice(0, MAX_LISTED).map(({ path, line, reason }) => {
    const why = reason.replaceAll(/\s+/g, " ").slice(0, MAX_REASON);
    return `\`${path}${line === null ? "" : `:${line}`}\` ${why}.`;
  });
  return pages.length > shown.length ? [...shown, `… and ${count(pages.length - shown.length, "page")} more.`] : shown;
}
