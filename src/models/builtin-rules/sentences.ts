import { isCourtesy, isQuestion as asksWhether, trimClause } from "./courtesies.ts";
import { QUOTED } from "./grammar/prompt-text.ts";
import { CHORE_VERBS, LANGUAGE_VERBS } from "./grammar/vocabulary.ts";

/** One sentence of a protected prompt, without courtesies. */
export interface Sentence {
  text: string;
  /** The line that introduces the list in which it stands, without its colon. */
  lead: string | null;
  /** It ends in a question mark, and is no polite request. */
  isQuestion?: true;
  /** A semicolon joins it to the sentence before. */
  isJoined?: true;
  /** It stands alone as the first paragraph and ends in no sign, as the title of an issue does. */
  isTitle?: true;
}

export const MAX_INSTRUCTIONS = 40;
/** Beyond it the number of instructions is told, not counted to its end. */
const MAX_COUNTED = 400;

const verb = `(?:${[...CHORE_VERBS, ...LANGUAGE_VERBS].join("|")})`;
const VERB = new RegExp(`^\\s*${verb}\\b`, "i");
const ITEM = /^\s*(?:[-*•+]\s+(?:\[ \]\s+)?|\d{1,2}[.)]\s+|[a-h]\)\s+|\[ \]\s+|step \d{1,2}:\s*)/i;

/** The sentences of a protected prompt; how many instructions it has when they are too many. */
export function sentencesOf(text: string, quotes: readonly string[]): Sentence[] | number {
  const ended = text.replaceAll(
    new RegExp(`(${QUOTED})[ \\t]+(?=\\p{Lu})`, "gu"),
    (whole, mark: string, quote: string) => (/[.!?]$/.test(quotes[Number(quote)] ?? "") ? `${mark}.\n` : whole),
  );
  const found: Sentence[] = [];
  let lead: string | null = null;
  let isTaken = true;
  const give = () => {
    if (lead !== null && !isTaken) found.push({ text: lead, lead: null });
  };
  for (const [at, { line, isItem, endsParagraph, end }] of linesOf(ended).entries()) {
    const isTitle = at === 0 && !isItem && endsParagraph && !/[.!?:;,]/.test(end);
    const isLead = line.trimEnd().endsWith(":");
    const parts = partsOf(line);
    // The line below an introduction belongs to it, also without the sign of a list.
    if (!isItem && isTaken) lead = null;
    for (const [index, { text: part, isJoined }] of parts.entries()) {
      // Nobody reads on where there are too many.
      if (found.length > MAX_COUNTED) return found.length;
      const bare = trimClause(part);
      if (bare === "" ? !/[?…]/.test(part) : isCourtesy(bare)) continue;
      if (isLead && index === parts.length - 1) {
        give();
        [lead, isTaken] = [bare, false];
      } else {
        const isQuestion = asksWhether(part);
        found.push({
          text: bare || part.trim(),
          lead: index === 0 ? lead : null,
          ...(isQuestion && { isQuestion }),
          ...(isJoined && { isJoined }),
          ...(isTitle && parts.length === 1 && { isTitle }),
        });
        isTaken = true;
      }
    }
  }
  give();
  const joints = found.reduce(
    (sum, { text: one }) => sum + 1 + (one.match(/,? (?:and|then) (?=then )/gi)?.length ?? 0),
    0,
  );
  return joints > MAX_INSTRUCTIONS ? joints : found;
}

interface Line {
  line: string;
  isItem: boolean;
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
    const isItem = ITEM.test(plain);
    const goesOn = !isItem && /^(?:[a-z]|\uE000)/.test(plain) && !VERB.test(plain);
    const end = plain.slice(-1);
    const isGoneOn = goesOn && before?.endsParagraph === false && !/[.!?;]/.test(before.end);
    if (before && (isGoneOn || (plain.startsWith("\uE000") && before.end === ":"))) {
      before.line += ` ${plain}`;
      before.end = end;
    } else lines.push({ line: isItem ? plain.replace(ITEM, "") : plain, isItem, endsParagraph: false, end });
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

export function startsWithVerb(text: string): boolean {
  return VERB.test(text);
}
