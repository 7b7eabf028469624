/** Verbs that begin an instruction. Those below `needsLanguage` are known only to be refused with the right reason. */
export const CHORE_VERBS = [
  "add", "append", "apply", "audit", "call", "change", "check", "clean", "convert", "correct", "create", "delete", "describe",
  "drop", "erase", "exchange", "fill", "find", "fix", "flag", "generate", "give", "hide", "insert", "link", "list", "make", "mark", "move",
  "normalise", "normalize", "place", "point", "put", "reference", "redirect", "relocate", "remove", "rename", "repair",
  "replace", "report", "resolve", "run", "search", "set", "show", "sort", "standardise", "standardize", "substitute", "swap",
  "switch", "treat", "unhide", "update", "use", "validate", "verify", "write", "capitalise", "capitalize", "unify", "lint", "tell", "ensure",
]; // oxfmt-ignore

export const LANGUAGE_VERBS = [
  "improve", "rewrite", "rephrase", "reword", "translate", "localise", "localize", "summarise", "summarize", "explain",
  "document", "clarify", "expand", "shorten", "simplify", "polish", "proofread", "review", "draft", "compose", "elaborate",
  "restructure", "reorganise", "reorganize", "refactor", "modernise", "modernize", "paraphrase", "tighten", "condense",
  "outline", "brainstorm", "suggest", "optimise", "optimize", "research", "compare", "edit", "adapt", "enhance", "refine",
]; // oxfmt-ignore

const verb = `(?:${[...CHORE_VERBS, ...LANGUAGE_VERBS].join("|")})`;

// "and" and commas join instructions only where a verb follows: "Terms and conditions" stays one name.
const JOINT = new RegExp(
  String.raw`(?:\s*,?\s+(?:and|&|then|plus)\s+|\s*,\s*)(?:(?:and|then|also|please|finally|next|afterwards|after that)\s*,?\s+)*(?=${verb}\b)`,
  "gi",
);

const LEAD =
  /^(?:(?:please|kindly|also|then|next|now|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|after that|afterwards|and|additionally|in addition|furthermore|besides|ok(?:ay)?|hey|hi|hello|well|so|great|thanks|thank you|as a follow-?up)\b[\s,:!]*|(?:can|could|would|will) you(?: please| kindly| also)?\s+|(?:i(?:'d| would) like you|i want you|i need you|we(?:'d| would) like you|you (?:should|need|have)) to\s+|(?:i|we) (?:want|need|have|would like) to\s+|let(?:'s| us)\s+|it would be (?:great|nice) if you (?:could|would)\s+)+/i;
const TAIL =
  /(?:[\s,]+(?:please|thanks|thank you|thx|for me|for us|as well|too|now|right away|afterwards|if possible)!*)+$/i;
// Several expressions below take time with the square of a sentence's length; no instruction is as long as this.
const MAX_SENTENCE_CHARACTERS = 2_000;
/** Here "too" is no courtesy: it says that code is meant besides the text. */
const CODE_TOO = /\bcode(?: blocks?| samples?| examples?| snippets?)?,? (?:too|as well)$/i;
const COURTESY =
  /^(?:hi|hello|hey|dear [\w ]+|good (?:morning|afternoon|evening)|thanks?|thank you|many thanks|cheers|please|that(?:'s| is) (?:all|it)|best(?: regards)?|regards|ok(?:ay)?|great|(?:so|very) much|in advance|nice work|well done|(?:please )?do the following(?: things| tasks| changes)?|the following|tasks?|to ?do|(?:i|we) need the following changes?|for me|there|all|team|docent)$/i;

/** A sentence in the pieces that may each be an instruction; `joint` is what stood before a piece ("" for the first). */
export interface Piece {
  text: string;
  joint: string;
}

/** The sentences of a protected prompt, without courtesies, cut where an instruction may begin. */
export function splitSentences(text: string): Piece[][] {
  const lines = text
    .replaceAll(/[^\S\n]+/g, " ")
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*•+]|\d{1,2}[.)]|\[[ x]\])\s+/i, ""));
  const sentences = joinWrapped(lines).flatMap((line) => line.split(/(?<=[.!?:])\s+(?=\S)|\s*;\s*/));
  return mergeIntroductions(sentences)
    .map((sentence) =>
      sentence.length > MAX_SENTENCE_CHARACTERS
        ? [{ text: sentence, joint: "" }]
        : piecesOf(scopeLast(trimClause(sentence))),
    )
    .filter((pieces) => pieces.length > 0);
}

function piecesOf(sentence: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let joint = "";
  const add = (end: number) => {
    const text = sentence.slice(at, end).trim();
    if (text !== "" && !isCourtesy(text)) pieces.push({ text, joint });
  };
  for (const match of sentence.matchAll(JOINT)) {
    if (match.index === 0) continue;
    add(match.index);
    joint = match[0];
    at = match.index + joint.length;
  }
  add(sentence.length);
  return pieces;
}

/** "In guides/, replace …" becomes "replace … in guides/". */
function scopeLast(sentence: string): string {
  const match = /^((?:in|on|across|throughout|within|under) [^,]{1,200}),\s+(.+)$/is.exec(sentence);
  return match && startsWithVerb(match[2] ?? "")
    ? `${match[2]} ${match[1]?.charAt(0).toLowerCase()}${match[1]?.slice(1)}`
    : sentence;
}

/** Without courtesies around it. */
export function trimClause(clause: string): string {
  if (clause.length > MAX_SENTENCE_CHARACTERS) return clause;
  const bare = clause
    .trim()
    .replace(/[.!?,;:\s]+$/, "")
    .replace(/^[\s,]+/, "");
  if (isCourtesy(bare)) return bare;
  const tail = CODE_TOO.test(bare) ? bare : bare.replace(TAIL, "");
  const trimmed = tail
    .replace(LEAD, "")
    .replace(/[.!?,;:\s]+$/, "")
    .trim();
  return trimmed === "" ? bare : trimmed;
}

/** A line that goes on in lower case belongs to the one before. */
function joinWrapped(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const continues =
      before !== undefined && !/[.!?:;]\s*$/.test(before) && /^\s*(?:[a-z]|\uE000)/.test(line) && !startsWithVerb(line);
    if (continues) joined[joined.length - 1] = `${before} ${line.trim()}`;
    else joined.push(line);
  }
  return joined;
}

/** "with the text:" ends in a colon, and its quotation belongs to it. */
function mergeIntroductions(parts: readonly string[]): string[] {
  const merged: string[] = [];
  for (const part of parts) {
    const before = merged.at(-1);
    if (before?.trimEnd().endsWith(":") && part.trimStart().startsWith("\uE000"))
      merged[merged.length - 1] = `${before} ${part}`;
    else merged.push(part);
  }
  return merged;
}

export function startsWithVerb(text: string): boolean {
  return new RegExp(`^\\s*${verb}\\b`, "i").test(text);
}

function isCourtesy(clause: string): boolean {
  return clause.split(/[\s,]*[,!]\s*/).every((part) => part === "" || COURTESY.test(part.trim()));
}
