import { firstIndex } from "#lib/partition.ts";

/** A text derived from another one, with a map from its positions back to the original. */
export interface Rewritten {
  source: string;
  /** Offset in the original text; added text has the position where it was added. */
  start(offset: number): number;
  /** The same for the exclusive end of a range. */
  end(offset: number): number;
}

/** Builds a text from pieces of another one and added text, in order. */
export class Rewriter {
  readonly #from: string;
  #text = "";
  readonly #starts: number[] = [];
  readonly #origins: number[] = [];
  readonly #isCopied: boolean[] = [];

  constructor(from: string) {
    this.#from = from;
  }

  copy(start: number, end: number): void {
    if (end > start) this.#push(this.#from.slice(start, end), start, true);
  }

  add(text: string, at: number): void {
    if (text !== "") this.#push(text, at, false);
  }

  #push(text: string, origin: number, isCopied: boolean): void {
    this.#starts.push(this.#text.length);
    this.#origins.push(origin);
    this.#isCopied.push(isCopied);
    this.#text += text;
  }

  result(): Rewritten {
    const [starts, origins, isCopied] = [this.#starts, this.#origins, this.#isCopied];
    const pieceAt = (offset: number): number =>
      Math.max(0, firstIndex(starts.length, (index) => (starts[index] ?? 0) > offset) - 1);
    const start = (offset: number): number => {
      const piece = pieceAt(offset);
      const within = isCopied[piece] ? offset - (starts[piece] ?? 0) : 0;
      return (origins[piece] ?? 0) + within;
    };
    return {
      source: this.#text,
      start,
      end: (offset) => (offset > 0 && isCopied[pieceAt(offset - 1)] ? start(offset - 1) + 1 : start(offset)),
    };
  }
}

export const unchanged = (source: string): Rewritten => ({ source, start: (at) => at, end: (at) => at });

/** Composes two rewrites; `next` was derived from the text of `first`. */
export function composed(first: Rewritten, next: Rewritten): Rewritten {
  return {
    source: next.source,
    start: (offset) => first.start(next.start(offset)),
    end: (offset) => first.end(next.end(offset)),
  };
}

/** Replaces each match by the result of `replace`; null leaves the match unchanged. */
export function replaceMatches(
  source: string,
  matches: Iterable<RegExpExecArray>,
  replace: (match: RegExpExecArray) => string | null,
): Rewritten {
  const text = new Rewriter(source);
  let done = 0;
  for (const match of matches) {
    const replacement = match.index < done ? null : replace(match);
    if (replacement === null) continue;
    text.copy(done, match.index);
    text.add(replacement, match.index);
    done = match.index + match[0].length;
  }
  if (done === 0) return unchanged(source);
  text.copy(done, source.length);
  return text.result();
}
