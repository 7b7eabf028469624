import { firstIndex } from "#lib/partition.ts";
import { distance } from "fastest-levenshtein";
import { createLruCache } from "#lib/lru-cache.ts";

const MAX_SPELLINGS = 4;
const LONG = 8;
const MIN_LENGTH = 4;

/** The words of a vocabulary, for finding those that a reader may have meant. */
export interface Spelling {
  /** Whether the vocabulary contains a word, or one that begins with it. */
  has(word: string): boolean;
  /** The words with one mistake, or two if they are long; the nearest, then the most frequent ones. */
  similar(word: string): string[];
}

/**
 * Limit per word: about ten milliseconds of the thread that searches every site. Real docs need a fifth of that; in a vocabulary
 * that is designed to be slow, the words past the limit are not found.
 */
const MAX_STEPS = 20_000;
const MAX_CACHED_RESULTS = 500;

/** `vocabulary`: the most frequent words first. Transposed letters count as one mistake. */
export function createSpelling(vocabulary: readonly string[]): Spelling {
  const ranked = vocabulary.map((known, rank) => ({ known, rank }));
  const entries = ranked.toSorted((a, b) => (a.known < b.known ? -1 : a.known > b.known ? 1 : 0));
  const answers = createLruCache<string, string[]>({ maxWeight: MAX_CACHED_RESULTS });

  function find(word: string): string[] {
    const allowed = word.length >= LONG ? 2 : 1;
    const near: { known: string; rank: number; apart: number }[] = [];
    let steps = 0;
    const judge = (from: number, to: number) => {
      for (let at = from; at < to && steps < MAX_STEPS; at += 1) {
        steps += 1;
        const { known, rank } = entries[at]!;
        if (known.length < word.length - allowed || /^\d+$/.test(known)) continue;
        const apart = mistakes(word, known, allowed);
        if (apart <= allowed) near.push({ known, rank, apart });
      }
    };
    /** Extends the common prefix of a range of words as long as it can become the word. */
    const walk = (
      from: number,
      to: number,
      { depth, row, above }: { depth: number; row: number[]; above: number[] },
    ) => {
      if (to - from === 1) return judge(from, to);
      if (depth === word.length && row[depth]! < allowed) return judge(from, to);
      let at = from;
      while (at < to && entries[at]!.known.length === depth) at += 1;
      judge(from, at);
      while (at < to && steps < MAX_STEPS) {
        steps += 1;
        const end = endOfGroup(entries, { from: at, to, depth });
        const next = nextRow(word, {
          row,
          above,
          before: entries[at]!.known.charAt(depth - 1),
          letter: entries[at]!.known.charAt(depth),
        });
        if (Math.min(...next) <= allowed) walk(at, end, { depth: depth + 1, row: next, above: row });
        at = end;
      }
    };
    const first = Array.from({ length: word.length + 1 }, (_, at) => at);
    walk(0, entries.length, { depth: 0, row: first, above: first });
    return near
      .sort((a, b) => a.apart - b.apart || a.rank - b.rank)
      .slice(0, MAX_SPELLINGS)
      .map(({ known }) => known);
  }

  return {
    has(word) {
      return (
        entries[firstIndex(entries.length, (index) => entries[index]!.known >= word)]?.known.startsWith(word) ?? false
      );
    },
    similar(word) {
      if (word.length < MIN_LENGTH) return [];
      const answer = answers.get(word) ?? find(word);
      answers.set(word, answer);
      return answer;
    },
  };
}

/** The end of the words in a sorted range that share the first one's letter at `depth`. */
function endOfGroup(
  entries: readonly { known: string }[],
  { from, to, depth }: { from: number; to: number; depth: number },
): number {
  const code = entries[from]!.known.charCodeAt(depth);
  const next = from + 1;
  return next + firstIndex(to - next, (index) => entries[next + index]!.known.charCodeAt(depth) > code);
}

/**
 * The distances of a prefix to each prefix of `word`, computed from those (`row`) of the prefix that is one letter shorter.
 * A transposition of neighbors counts once (optimal string alignment).
 */
function nextRow(
  word: string,
  { row, above, before, letter }: { row: number[]; above: number[]; before: string; letter: string },
): number[] {
  const next = [row[0]! + 1];
  for (let at = 1; at <= word.length; at += 1) {
    const isSame = word[at - 1] === letter;
    let least = Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (isSame ? 0 : 1));
    if (at > 1 && word[at - 1] === before && word[at - 2] === letter) least = Math.min(least, above[at - 2]! + 1);
    next.push(least);
  }
  return next;
}

/** The distance between the typed text and a word, or the prefix of a longer one: the reader may still be typing. */
function mistakes(word: string, known: string, allowed: number): number {
  if (known.length - word.length <= allowed) {
    const whole = countMistakes(word, known);
    if (whole <= allowed) return whole;
  }
  // Half a mistake is added, so that whole words come first.
  return known.length > word.length ? countMistakes(word, known.slice(0, word.length)) + 0.5 : Number.POSITIVE_INFINITY;
}

function countMistakes(word: string, known: string): number {
  const apart = distance(word, known);
  return apart === 2 && isTransposed(word, known) ? 1 : apart;
}

/** Whether two words differ only in two transposed neighbors. */
function isTransposed(word: string, known: string): boolean {
  if (word.length !== known.length) return false;
  let at = 0;
  while (word[at] === known[at]) at += 1;
  return word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2);
}
