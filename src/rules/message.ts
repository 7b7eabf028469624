import { isCourtesy, isLabel, isQuestion, trimClause } from "./remarks.ts";
import { ANY_QUOTED, QUOTED } from "./grammar/prompt-text.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";

/** One sentence of a message, with placeholders for its quotations and without courtesies. */
export interface Sentence {
  text: string;
  /** The sentence as written, with courtesies: “also” and “too” may matter. */
  raw: string;
  /** The line that introduces its list, without the colon. */
  lead: string | null;
  /** Whether it ends in a question mark and is not a polite request. */
  isQuestion: boolean;
  /** Whether a semicolon joins it to the previous sentence. */
  isJoined: boolean;
}

/** Why a message cannot be split into sentences, in its own words. */
export interface Unclear {
  text: string;
  reason: string;
}

export const MAX_INSTRUCTIONS = 40;
/** Beyond this only the limit is reported instead of the number of instructions. */
const MAX_COUNTED = 400;

const ITEM = /^\s*(?:[-*•+]\s+(?:\[ \]\s+)?|\d{1,2}[.)]\s+|[a-h]\)\s+|\[ \]\s+|step \d{1,2}:\s*)/i;
const FIRST = /^(?:(?:please|hi|hello)[\s,]+)*first(?:ly)?\b/i;
const LAST = /^(?:(?:and|then|please)[\s,]+)*(?:lastly|finally)\b/i;
const ORDER =
  "its words and its place tell two orders. Send the instructions in the order in which they are to be done";
const BESIDE_A_LIST =
  "it is not clear whether it belongs to the list. Put an empty line between them, or say it in full";

/** The sentences of a message, or what is unclear about them. */
export function sentencesOf(text: string, quotes: readonly string[]): Sentence[] | Unclear {
  const found: Sentence[] = [];
  let list: List | null = null;
  let number = 0;
  for (const line of linesOf(endedAtQuotes(text, quotes))) {
    const own: List | "unclear" | null = listFor(list, line);
    if (own === "unclear") return { text: line.text, reason: BESIDE_A_LIST };
    if (list && own !== list) closeList(list, found);
    list = own;
    const at = Number(/\d+/.exec(line.item)?.[0] ?? 0);
    // A new list is counted from one again.
    if (at > 0 && line.indent === 0) {
      if (at < number && !(at === 1 && (line.startsParagraph || list?.count === 0)))
        return { text: line.text, reason: ORDER };
      number = at;
    }
    const parts = partsOf(line.text);
    for (const [index, { text: part, isJoined }] of parts.entries()) {
      if (found.length > MAX_COUNTED) return tooMany(text, found.length);
      const bare = trimClause(part);
      // “Ok?” after a request asks whether to do it.
      if (bare === "" ? !/[?…]/.test(part) : isCourtesy(bare) && !isQuestion(part)) continue;
      const isLead = index === parts.length - 1 && line.text.trimEnd().endsWith(":");
      if (list && !isLabel(list.lead) && (isLead || parts.length > 1))
        return { text: line.text, reason: BESIDE_A_LIST };
      if (list) list.count += 1;
      if (isLead) list = { lead: bare, isItem: line.item !== "", first: null, count: 0 };
      else
        found.push({
          text: bare || part.trim(),
          raw: part.trim(),
          lead: list?.lead ?? null,
          isQuestion: isQuestion(part),
          isJoined,
        });
    }
  }
  if (list) closeList(list, found);
  const joints = found.reduce(
    (sum, { text: one }) => sum + 1 + (one.match(/,? (?:and|then) (?=then )/gi)?.length ?? 0),
    0,
  );
  if (joints > MAX_INSTRUCTIONS) return tooMany(text, joints);
  const misplaced = found.find(
    ({ raw }, at) => (FIRST.test(raw) && at > 0) || (LAST.test(raw) && at < found.length - 1),
  );
  return misplaced ? { text: misplaced.text, reason: ORDER } : found;
}

const tooMany = (text: string, count: number): Unclear => ({
  text,
  reason: `it is one of ${count} instructions; send at most ${MAX_INSTRUCTIONS} at once`,
});

/** A list below its introduction. */
interface List {
  lead: string;
  /** Whether its introduction is an item of another list. */
  isItem: boolean;
  first: Line | null;
  count: number;
}

/** The list that a line belongs to. If that is ambiguous, the line is unclear, unless the introduction restricts nothing. */
function listFor(list: List | null, line: Line): List | "unclear" | null {
  if (list === null) return null;
  list.first ??= line;
  const { first } = list;
  const isOfIt = line.item !== "" && line.indent === first.indent && kindOf(line) === kindOf(first);
  if (line === first || isOfIt) return list;
  if (first.item === "" && line.item === "" && !line.startsParagraph) return list;
  const isEnded = line.item === "" ? line.startsParagraph : list.isItem && line.indent < first.indent;
  return isEnded || isLabel(list.lead) ? null : "unclear";
}

const kindOf = ({ item }: Line): string => item.replaceAll(/\d+/g, "1");

/** An introduction without a list is a sentence of its own. */
function closeList({ lead, count }: List, found: Sentence[]): void {
  if (count === 0) found.push({ text: lead, raw: lead, lead: null, isQuestion: false, isJoined: false });
}

interface Line {
  text: string;
  /** The list marker at its start, such as `- `; empty for other lines. */
  item: string;
  indent: number;
  startsParagraph: boolean;
}

/** Lines without list markers. A line that continues in lower case belongs to the previous one. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let startsParagraph = true;
  for (const raw of text.split("\n")) {
    const plain = raw.replaceAll(/[^\S\n]+/g, " ").trim();
    const before = lines.at(-1);
    if (plain !== "") {
      const item = ITEM.exec(plain)?.[0].trim() ?? "";
      const end = before?.text.slice(-1) ?? "";
      const goesOn =
        item === "" &&
        /^(?:[a-z]|\uE000)/.test(plain) &&
        !startsWithVerb(plain) &&
        !startsParagraph &&
        !/[.!?;]/.test(end);
      if (before && (goesOn || (plain.startsWith("\uE000") && end === ":"))) before.text += ` ${plain}`;
      else
        lines.push({
          text: plain.replace(ITEM, ""),
          item,
          indent: raw.length - raw.trimStart().length,
          startsParagraph,
        });
    }
    startsParagraph = plain === "";
  }
  return lines;
}

/** A quotation that ends in a period also ends the sentence if a capital follows. */
function endedAtQuotes(text: string, quotes: readonly string[]): string {
  return text.replaceAll(new RegExp(`(${QUOTED})[ \\t]+(?=\\p{Lu})`, "gu"), (whole, mark: string, quote: string) =>
    /[.!?]$/.test(quotes[Number(quote)] ?? "") ? `${mark}.\n` : whole,
  );
}

/** The sentences of a line, and their parts between semicolons. */
function partsOf(line: string): { text: string; isJoined: boolean }[] {
  return line
    .split(/(?<=[.!?])\s+(?=\S)/)
    .flatMap((sentence) => sentence.split(/;\s+/).map((text, at) => ({ text, isJoined: at > 0 })))
    .filter(({ text }) => text.trim() !== "");
}

/** Whether a text without quotation marks is one whole sentence, and neither describes a text nor addresses us. */
export const isWholeSentence = (markdown: string): boolean =>
  isSentenceOrTitle(markdown) && VERB.test(withoutAddresses(markdown));

/** The same for one whose verb is not among the few that are known, or that has none: “Hatch works offline.” */
export function isSentenceOrTitle(markdown: string): boolean {
  const text = withoutAddresses(markdown);
  return (
    /^\p{Lu}[^.!?:;\n]{4,300}[.!]?$/u.test(text) &&
    !new RegExp(ANY_QUOTED).test(text) &&
    !text.replace(GOES_ON, "").split(JOINT).some(startsWithVerb) &&
    !TELLS_OF_A_TEXT.test(text) &&
    !SPEAKS_TO_US.test(text)
  );
}
const withoutAddresses = (markdown: string) => markdown.replaceAll(/\[([^\]\n]{0,200})\]\([^)\s]{0,300}\)/g, "$1");
const GOES_ON = /^(?:also|then|next|now|finally|afterwards)\s+/i;
const VERB = /\s(?:is|are|has|have|can|cannot|need|needs|may|will)\s/;
const TELLS_OF_A_TEXT =
  /^(?:what|who|how|why|if|see|say|tell|warn|mention|like|as|same|something|that)|\b(?:texts?|wording|paragraphs?|sentences?|words|sections?|notes?|warnings?|pages?|summary|descriptions?|intro(?:duction)?|template|disclaimer|placeholder|draft|list|table|above|below|usual|same|said|says|attach\w*)\b/i;
const SPEAKS_TO_US =
  /\b(?:please|kindly|thanks|ideally|preferably|legal|review|I|me|us|let|should|must|feel free|whatever|think|not sure|or so|or similar)\b|[(<{[$@–—]|\s-|\bwe (?:no longer |also )?(?:need|want|would)\b/i;
/** Where another instruction may follow: “…, and fix broken links”. */
const JOINT = /(?:,|\band|\bthen|\bso)\s+(?:(?:and|then|also|so)\s+)*/gi;
