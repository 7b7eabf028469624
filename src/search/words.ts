/** A word as it is indexed, and its position in the text. */
export interface Word {
  /** Folded: lower case, without accents, at most 64 characters. */
  text: string;
  start: number;
  end: number;
}

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces between words: any two adjacent characters are a word there. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu;
const MAX_WORD = 64;
/** The boundaries between the parts of a name such as `siteDomain` or `HTMLParser`. */
const PART = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const MAX_PARTS = 8;
/** Characters that join words to one name: `Node.js`, `e-mail`, `get_user`. */
const JOINTS = "._-";
const MAX_JOINED = 4;

/**
 * The words of a text in order. Words consist of letters and digits, so no operator of an engine is ever part of one. In
 * scripts without spaces each pair of adjacent characters is a word, and the last character of a run.
 */
export function textWords(text: string, maxWords = Number.POSITIVE_INFINITY): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let at = 0;
    if (isAscii(run)) {
      addWord(words, run, index);
      if (words.length >= maxWords) break;
      continue;
    }
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

/**
 * The words of a text, and further words that find them: `getUserById` by each part and from each part to its end
 * (`UserById`), `Node.js` as `nodejs`. In the order in which they begin.
 */
export function namedWords(text: string, maxWords = Number.POSITIVE_INFINITY): Word[] {
  const words = textWords(text, maxWords);
  const named: Word[] = [];
  for (const [index, word] of words.entries()) {
    const joined = joinedWord(words, index, text);
    if (joined !== null) named.push(joined);
    named.push(word);
    const written = text.slice(word.start, word.end);
    if (written === word.text) continue; // most words contain no capital
    const parts = written.split(PART, MAX_PARTS);
    let start = word.start;
    for (const part of parts.length > 1 ? parts : []) {
      if (start > word.start) addWord(named, text.slice(start, word.end), start);
      addWord(named, part, start);
      start += part.length;
    }
  }
  return named;
}

/** Whether a word is in a script without spaces, in which two characters carry as much meaning as a word elsewhere. */
export const isUnspaced = (word: string): boolean => word.search(UNSPACED) === 0;

/** The joined name that begins with a word and continues after a joint; null inside a name, and for numbers. */
function joinedWord(words: readonly Word[], first: number, text: string): Word | null {
  const isJoined = (at: number) => {
    const [before, word] = [words[at - 1], words[at]];
    return before?.end === (word?.start ?? 0) - 1 && JOINTS.includes(text.charAt(before.end));
  };
  if (isJoined(first)) return null;
  let end = first + 1;
  while (end - first < MAX_JOINED && isJoined(end)) end += 1;
  if (end === first + 1) return null;
  const parts = words.slice(first, end);
  const joined = parts.map((part) => part.text).join("");
  if (joined.length > MAX_WORD || /^\d*$/.test(joined)) return null;
  return { text: joined, start: parts[0]!.start, end: parts.at(-1)!.end };
}

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

/** Most words are, and need none of the slower steps. */
const isAscii = (run: string): boolean => /^[\da-zA-Z]*$/.test(run);

/** Normalizes compatibility forms and accents, which readers do not type: `ﬁ` is `fi`, `Ü` is `u`. */
function fold(written: string): string {
  const plain = isAscii(written)
    ? written
    : written
        .normalize("NFKD")
        .replaceAll(/[\u0300-\u036f]/g, "")
        .normalize("NFC");
  const lower = plain.toLowerCase();
  return lower.length > MAX_WORD ? lower.slice(0, MAX_WORD) : lower;
}
