import type { SearchTerm } from "./search-index.ts";
import { isUnspaced, textWords } from "./words.ts";

const MAX_QUERY = 200;
const MAX_TERMS = 10;
const MIN_STEM = 4;
const MIN_JOINED = 5;

/** Filler words, which carry no meaning next to others: those that an English question consists of. */
const FILLERS = new Set(
  "a an and are as at be by can do does for from how i if in is it my of on or should that the this to we what when where which why will with you your".split(
    " ",
  ),
);
/** Endings of English words, longest first: the stem before one finds the other forms. Other languages find a little more. */
const ENDINGS = ["ations", "ation", "ings", "ments", "ment", "ing", "ers", "ies", "ed", "er", "es", "s", "e", "y"];

/** A word of a query. */
export interface QueryWord {
  text: string;
  /** The word joined with its neighbors: `nodejs` of `node js`. */
  joined: readonly string[];
}

/** The words of a query, folded and without duplicates, for finding and for marking matches. */
export function queryWords(query: string): QueryWord[] {
  const written = textWords(query.slice(0, MAX_QUERY), MAX_TERMS * 2).map(({ text }) => text);
  const words = new Map<string, QueryWord>();
  for (const [index, text] of written.entries()) {
    const joined = [(written[index - 1] ?? "") + text, text + (written[index + 1] ?? "")].filter(
      (each) => each.length >= MIN_JOINED && each !== text && !isUnspaced(each),
    );
    if (!words.has(text)) words.set(text, { text, joined });
  }
  return withoutFillers([...words.values()]).slice(0, MAX_TERMS);
}

/** The words without fillers; all of them if there are only fillers. */
export function withoutFillers<Word extends { text: string }>(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(({ text }) => !FILLERS.has(text));
  return telling.length > 0 ? telling : words;
}

/** The search term for a word: it also matches as a prefix, and with other endings. A single letter begins too many words. */
export function termOf({ text, joined }: QueryWord): SearchTerm {
  const isLong = text.length > 1 || isUnspaced(text);
  const stem = stemOf(text);
  return [
    { text, isPrefix: isLong },
    ...[...(stem === text ? [] : [stem]), ...joined].map((each) => ({ text: each, isPrefix: true })),
  ];
}

/** The stem that the forms of an English word share: `deploy` of `deployments`. Never shorter than four letters. */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
