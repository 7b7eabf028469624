/** A word of a page, in lower case. */
export interface PlacedWord {
  word: string;
  /** Line of the text that it stands in, from 1. */
  line: number;
  /** How many words it may be: letters that are written together make a sentence, too. An address is one. */
  weight: number;
}

// A letter is a word in these scripts, also behind Latin letters: markup between them must not change the words. `scx`, as
// scripts share marks such as the ー of コード.
const LETTER_WORD = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]`;
const WORD = new RegExp(
  String.raw`(?=[\p{L}\p{N}])(?:${LETTER_WORD}|(?:(?!${LETTER_WORD})[\p{L}\p{N}])(?:(?!${LETTER_WORD})[\p{L}\p{M}\p{N}])*)`,
  "gu",
);
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`)\]|,]+/gi;
/** Names of things are seldom longer; what is may be several words of some six letters. */
const LONG_WORD = 16;
const USUAL_WORD = 6;

/**
 * The words of a text; marks of Markdown within a word are no ends of it, an address is one word, and letters of scripts
 * without blanks are words each.
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
