import type { KnownNames } from "./names.ts";
import type { Token } from "./tokens.ts";
import { CHORE_VERBS } from "./vocabulary.ts";

/** A run of tokens that can be one name; `cost` says how much of that is a guess. */
export interface Run {
  value: string[];
  end: number;
  cost: number;
}

/** Words that are never the whole of a name without quotation marks: they point, count or name a kind of thing. */
export const RESERVED: ReadonlySet<string> = new Set(
  `a an the this that these those it its them they their our my your his her all any both each every everything nothing none some no not never
  another other others one ones same new old such here there where what which who how why when if then and or but with without to of in on at by for
  from into as is are was be been do does don't did only also too just except page pages file files guide guides article articles doc docs
  document documents documentation site website repo repository project group groups section sections tab heading headings header headers navigation
  nav sidebar folder folders directory directories entry entries link links anchor anchors image images text texts title titles name names
  description descriptions term terms word words list lists place places everywhere first second third last next previous up down top bottom end
  start begin code them us me you we i`.split(/\s+/),
);

/** Between the words of a title: “Links and redirects”. */
const JOINERS: ReadonlySet<string> = new Set(["and", "of", "the", "for", "to", "&", "in", "on", "with", "a", "an"]);
const OPEN_JOINERS: ReadonlySet<string> = new Set(["and", "of", "the", "for", "to", "&"]);
/** Behind “and”: another instruction, or another thing to do the same to. */
const GOES_ON: ReadonlySet<string> = new Set([
  ...CHORE_VERBS,
  "page",
  "group",
  "section",
  "it",
  "its",
  "then",
  "also",
  "in",
  "on",
]);

/**
 * Runs that begin with a capital, up to six words: “Getting Started”, “Links and redirects”. Words in lower case behind a joiner
 * cost more, so that “Redirects and update” gives way to a reading in which the rest means something.
 */
export function titleRuns(tokens: readonly Token[], at: number): Run[] {
  const runs: Run[] = [];
  const words: string[] = [];
  let cost = 1;
  for (let next = at; next < tokens.length && words.length < MAX_TITLE_WORDS; next += 1) {
    const token = tokens[next];
    const before = words.at(-1)?.toLowerCase() ?? "";
    const isAmpersand = token?.text === "&";
    const follows = tokens[next + 1]?.norm === "the" ? tokens[next + 2] : tokens[next + 1];
    const mayGoOn = token?.norm === "and" && GOES_ON.has(follows?.norm ?? "") && !/^\p{Lu}/u.test(follows?.text ?? "");
    if (mayGoOn && words.length > 0) break;
    if (token === undefined || (token.kind !== "word" && !isAmpersand) || isAddress(token.text)) break;
    const isCapital = /^[\p{Lu}\p{N}]/u.test(token.text);
    // A norm with a capital stands for nothing but a title that is known.
    if (words.length === 0 && (!/^\p{Lu}/u.test(token.text) || /^\p{Lu}/u.test(token.norm))) break;
    if (!isCapital && !JOINERS.has(token.norm) && !OPEN_JOINERS.has(before)) break;
    words.push(token.text);
    cost += isCapital ? 1 : 3;
    const isWhole = !JOINERS.has(token.norm) && !(words.length === 1 && RESERVED.has(token.norm));
    if (isWhole) runs.push({ value: [words.join(" ")], end: next + 1, cost });
  }
  return runs;
}
const MAX_TITLE_WORDS = 7;

/** Runs that the repository knows, by a map of phrases. */
export function knownRuns(
  { tokens, names }: { tokens: readonly Token[]; names: KnownNames },
  at: number,
  isKnown: (phrase: string) => boolean,
): Run[] {
  const runs: Run[] = [];
  const words: Token[] = [];
  for (let next = at; next < tokens.length && words.length < names.longest; next += 1) {
    const token = tokens[next];
    if (token === undefined || token.kind === "quote") break;
    if (token.kind === "sign" && !/^[-&:,]$/.test(token.norm)) break;
    words.push(token);
    const phrase = words.map(({ norm }) => norm.toLowerCase().replaceAll(/[,;:()]/g, "")).filter(Boolean).join(" "); // oxfmt-ignore
    const isBare = token.kind === "word";
    if (isBare && isKnown(phrase)) {
      runs.push({ value: [words.map(({ text }) => text).join(" ")], end: next + 1, cost: 0 });
    }
  }
  return runs;
}

/** A path or an address: it has a slash, or the ending of a file of the docs. */
export function isAddress(word: string): boolean {
  return /\/|\.(?:mdx?|markdown|json|ya?ml|png|jpe?g|gif|svg|webp)$/i.test(word);
}
