import { firstIndex } from "#lib/partition.ts";
import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** A text as another reader would see it, with the original position of each of its characters. */
export interface TextView {
  text: string;
  /** The range of the original for `start` to `end` of the view. */
  original(start: number, end: number): { start: number; end: number };
}

/** The text in a view for a piece of the original: one unit, which a span covers entirely or not at all. */
export interface Unit {
  start: number;
  end: number;
  text: string;
}

/** The text with each unit replaced by its reading; null when there are no units. Units come in order. */
export function viewOf(text: string, units: Iterable<Unit>): TextView | null {
  let seen = "";
  // Pieces of the view: where each starts there, where it starts and ends in the original, and whether it is one unit.
  const starts: number[] = [];
  const origins: { start: number; end: number; isUnit: boolean }[] = [];
  const add = (piece: string, start: number, end: number, isUnit: boolean) => {
    if (piece === "") return;
    starts.push(seen.length);
    origins.push({ start, end, isUnit });
    seen += piece;
  };
  let at = 0;
  for (const unit of units) {
    add(text.slice(at, unit.start), at, unit.start, false);
    at = unit.end;
    add(unit.text, unit.start, at, true);
  }
  if (at === 0) return null;
  add(text.slice(at), at, text.length, false);
  return {
    text: seen,
    original(start, end) {
      const first = pieceAt(starts, start);
      const last = pieceAt(starts, Math.max(start, end - 1));
      const place = (piece: number, offset: number) => {
        const origin = origins[piece] ?? { start: 0, end: 0, isUnit: true };
        const begin = origin.isUnit ? origin.start : origin.start + offset - (starts[piece] ?? 0);
        return { begin, end: origin.isUnit ? origin.end : begin + 1 };
      };
      return { start: place(first, start).begin, end: place(last, Math.max(start, end - 1)).end };
    },
  };
}

// Left to right, so that an escaped backslash is a unit and never the start of the next escape. The last alternative
// matches compatibility forms of ASCII letters, digits and signs: wide, mathematical, superscript and circled.
const UNIT =
  /\\(?:[uU]\{([0-9A-Fa-f]{1,6})\}|[uU]([0-9A-Fa-f]{4})|[xX]([0-9A-Fa-f]{2})|([\\/"'bfnrt]))|&#(?:[xX]([0-9A-Fa-f]{1,6})|(\d{1,7}));?|&([A-Za-z][A-Za-z0-9]{1,31});|((?:%[89A-Fa-f][0-9A-Fa-f])+)|%([0-7][0-9A-Fa-f])|[\p{DI}\p{Cf}]+|([\u00AA\u00B2\u00B3\u00B9\u00BA\u1D2C-\u1D6A\u2070-\u209F\u2100-\u214F\u2460-\u24FF\u2C7C\u2C7D\uFB00-\uFB06\uFE33\uFE34\uFE4D-\uFE6F\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u{1F100}-\u{1F1FF}\u{1FBF0}-\u{1FBF9}]+)/gu;
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * The text with JSON and JavaScript escapes, character references and percent encoding resolved once, compatibility
 * forms as ASCII, and invisible characters removed; null when that changes nothing. Linear.
 */
export function resolvedView(text: string): TextView | null {
  return viewOf(text, resolvedUnits(text));
}

function* resolvedUnits(text: string): Iterable<Unit> {
  for (const match of text.matchAll(UNIT)) {
    const unit = resolve(match);
    if (unit !== null) yield { start: match.index, end: match.index + match[0].length, text: unit };
  }
}

function resolve(match: RegExpMatchArray): string | null {
  const [, braced, four, two, letter, hex, decimal, name, high, percent, otherForm] = match;
  const code = braced ?? four ?? two ?? hex ?? percent;
  if (code !== undefined) return fromCode(Number.parseInt(code, 16));
  if (decimal !== undefined) return fromCode(Number(decimal));
  if (letter !== undefined) return ESCAPED[letter] ?? letter;
  if (name !== undefined) return named(name);
  if (otherForm !== undefined) return otherForm.normalize("NFKC");
  if (high === undefined) return ""; // invisible
  try {
    return decodeURIComponent(high);
  } catch {
    return null;
  }
}

function named(name: string): string | null {
  const text = decodeNamedCharacterReference(name);
  return text === false ? null : visible(text);
}

function fromCode(code: number): string | null {
  return code > 0x10ffff ? null : visible(String.fromCodePoint(code));
}

/** An invisible character is removed in every encoding. */
const visible = (text: string): string => text.replaceAll(/[\p{DI}\p{Cf}]/gu, "").normalize("NFKC");

const pieceAt = (starts: readonly number[], offset: number): number =>
  Math.max(0, firstIndex(starts.length, (index) => (starts[index] ?? 0) > offset) - 1);

/** Only the letters and digits of a text: parts that were split by blanks, quotes or hyphens are joined. */
export function squeezedView(text: string): TextView {
  const parts: string[] = [];
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  for (const match of text.matchAll(/[A-Za-z0-9]+/g)) {
    parts.push(match[0]);
    starts.push(length);
    origins.push(match.index);
    length += match[0].length;
  }
  const place = (offset: number) => {
    const piece = pieceAt(starts, offset);
    return (origins[piece] ?? 0) + offset - (starts[piece] ?? 0);
  };
  return {
    text: parts.join(""),
    original: (start, end) => ({ start: place(start), end: place(Math.max(start, end - 1)) + 1 }),
  };
}
