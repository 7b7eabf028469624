/** The delimiters of a quotation. */
interface Marks {
  open: string;
  close: string;
  /** Its maximum length in characters. */
  most: number;
  /**
   * It begins after white space or a bracket, and ends before white space or punctuation, so that an apostrophe does not
   * begin one.
   */
  isTyped?: true;
  /** A mark before a letter is an apostrophe. */
  mayBeApostrophe?: true;
  /** One space on the inside belongs to the delimiters. */
  isPadded?: true;
}

const MARKS: ReadonlyMap<string, Marks> = new Map(
  (
    [
      { open: '"', close: '"', most: 4_000, isTyped: true },
      { open: "'", close: "'", most: 400, isTyped: true, mayBeApostrophe: true },
      { open: "`", close: "`", most: 4_000, isTyped: true },
      { open: "“", close: "”", most: 4_000 },
      { open: "‘", close: "’", most: 400, mayBeApostrophe: true },
      { open: "«", close: "»", most: 4_000, isPadded: true },
      { open: "„", close: "“”", most: 4_000 },
      { open: "「", close: "」", most: 4_000 },
    ] as const
  ).map((marks) => [marks.open, marks]),
);
const OPENS = /["'`“‘«„「]/g;
const BEFORE = /^[\s([{:,=>→]$/;
const AFTER = /^[\s.,;:!?)\]}→<-]$/;

/** The characters that a quotation may begin with. */
export const BEGINS_QUOTATION = /^["'`“‘«„「]/;

/** Replaces each quotation, in linear time. */
export function replaceQuotations(text: string, replaced: (quoted: string) => string): string {
  let result = "";
  let from = 0;
  const next = new Map<string, number>();
  for (OPENS.lastIndex = 0; ;) {
    const found = OPENS.exec(text);
    if (!found) return result + text.slice(from);
    const quotation = quotationAt(text, found.index, next);
    if (!quotation) continue;
    result += text.slice(from, found.index) + replaced(quotation.quoted);
    from = OPENS.lastIndex = quotation.end;
  }
}

/**
 * The quotation that begins at a character. `next`: positions of delimiters that were found, so that none is searched for
 * twice.
 */
export function quotationAt(
  text: string,
  at: number,
  next = new Map<string, number>(),
): { quoted: string; end: number } | null {
  const marks = MARKS.get(text.charAt(at));
  if (!marks || (marks.isTyped && at > 0 && !BEFORE.test(text.charAt(at - 1)))) return null;
  const close = closeOf(text, at + 1, marks, next);
  if (close < 0 || close - at - 1 > marks.most || close === at + 1) return null;
  if (marks.isTyped && close + 1 < text.length && !AFTER.test(text.charAt(close + 1))) return null;
  const quoted = text.slice(at + 1, close);
  const bare = marks.isPadded && quoted.length > 1 ? quoted.replace(/^\s/, "").replace(/\s$/, "") : quoted;
  return bare === "" ? null : { quoted: bare, end: close + 1 };
}

/** The end of a quotation on its line; less than 0 if it has none. */
function closeOf(
  text: string,
  from: number,
  { open, close, mayBeApostrophe }: Marks,
  next: Map<string, number>,
): number {
  const known = next.get(open);
  if (known !== undefined && Math.abs(known) >= from) return known;
  let at = from;
  for (; at < text.length && text.charAt(at) !== "\n"; at += 1) {
    if (!close.includes(text.charAt(at))) continue;
    if (!(mayBeApostrophe && /\p{L}/u.test(text.charAt(at + 1)))) break;
  }
  // If the line ends first, that is recorded as well.
  const found = at < text.length && text.charAt(at) !== "\n" ? at : -at;
  next.set(open, found);
  return found;
}
