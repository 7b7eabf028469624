/** A word as it is searched for, and where it stands in the text. */
export interface Word {
  /** Folded: lower case, without accents, at most 64 characters. */
  text: string;
  start: number;
  end: number;
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces between words: any two neighbours are a word there. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu;
const MAX_WORD = 64;

/**
 * The words of a text in order. Letters and digits make words, so no operator of an engine is ever part of one. Of
 * scripts without spaces each pair of neighbours is a word, and the last character of a run.
 */
export function textWords(text: string, maxWords = Number.POSITIVE_INFINITY): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let at = 0;
    for (const { 0: unspaced, index: start } of run.matchAll(UNSPACED)) {
      addWord(words, run.slice(at, start), index + at);
      addPairs(words, unspaced, index + start);
      at = start + unspaced.length;
    }
    addWord(words, run.slice(at), index + at);
    if (words.length >= maxWords) break;
  }
  return words.length > maxWords ? words.slice(0, maxWords) : words;
}

/** What an index keeps of a text: its words, and the parts of names such as `siteDomain`, which may be asked for alone. */
export function indexedWords(text: string, maxWords: number): string[] {
  const indexed: string[] = [];
  for (const { text: word, start, end } of textWords(text, maxWords)) {
    indexed.push(word);
    const written = text.slice(start, end);
    if (!/\p{Ll}\p{Lu}/u.test(written)) continue;
    for (const part of written.split(/(?<=\p{Ll})(?=\p{Lu})/u)) indexed.push(fold(part));
  }
  return indexed.filter((word) => word !== "");
}

/** Whether a word is of a script without spaces, where two characters say as much as a word does elsewhere. */
export const isUnspaced = (word: string): boolean => word.search(UNSPACED) === 0;

function addWord(words: Word[], written: string, start: number): void {
  const text = fold(written);
  if (text !== "") words.push({ text, start, end: start + written.length });
}

function addPairs(words: Word[], run: string, start: number): void {
  const characters = Array.from(run);
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? "";
    words.push({ text: fold(character + next), start: at, end: at + character.length + next.length });
    at += character.length;
  }
}

/** Compatibility forms and accents are one to a reader who types: `ﬁ` is `fi`, `Ü` is `u`. */
function fold(written: string): string {
  const plain = /^[\da-zA-Z]*$/.test(written)
    ? written
    : written
        .normalize("NFKD")
        .replaceAll(/[\u0300-\u036f]/g, "")
        .normalize("NFC");
  const lower = plain.toLowerCase();
  return lower.length > MAX_WORD ? lower.slice(0, MAX_WORD) : lower;
}
