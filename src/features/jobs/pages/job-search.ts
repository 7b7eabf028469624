import { DAY_MS, readCalendarDay } from "#lib/clock.ts";
import type { JobSearch } from "#features/jobs/list.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

/** The search of a job list as in its address. Empty fields, and dates that do not exist, do not restrict. */
export interface EnteredSearch {
  words: string;
  /** A name, or `me`. */
  by: string;
  /** First and last day in UTC, both inclusive: 2026-11-28. */
  from: string;
  to: string;
}

export const MINE = "me";
const MAX_CHARACTERS = 200;
const MAX_WORDS = 8;

export function readEntered(query: (name: string) => string | undefined): EnteredSearch {
  const text = (name: string) => (query(name) ?? "").trim().slice(0, MAX_CHARACTERS);
  const day = (name: string) => (readCalendarDay(text(name)) === null ? "" : text(name));
  return { words: text("search"), by: text("by"), from: day("from"), to: day("to") };
}

/** `email`: of the person who reads the list; null for an API key, which has no jobs of its own by `me`. */
export function searchOf({ words, by, from, to }: EnteredSearch, email: string | null): JobSearch {
  const last = readCalendarDay(to);
  return {
    words: words
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, MAX_WORDS),
    askedBy: by === "" ? null : by === MINE && email !== null ? { email } : { name: by },
    from: readCalendarDay(from),
    to: last && new Date(last.getTime() + DAY_MS),
  };
}

/** The parameters that are set, in the order of the form. */
export const entriesOf = ({ words, by, from, to }: EnteredSearch): [string, string][] =>
  Object.entries({ search: words, by, from, to }).filter(([, value]) => value !== "");

/** The form of the search. `people`: names to choose from; `isPerson`: whether “Mine” makes sense. */
export function jobSearchForm(form: {
  path: string;
  status: string;
  entered: EnteredSearch;
  people: readonly string[];
  isPerson: boolean;
}): Html {
  const { path, status, entered, people, isPerson } = form;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === entered.by && html` selected`}>${raw(visibleHtml(label))}</option>`;
  const known = [...(isPerson ? [MINE] : []), ...people];
  const others = entered.by === "" || known.includes(entered.by) ? people : [...people, entered.by];
  return html`<form class="inline search block" method="get" action="${path}" role="search">
    ${status !== "all" && html`<input type="hidden" name="status" value="${status}" />`}
    <input name="search" type="search" aria-label="Words of the title or instruction" placeholder="Search jobs" maxlength="${MAX_CHARACTERS}" value="${entered.words}" />
    <select name="by" aria-label="Asked by">${option("", "By anyone")}${isPerson && option(MINE, "Mine")}${others.map((name) => option(name, name))}</select>
    <input name="from" type="date" aria-label="First day" title="First day" value="${entered.from}" />
    <input name="to" type="date" aria-label="Last day" title="Last day" value="${entered.to}" />
    <button class="button">Search</button>
  </form>`;
}
