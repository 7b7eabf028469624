import type { SearchTerm } from "./search-index.ts";
import { isUnspaced, textWords } from "./words.ts";

const MAX_QUERY = 200;
const MAX_TERMS = 10;
const MIN_STEM = 4;
const MIN_JOINED = 5;

/** Words that say nothing beside others: what a question in English is made of. */
const FILLERS = new Set(
  "a an and are as at be by can do does for from how i if in is it my of on or should that the this to we what when where which why will with you your".split(
    " ",
  ),
);
/** Endings of English words, longest first: what is before them finds the other forms. Elsewhere they find a little more. */
const ENDINGS = ["ations", "ation", "ings", "ments", "ment", "ing", "ers", "ies", "ed", "er", "es", "s", "e", "y"];

/** A word of a query. */
export interface QueryWord {
  text: string;
  /** What it makes with its neighbours, written as one: `nodejs` of `node js`. */
  joined: readonly string[];
}

/** The words of a query, folded, each once: what is to be found, and what is to be marked in what was found. */
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

/** The words that say something; all of them where none does. */
export function withoutFillers<Word extends { text: string }>(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(({ text }) => !FILLERS.has(text));
  return telling.length > 0 ? telling : words;
}

/** A word as it is looked for: it may go on, and have another ending. One letter alone does not: it begins everything. */
export function termOf({ text, joined }: QueryWord): SearchTerm {
  const isLong = text.length > 1 || isUnspaced(text);
  const stem = stemOf(text);
  return [
    { text, isPrefix: isLong },
    ...[...(stem === text ? [] : [stem]), ...joined].map((each) => ({ text: each, isPrefix: true })),
  ];
}

/** The part of an English word that its forms share: `deploy` of `deployments`. Never shorter than four letters. */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
