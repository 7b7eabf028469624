import { type NearChore, nearMoves } from "./near-moves.ts";

interface Offer extends NearChore {
  words: string;
  /** The input that limits the chore to pages; null if it has none. */
  part: "in" | null;
  /** Offered only for a text with one of its words, because other texts do not ask for a style change. */
  isAsked?: boolean;
}

/** Ordered by usefulness for a text that matches none of them. */
const OFFERS: readonly Offer[] = [
  {
    title: "Fix broken links",
    call: { tool: "fix_links", input: {} },
    words: "link links broken dead anchor anchors redirect redirects url urls",
    part: "in",
  },
  {
    title: "Add missing descriptions",
    call: { tool: "add_missing_descriptions", input: {} },
    words: "description descriptions introduction intro summary meta search seo preview overview",
    part: "in",
  },
  {
    title: "Repair the navigation",
    call: { tool: "repair_navigation", input: {} },
    words: "navigation nav sidebar menu structure",
    part: null,
  },
  {
    title: "Add missing pages to the navigation",
    call: { tool: "repair_navigation", input: { addOrphans: true } },
    words: "navigation nav sidebar menu orphan orphans unlisted pages",
    part: null,
  },
  {
    title: "Update the changelog from the git history",
    call: { tool: "changelog_from_history", input: {} },
    words: "changelog changes release releases version history news updates",
    part: null,
  },
  {
    title: "Use sentence case for headings",
    call: { tool: "normalise_style", input: { headingCase: "sentence" } },
    words: "heading headings capital capitals case style consistent consistency",
    part: "in",
    isAsked: true,
  },
  {
    title: "Use “-” as list markers",
    call: { tool: "normalise_style", input: { listMarker: "-" } },
    words: "list lists bullet bullets marker markers style consistent consistency",
    part: "in",
    isAsked: true,
  },
];

const MAX_WORDS = 200;

/** The chores nearest to a text, nearest first, limited to the page that it names where possible. */
export function nearestChores(text: string, pages: readonly { path: string; title: string }[]): NearChore[] {
  const words = wordsOf(text).slice(0, MAX_WORDS);
  const named = pages.filter((page) => isNamed(page, words)).slice(0, 3);
  const ranked = OFFERS.map((offer) => {
    const known = offer.words.split(" ");
    return { offer, hits: words.filter((word) => isAmong(word, known)).length };
  }).filter(({ offer, hits }) => hits > 0 || !offer.isAsked);
  const offered = ranked
    .toSorted((one, other) => other.hits - one.hits)
    .flatMap(({ offer: { title, call, part } }) => {
      if (part === null || named.length === 0) return [{ title, call }];
      const held = named.map(({ path }) => ({
        title: `${title} in ${path}`,
        call: { ...call, input: { ...call.input, [part]: [path] } },
      }));
      return [...held, { title, call }];
    });
  return [...nearMoves(text, pages), ...offered];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Tolerates one typo: `lnks`, `brokn`. */
const isAmong = (word: string, known: readonly string[]): boolean =>
  known.some((each) => each === word || (word.length >= 4 && each.length > 4 && isOneSlipFrom(word, each)));

/** Whether one letter is missing, added or replaced, or two are swapped. */
function isOneSlipFrom(word: string, right: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, right.length) - start && word.at(-1 - end) === right.at(-1 - end)) end += 1;
  const [wrong, meant] = [word, right].map((each) => each.slice(start, each.length - end)) as [string, string];
  const isExchanged = wrong.length === 2 && wrong === `${meant[1]}${meant[0]}`;
  return start > 0 && (isExchanged || Math.max(wrong.length, meant.length) <= 1);
}

function isNamed({ path, title }: { path: string; title: string }, words: readonly string[]): boolean {
  const said = ` ${words.join(" ")} `;
  const name =
    path
      .replace(/\.\w+$/, "")
      .split("/")
      .at(-1) ?? "";
  return [title, name].some((each) => {
    const phrase = wordsOf(each).join(" ");
    return phrase.length >= 4 && said.includes(` ${phrase} `);
  });
}
