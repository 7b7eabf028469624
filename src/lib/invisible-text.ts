import { firstIndex } from "./partition.ts";
/** A run of invisible characters: its place (UTF-16) and its characters. */
export interface InvisibleRun {
  start: number;
  end: number;
  text: string;
}

// What Unicode calls ignorable by default (zero-width, soft hyphen, bidi controls, tags, variation selectors, fillers),
// control characters, line separators, annotations, and a blank symbol.
const CANDIDATE = /[\p{DI}\p{Cc}\p{Zl}\p{Zp}\uFFF9-\uFFFB\u2800]/gu;
const JOINED_SCRIPTS =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Nko}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}" +
  "\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}" +
  "\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}";
const JOINS = new RegExp(`[${JOINED_SCRIPTS}]`, "u");
const BREAKS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;
/** Each selects a variant of the character before it; a sequence of them can encode any bytes. */
const SHAPE_SELECTOR = /[\u{E0100}-\u{E01EF}\uFE00-\uFE02]/u;
const MAX_SHAPES = 8;
/** The flags of England, Scotland and Wales: a black flag, tags, and the tag that ends them. */
const TAGGED_FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu;

/**
 * The invisible characters of a text that its script does not need. Allowed: tabs and line ends, a byte order mark at
 * the start, joiners inside emoji and between letters of joining scripts (Persian, Hindi), direction marks next to
 * right-to-left letters, variation selectors of emoji, and a few after an ideograph or mathematical sign. Linear.
 */
export function invisibleRuns(text: string): InvisibleRun[] {
  const flags = new Set<number>();
  for (const flag of text.matchAll(TAGGED_FLAG)) {
    for (let at = flag.index + 2; at < flag.index + flag[0].length; at += 1) flags.add(at);
  }
  const runs: InvisibleRun[] = [];
  let shapes = 0;
  for (const { 0: character, index } of text.matchAll(CANDIDATE)) {
    if (/[\t\n\r]/.test(character) || flags.has(index)) continue;
    const isSelector = SHAPE_SELECTOR.test(character);
    if (isSelector) shapes += 1;
    if (!(isSelector && shapes > MAX_SHAPES) && isNeeded(text, index, character)) continue;
    const last = runs.at(-1);
    const end = index + character.length;
    if (last?.end === index) {
      last.end = end;
      last.text += character;
    } else runs.push({ start: index, end, text: character });
  }
  return runs;
}

function isNeeded(text: string, index: number, character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const before = characterBefore(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + character.length) ?? 0);
  if (code === 0xfeff) return index === 0;
  if (code === 0x200d && PICTURE.test(before) && PICTURE.test(after)) return true;
  if (code === 0x200c || code === 0x200d) return JOINS.test(before) && JOINS.test(after);
  if (code === 0x200b) return BREAKS.test(before) && BREAKS.test(after);
  if (code === 0x200e || code === 0x200f || code === 0x061c)
    return RIGHT_TO_LEFT.test(before) || RIGHT_TO_LEFT.test(after);
  if (code === 0xfe0e || code === 0xfe0f) {
    // Digits, # and * have variants in keycaps only: 1️⃣.
    return /[0-9#*]/.test(before) ? after === "\u20E3" : /\p{Emoji}/u.test(before);
  }
  if (code === 0xfe00 && /\p{Sm}/u.test(before)) return true;
  if (code >= 0xfe00 && code <= 0xfe02) return /\p{Script=Han}/u.test(before);
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before);
  if (code >= 0x180b && code <= 0x180f) return code !== 0x180e && /\p{Script=Mongolian}/u.test(before);
  return false;
}

function characterBefore(text: string, index: number): string {
  const low = text.charCodeAt(index - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && index > 1;
  return index === 0 ? "" : text.slice(index - (isPair ? 2 : 1), index);
}

/** `U+200B`: how an invisible character is written for people. */
export function nameOfCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A text without its invisible characters, with the original place of each remaining one: `offsetOf(n)` for 0 to the
 * text's length.
 */
export interface CutText {
  text: string;
  offsetOf(offset: number): number;
}

export function withoutInvisible(text: string): CutText {
  const runs = invisibleRuns(text);
  if (runs.length === 0) return { text, offsetOf: (offset) => offset };
  let visible = "";
  let at = 0;
  const cuts: { offset: number; left: number }[] = [];
  let left = 0;
  for (const { start, end } of runs) {
    visible += text.slice(at, start);
    at = end;
    left += end - start;
    cuts.push({ offset: visible.length, left });
  }
  return {
    text: visible + text.slice(at),
    // Characters that were removed right before a character belong to the text before them.
    offsetOf(offset) {
      const next = firstIndex(cuts.length, (index) => (cuts[index]?.offset ?? 0) > offset);
      return offset + (cuts[next - 1]?.left ?? 0);
    },
  };
}
