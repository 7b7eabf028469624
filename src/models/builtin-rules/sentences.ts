import { QUOTED } from "./grammar/prompt-text.ts";
import { CHORE_VERBS, LANGUAGE_VERBS } from "./vocabulary.ts";

/** One sentence of a protected prompt, without courtesies. */
export interface Sentence {
  text: string;
  /** The line that introduces the list in which it stands, without its colon. */
  lead: string | null;
  /** It ends in a question mark, and is no polite request. */
  isQuestion?: true;
}

export const MAX_INSTRUCTIONS = 40;
// Several expressions below take time with the square of a sentence's length; no instruction is as long as this.
const MAX_SENTENCE_CHARACTERS = 2_000;

const verb = `(?:${[...CHORE_VERBS, ...LANGUAGE_VERBS].join("|")})`;
const VERB = new RegExp(`^\\s*${verb}\\b`, "i");
const ITEM = /^\s*(?:[-*•+]\s+(?:\[ \]\s+)?|\d{1,2}[.)]\s+|[a-h]\)\s+|\[ \]\s+|step \d{1,2}:\s*)/i;
const LEAD =
  /^(?:(?:please|pls|kindly|also|then|next|now|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|after that|afterwards|and|additionally|in addition|furthermore|besides|ok(?:ay)?|(?:hey|hi|hello|dear)(?: (?:team|all|everyone|there|docent|folks))?|well|so|great|thanks|thank you|as a follow-?up)\b[\s,:!]*|(?:can|could|would|will) (?:you|we|somebody|someone|anybody)(?: please| kindly| also)?\s+|(?:i(?:['’]d| would) like you|i want you|i need you|we(?:['’]d| would) like you|you (?:should|need|have)) to\s+|(?:i|we) (?:want|need|have|would like) to\s+|let(?:['’]s| us)\s+|it would be (?:great|nice) if you (?:could|would)\s+)+/i;
const TAIL =
  /(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx|and thank you|for me|for us|as well|too|right away|afterwards|if possible|no rush|for now|🙏|:\)|🙂)[!.]*)+$/iu;
/** “Can you …?” asks for it, “… ?” asks whether. */
const POLITE = /\b(?:can|could|would|will) (?:you|we|somebody|someone|anybody)\b|\bplease\b/i;
/** Why it is asked for, at its end. */
const REASON_AFTER =
  /(?:,? as (?:decided|agreed|announced) (?:in|on|at|by) [\p{L} ]{1,40}|,? \((?:closes|fixes|see|refs?) #\d+\)|,? we (?:don['’]t|do not) need it any ?more|, all of them are fixed)$/iu;
/** Here "too" is no courtesy: it says that code is meant besides the text. */
const CODE_TOO = /\b(?:code|plurals?|headings|titles)(?: blocks?| samples?| examples?| snippets?)?,? (?:too|as well)$/i;
const COURTESY =
  /^(?:hi|hello|hey|dear [\w ]+|(?:hi|hello|hey) (?:team|all|everyone|there|docent)|good (?:morning|afternoon|evening)|thanks?|thx|thank you|many thanks|cheers|please|that(?:['’]s| is) (?:all|it)|best(?: regards)?|best, \p{Lu}\p{L}+|regards|ok(?:ay)?|great|(?:so|very) much|in advance|thanks in advance|nice work|well done|no rush|for me|there|all|team|everyone|docent)$/iu;
/** A reason behind the request that asks for nothing. */
const REASON_SENTENCE =
  /^(?:the|our) style guide (?:asks for|wants|says|demands|requires) (?:it|that|so)|^(?:the )?links should (?:keep|go on) working$/i;

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
  for (const { line, isItem } of linesOf(ended)) {
    const isLead = /:\s*$/.test(line);
    // The line below an introduction belongs to it, also without the sign of a list.
    if (!isItem && isTaken) lead = null;
    for (const [index, part] of partsOf(line).entries()) {
      const bare = trimClause(part);
      if (bare === "" ? !/[?…]/.test(part) : isCourtesy(bare)) continue;
      if (isLead && index === partsOf(line).length - 1) {
        give();
        [lead, isTaken] = [bare, false];
      } else {
        const isQuestion = /\?\s*$/.test(part) && !POLITE.test(part);
        found.push({ text: bare || part.trim(), lead: index === 0 ? lead : null, ...(isQuestion && { isQuestion }) });
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
    if (before && goesOn && !before.endsParagraph && !/[.!?;]\s*$/.test(before.line)) before.line += ` ${plain}`;
    else if (before && plain.startsWith("\uE000") && /:\s*$/.test(before.line)) before.line += ` ${plain}`;
    else lines.push({ line: isItem ? plain.replace(ITEM, "") : plain, isItem, endsParagraph: false });
  }
  return lines;
}

const partsOf = (line: string): string[] =>
  line.split(/(?<=[.!?])\s+(?=\S)|\s*;\s+/).filter((part) => part.trim() !== "");

/** Without courtesies and reasons around it. */
export function trimClause(clause: string): string {
  if (clause.length > MAX_SENTENCE_CHARACTERS) return clause.trim();
  const bare = clause.trim().replace(/[.!?,;:\s]+$/, "").replace(/^[\s,]+/, ""); // oxfmt-ignore
  if (isCourtesy(bare)) return bare;
  const tail = CODE_TOO.test(bare) ? bare : bare.replace(TAIL, "").replace(/[.!?,;:\s]+$/, "").replace(REASON_AFTER, ""); // oxfmt-ignore
  const trimmed = tail.replace(LEAD, "").replace(/[.!?,;:\s]+$/, "").trim(); // oxfmt-ignore
  return trimmed === "" ? bare : trimmed;
}

export function startsWithVerb(text: string): boolean {
  return VERB.test(text);
}

function isCourtesy(clause: string): boolean {
  if (REASON_SENTENCE.test(clause)) return true;
  if (COURTESY.test(clause)) return true;
  return clause.split(/[\s,]*[,!]\s*/).every((part) => part === "" || COURTESY.test(part.trim()));
}
