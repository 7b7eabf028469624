import { distance } from "fastest-levenshtein";

const MAX_SPELLINGS = 4;
const LONG = 8;
const MIN_LENGTH = 4;

/** The words of a vocabulary, to be asked for the ones that somebody may have meant. */
export interface Spelling {
  /** Whether a word, or one that begins with it, is in there. */
  has(word: string): boolean;
  /** The words that are one mistake away, two where they are long; the nearest, then the most frequent ones. */
  similar(word: string): string[];
}

/** `vocabulary`: the most frequent words first. Transposed letters are one mistake. */
export function createSpelling(vocabulary: readonly string[]): Spelling {
  const sorted = vocabulary.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    has(word) {
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle]! < word) low = middle + 1;
        else high = middle;
      }
      return sorted[low]?.startsWith(word) ?? false;
    },
    similar(word) {
      if (word.length < MIN_LENGTH) return [];
      const allowed = word.length >= LONG ? 2 : 1;
      const near: { known: string; apart: number }[] = [];
      for (const known of vocabulary) {
        if (known.length < word.length - allowed || /^\d+$/.test(known)) continue;
        const apart = mistakes(word, known, allowed);
        if (apart <= allowed) near.push({ known, apart });
      }
      // A stable sort: among equals the order of the vocabulary stays.
      return near
        .sort((a, b) => a.apart - b.apart)
        .slice(0, MAX_SPELLINGS)
        .map(({ known }) => known);
    },
  };
}

/** Between what was typed and a word, or the beginning of a longer one: the reader may not be at its end. */
function mistakes(word: string, known: string, allowed: number): number {
  if (known.length - word.length <= allowed) {
    const whole = apartBy(word, known);
    if (whole <= allowed) return whole;
  }
  // Half a mistake more, so that whole words come first.
  return known.length > word.length ? apartBy(word, known.slice(0, word.length)) + 0.5 : Number.POSITIVE_INFINITY;
}

function apartBy(word: string, known: string): number {
  const apart = distance(word, known);
  return apart === 2 && isTransposed(word, known) ? 1 : apart;
}

/** Two neighbours changed places, and all else is the same. */
function isTransposed(word: string, known: string): boolean {
  if (word.length !== known.length) return false;
  let at = 0;
  while (word[at] === known[at]) at += 1;
  return word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2);
}
