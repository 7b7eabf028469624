import { isLabel } from "./asides.ts";
import { isCourtesy, isQuestion as asksWhether, trimClause } from "./courtesies.ts";
import { QUOTED } from "./grammar/prompt-text.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";

/** One sentence of a protected prompt, without courtesies. */
export interface Sentence {
  text: string;
  /** The line that introduces the list in which it stands, without its colon. */
  lead: string | null;
  /** It ends in a question mark, and is no polite request. */
  isQuestion?: true;
  /** A semicolon joins it to the sentence before. */
  isJoined?: true;
  /** The introduction of a list that it stands near to, and does not belong to for certain. */
  under?: string;
  /** It is a line below an introduction, without the sign of a list. */
  isBelow?: true;
  /** “Also in headings”, “in api/ too”: beside something else, as far as it is no instruction. */
  isAlso?: true;
  /** What it says of its place among the others. */
  order?: "first" | "last" | "after" | "back";
  /** It stands alone as the first paragraph and ends in no sign, as the title of an issue does. */
  isTitle?: true;
}

export const MAX_INSTRUCTIONS = 40;
/** Beyond it the number of instructions is told, not counted to its end. */
const MAX_COUNTED = 400;

const ALSO = /^(?:and[\s,]+)?also\b|\b(?:too|as well)\b[^\uE000]{0,40}$/i;
/** A place that nothing but “also” or “too” tells from one that narrows. */
const AT_PLACE = /^(?:only |just )?(?:in|on|under|within|inside|across|throughout|for|at|from)\s/i;
const ORDERS: readonly (readonly [form: RegExp, order: NonNullable<Sentence["order"]>])[] = [
  [/^(?:(?:and|but|please|then)[\s,]+)*(?:lastly|finally)\b/i, "last"],
  [/^(?:(?:but|please|hi|hello|ok|okay)[\s,]+)*first(?:ly)?\b/i, "first"],
  [/^(?:afterwards|after that)\b|\bafterwards[\s.!]*$/i, "after"],
];
const ITEM = /^\s*(?:[-*•+]\s+(?:\[ \]\s+)?|\d{1,2}[.)]\s+|[a-h]\)\s+|\[ \]\s+|step \d{1,2}:\s*)/i;

/** The sentences of a protected prompt; how many instructions it has when they are too many. */
export function sentencesOf(text: string, quotes: readonly string[]): Sentence[] | number {
  const ended = text.replaceAll(
    new RegExp(`(${QUOTED})[ \\t]+(?=\\p{Lu})`, "gu"),
    (whole, mark: string, quote: string) => (/[.!?]$/.test(quotes[Number(quote)] ?? "") ? `${mark}.\n` : whole),
  );
  const found: Sentence[] = [];
  let list: List | null = null;
  let step = 0;
  const give = () => {
    if (list !== null && !list.isTaken) found.push({ text: list.lead, lead: null });
  };
  for (const [at, line] of linesOf(ended).entries()) {
    const isTitle = at === 0 && line.item === undefined && line.endsParagraph && !/[.!?:;,]/.test(line.end);
    const isLead = line.line.trimEnd().endsWith(":");
    const parts = partsOf(line.line);
    list = listFor(line, list);
    const own = list;
    const place = placeIn(own, line);
    const number = Number(/\d+/.exec(line.item ?? "")?.[0] ?? 0);
    // A list that begins anew counts from one again.
    const isBack = number > 0 && number < step && !(number === 1 && (line.startsParagraph || own?.isTaken === false));
    if (number > 0 && line.indent === 0) step = number;
    for (const [index, { text: part, isJoined }] of parts.entries()) {
      // Nobody reads on where there are too many.
      if (found.length > MAX_COUNTED) return found.length;
      const bare = trimClause(part);
      // “Ok?” behind a request asks whether it shall be done.
      if (bare === "" ? !/[?…]/.test(part) : isCourtesy(bare) && !asksWhether(part)) continue;
      if (isLead && index === parts.length - 1) {
        const isInner = own !== null && line.item !== undefined && place === "in";
        if (isInner) own.isTaken = true;
        else give();
        const lead: string = isInner && !isLabel(own.lead) ? `${own.lead}: ${bare}` : bare;
        list = { lead, isTaken: false, of: line, first: null, outer: isInner ? own : null };
      } else {
        const isQuestion = asksWhether(part);
        const order = isBack && index === 0 ? "back" : ORDERS.find(([form]) => form.test(part))?.[1];
        const isIn = index === 0 && place === "in";
        const isBelow = isIn && line.item === undefined && own?.isTaken === true;
        found.push({
          text: bare || part.trim(),
          lead: isIn && !isBelow && own !== null ? own.lead : null,
          ...(own !== null && place !== "out" && (!isIn || isBelow) && { under: own.lead }),
          ...(isBelow && { isBelow }),
          ...(isQuestion && { isQuestion }),
          ...(isJoined && { isJoined }),
          ...(isTitle && parts.length === 1 && { isTitle }),
          ...(AT_PLACE.test(bare) && ALSO.test(part.trim()) && { isAlso: true as const }),
          ...(order && { order }),
        });
        if (own !== null && place !== "out") {
          own.isTaken = true;
          own.first ??= line;
        }
      }
    }
    if (list === own && line.item === undefined && place !== "in") list = null;
  }
  give();
  const joints = found.reduce(
    (sum, { text: one }) => sum + 1 + (one.match(/,? (?:and|then) (?=then )/gi)?.length ?? 0),
    0,
  );
  return joints > MAX_INSTRUCTIONS ? joints : found;
}

/** A list with the line that introduces it. */
interface List {
  lead: string;
  /** Something stands below it. */
  isTaken: boolean;
  of: Line;
  first: Line | null;
  outer: List | null;
}

/** The list that a line may belong to: an item further to the left, or with the sign of the introduction, ends the inner one. */
function listFor(line: Line, list: List | null): List | null {
  let own = list;
  while (own?.first?.item !== undefined && line.item !== undefined) {
    const isLeft = line.indent < own.first.indent;
    const isLikeLead =
      own.of.item !== undefined && kindOf(line) === kindOf(own.of) && kindOf(own.first) !== kindOf(own.of);
    if (!isLeft && !isLikeLead) break;
    own = own.outer;
  }
  return own;
}

const kindOf = ({ item = "" }: Line): string => item.replaceAll(/\d+/g, "1");

/** Whether a line belongs to a list, or stands so near to it that it may. */
function placeIn(list: List | null, { item, startsParagraph }: Line): "in" | "near" | "out" {
  if (list === null) return "out";
  if (list.first === null) return "in";
  if (item !== undefined) return list.first.item === undefined ? "near" : "in";
  if (startsParagraph) return "out";
  return list.first.item === undefined ? "in" : "near";
}

interface Line {
  line: string;
  /** The sign of a list in front of it. */
  item?: string | undefined;
  indent: number;
  startsParagraph: boolean;
  endsParagraph: boolean;
  /** Its last sign. */
  end: string;
}

/** Lines without the signs of a list; a line that goes on in lower case belongs to the one before. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split("\n")) {
    const plain = raw.replaceAll(/[^\S\n]+/g, " ").trim();
    const before = lines.at(-1);
    if (plain === "") {
      if (before) before.endsParagraph = true;
      continue;
    }
    const item = ITEM.exec(plain)?.[0].trim();
    const indent = raw.length - raw.trimStart().length;
    const goesOn = item === undefined && /^(?:[a-z]|\uE000)/.test(plain) && !startsWithVerb(plain);
    const end = plain.slice(-1);
    const isGoneOn = goesOn && before?.endsParagraph === false && !/[.!?;]/.test(before.end);
    if (before && (isGoneOn || (plain.startsWith("\uE000") && before.end === ":"))) {
      before.line += ` ${plain}`;
      before.end = end;
    } else {
      const startsParagraph = before?.endsParagraph ?? true;
      lines.push({ line: plain.replace(ITEM, ""), item, indent, startsParagraph, endsParagraph: false, end });
    }
  }
  return lines;
}

/** The sentences of a line, and what semicolons part in them. */
function partsOf(line: string): { text: string; isJoined: boolean }[] {
  return line.split(/(?<=[.!?])\s+(?=\S)/).flatMap((sentence) =>
    sentence
      .split(/;\s+/)
      .map((text, at) => ({ text, isJoined: at > 0 }))
      .filter(({ text }) => text.trim() !== ""),
  );
}
