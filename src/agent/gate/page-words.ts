/** A word of a page, in lower case. */
export interface PlacedWord {
  word: string;
  /** Line in the text, from 1. */
  line: number;
  /** The number of words it may stand for, because words can be written without spaces. An address is one word. */
  weight: number;
}

// In these scripts each letter is a word, also after Latin letters: markup between them must not change the words.
// `scx` because scripts share characters such as the ー of コード.
const LETTER_WORD = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]`;
const WORD = new RegExp(
  String.raw`(?=[\p{L}\p{N}])(?:${LETTER_WORD}|(?:(?!${LETTER_WORD})[\p{L}\p{N}])(?:(?!${LETTER_WORD})[\p{L}\p{M}\p{N}])*)`,
  "gu",
);
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`)\]|,]+/gi;
/** Identifiers are rarely longer; a longer word may be several words of some six letters. */
const LONG_WORD = 16;
const USUAL_WORD = 6;

/**
 * The words of a text. Markdown syntax within a word does not split it, an address is one word, and each letter of a
 * script without spaces is a word.
 */
export function pageWords(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const addresses = new Set<string>();
    const plain = decoded(line)
      .replaceAll(ADDRESS, (address) => {
        const word = address.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");
        addresses.add(word);
        return word;
      })
      .replaceAll(/[*_`~\\'’]/g, "");
    for (const [word] of plain.matchAll(WORD)) {
      const isLong = word.length >= LONG_WORD && !addresses.has(word) && !/\d/.test(word);
      const weight = isLong ? Math.floor(word.length / USUAL_WORD) : 1;
      words.push({ word: word.toLowerCase(), line: index + 1, weight });
    }
  }
  return words;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
const decoded = (line: string) =>
  line
    .replaceAll(/&#(x[\da-f]{1,4}|\d{1,5});/gi, (_, code: string) => String.fromCharCode(Number(`0${code}`)))
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
