import type { KnownNames } from "./names.ts";
import type { Token } from "./tokens.ts";

/** A run of tokens that can be one name. `cost` is how much of that is a guess. */
export interface Run {
  value: string[];
  end: number;
  cost: number;
}

/** Words that are never a whole name without quotation marks: pronouns, quantifiers and kinds of things. */
export const RESERVED: ReadonlySet<string> = new Set(
  `a an the this that these those it its them they their our my your his her all any both each every everything nothing none some no not never
  another other others one ones same new old such here there where what which who how why when if then and or but with without to of in on at by for
  from into as is are was be been do does don't did only also too just except page pages file files guide guides article articles doc docs
  document documents documentation site website repo repository project group groups section sections tab heading headings header headers navigation
  nav sidebar folder folders directory directories entry entries link links anchor anchors image images text texts title titles name names
  description descriptions term terms word words list lists place places everywhere first second third last next previous up down top bottom end
  start begin code them us me you we i`.split(/\s+/),
);

const MAX_TITLE_WORDS = 5;

/** Runs of capitalized words: “Getting Started”. A title with other words needs quotation marks, because its end is ambiguous. */
export function titleRuns(tokens: readonly Token[], at: number): Run[] {
  const runs: Run[] = [];
  const words: string[] = [];
  for (const token of tokens.slice(at, at + MAX_TITLE_WORDS)) {
    // A norm with a capital only matches a known title.
    const isTitle =
      token.kind === "word" &&
      /^[\p{Lu}\p{N}]/u.test(token.text) &&
      !/^\p{Lu}/u.test(token.norm) &&
      !isAddress(token.text);
    if (!isTitle || (words.length === 0 && /^\p{N}/u.test(token.text))) break;
    words.push(token.text);
    const isWhole = words.length > 1 || !RESERVED.has(token.norm);
    if (isWhole) runs.push({ value: [words.join(" ")], end: at + words.length, cost: 1 + words.length });
  }
  return runs;
}

/** Runs that are names of the repository, by a map of phrases. */
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

/** Whether a word is a path or an address: it has a slash, or the extension of a docs file. */
export function isAddress(word: string): boolean {
  return /\/|\.(?:mdx?|markdown|json|ya?ml|png|jpe?g|gif|svg|webp)$/i.test(word);
}
