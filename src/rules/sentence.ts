import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { type ClauseContext, type Meanings, readClause } from "./read-clause.ts";
import type { Sentence } from "./message.ts";
import { explains, isLabel, MAX_SENTENCE_CHARACTERS } from "./remarks.ts";
import { TALK } from "./grammar/modifiers.ts";
import { quoteToken, type Token, tokensOf, wordToken } from "./grammar/tokens.ts";
import { restore } from "./grammar/prompt-text.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";
import { restated } from "./wishes.ts";

/** One sentence of a protected prompt, with the quotations for its placeholders. */
export interface Clause {
  text: string;
  quotes: readonly string[];
}

export interface SentenceReading {
  calls: readonly ChoreCall[];
  /** Protected texts of the clauses that are understood. */
  understood: readonly string[];
  refused: readonly { text: string; isAmbiguous: boolean }[];
  /** The instructions of the understood clauses, where others are refused. */
  heard?: readonly ChoreCall[];
  /** Whether it begins with a scope that applies to all of it. */
  hasFront?: boolean;
}

const JOINERS: ReadonlySet<string> = new Set([",", "and", "then", "&", "also", "please"]);
// "fix links, and fix links, and …": a sentence with more parts is read part by part.
const MAX_JOINTS = 14;
/** An answer names a few of the parts that are not understood; the rest need not be read. */
const MAX_REFUSED = 4;

/** Reads a sentence as one instruction, or as several that commas and “and” join. */
export function readSentence(
  { text, lead }: Pick<Sentence, "text" | "lead">,
  quotes: readonly string[],
  context: ClauseContext,
): SentenceReading {
  if (lead === null || isLabel(lead)) return readAlone({ text, quotes }, context);
  const found = new Map<string, SentenceReading>();
  for (const candidate of completedItems(lead, text)) {
    const read = readParts({ text: candidate, quotes }, context);
    if (read.refused.length === 0) found.set(JSON.stringify(read.calls), { ...read, understood: [text] });
  }
  const [read] = found.values();
  return found.size === 1 && read ? read : refused(`${lead}: ${text}`, found.size > 1);
}

const refused = (text: string, isAmbiguous = false): SentenceReading => ({
  calls: [],
  understood: [],
  refused: [{ text, isAmbiguous }],
});

/** Reads a sentence with all of its words, or else without a leading label or the reason for the request. */
function readAlone({ text, quotes }: Clause, context: ClauseContext): SentenceReading {
  const whole = readParts({ text, quotes }, context);
  if (whole.refused.length === 0) return whole;
  const [, label, labelled] = /^([^:\uE000]{1,80}):\s+(\S.*)$/su.exec(text) ?? [];
  if (label !== undefined && labelled !== undefined && isLabel(label)) {
    const read = readParts({ text: labelled, quotes }, context);
    return read.refused.length === 0 ? { ...read, understood: [text] } : whole;
  }
  for (const [request, reason] of [
    ...BECAUSE.map((form) => form.exec(text)?.slice(1)),
    ...REASON_FIRST.map((form) => form.exec(text)?.slice(1).toReversed()),
  ].flatMap((each) => (each ? [each] : []))) {
    const read = readParts({ text: request ?? "", quotes }, context);
    if (read.refused.length === 0 && explains(restore(reason ?? "", quotes), read.calls))
      return { ...read, understood: [text] };
  }
  return whole;
}
/** “Remove the page X because it is obsolete”, “… - X is obsolete”. */
const BECAUSE = [/^(.{10,}?),? (?:because|since)\s+(.{3,200})$/isu, /^(.{10,}?)\s[-–—]\s+(.{3,200})$/su];
/** “X is obsolete: remove …”, “We rebranded, please replace …”. */
const REASON_FIRST = [
  /^(.{3,200}?):\s+(\S.*)$/su,
  /^(.{3,200}?)(?:,|\s[-–—])\s+(?:so )?(?:please|pls|(?:can|could) (?:you|we)(?: please)?)\s+(.*)$/isu,
];

const NOUNS: Readonly<Record<string, string>> = {
  pages: "the page ",
  files: "the page ",
  redirects: "the redirect ",
  groups: "the group ",
  terms: "the term ",
};

/** How an item of a list may be meant in full: in its place in the introduction, or with the introduction before or after it. */
function completedItems(lead: string, text: string): string[] {
  const bare = lead.replace(/^(?:please|pls)\s+/i, "");
  if (TALK.test(bare)) return [`${bare}: ${text}`];
  const these = /\b(?:these|the following|those)(?: (pages|files|redirects|groups|terms))?\b/i.exec(bare);
  if (these) {
    const put = (noun: string) => bare.slice(0, these.index) + noun + text + bare.slice(these.index + these[0].length);
    // Both sides of a pair are quoted, so the noun would be before the pair.
    const isPair = /^\uE000\d+\uE001\s+(?:with|by|to|->|→)/.test(text);
    const noun = isPair ? "" : (NOUNS[these[1]?.toLowerCase() ?? ""] ?? "");
    return noun === "the page " ? [put(noun), put("")] : [put(noun)];
  }
  // “Redirects:” names a subject, but also the page with that title.
  if (!startsWithVerb(bare) && !NAMES_A_PLACE.test(bare)) return [`${bare}: ${text}`];
  const scope = bare.replace(/^(?:for|on|in|under)\s+/i, "");
  return startsWithVerb(bare)
    ? [`${bare} ${text}`]
    : [`${bare}: ${text}`, `in ${scope}, ${text}`, `on ${scope}, ${text}`];
}

const NAMES_A_PLACE = /^(?:for|on|in|under)\b|\/|\b(?:pages?|groups?|folder|headings?|titles?|docs)\b/i;

function readParts(clause: Clause, context: ClauseContext): SentenceReading {
  if (clause.text.length > MAX_SENTENCE_CHARACTERS || context.budget.steps < 0) return refused(clause.text);
  const tokens = tokensOf(clause.text, clause.quotes);
  const [whole, second] = meaningsOf(tokens, context);
  if (second) return refused(clause.text, true);
  const front = frontOf(tokens);
  if (whole) return { calls: whole, understood: [clause.text], refused: [], hasFront: front !== null };
  const joints = jointsOf(tokens);
  const parts: Part[] = [];
  const understood: string[] = [];
  const missing: { text: string; isAmbiguous: boolean }[] = [];
  for (let at = 0; at < joints.length && missing.length < MAX_REFUSED;) {
    const from = joints[at]?.from ?? 0;
    let taken = 0;
    for (let last = Math.min(joints.length, at + MAX_JOINTS) - 1; last >= at && taken === 0; last -= 1) {
      if (context.budget.steps < 0) return refused(clause.text);
      if (at === 0 && last === joints.length - 1) continue;
      const own = tokens.slice(from, joints[last]?.to);
      const [calls, other] = meaningsOf(front === null || at === 0 ? own : [...front, COMMA, ...own], context);
      if (other) return refused(clause.text, true);
      if (!calls) continue;
      parts.push({ tokens: own, calls });
      understood.push(textOf(clause, tokens, { from, to: joints[last]?.to ?? tokens.length }));
      taken = last - at + 1;
    }
    if (taken === 0) missing.push({ text: textOf(clause, tokens, joints[at]), isAmbiguous: false });
    at += taken || 1;
  }
  // Without its leading restriction a clause would do more.
  const heard = front === null ? parts.flatMap(({ calls }) => calls) : [];
  if (missing.length > 0) return { calls: [], understood, refused: missing, heard };
  if (parts.length === 0) return refused(clause.text);
  // A leading restriction applies to all of it, if it is recognized as a scope.
  const shared = front === null ? [] : scopeIn(front, context);
  if (shared === null || areRestrictedApart(parts, shared)) return refused(clause.text, true);
  return {
    calls: parts.flatMap(({ calls }) => calls),
    understood: [clause.text],
    refused: [],
    hasFront: front !== null,
  };
}

/** An instruction of a message, and its meaning. */
export interface Part {
  tokens: readonly Token[];
  calls: readonly ChoreCall[];
}

/** The meanings of a clause; for a wish, those of the instruction that it expresses. */
function meaningsOf(tokens: readonly Token[], context: ClauseContext): Meanings {
  const meanings = readClause(tokens, context);
  if (meanings.length > 0) return meanings;
  const instruction = restated(tokens);
  return instruction === null ? [] : readClause(instruction, context);
}

const COMMA: Token = { ...wordToken(","), kind: "sign" };
const MAX_FRONT_TOKENS = 24;
/** Words that begin a restriction before an instruction. */
const BEGINS_FRONT =
  /^(?:in|on|under|within|inside|across|throughout|for|from|over|below|outside|except|excluding|apart|aside|other|only|just|not|without|leaving|leave|skip|but|everywhere|also|even|including|regardless|whatever|ignoring|case-.*|exactly|keep|do|don't|at|\(|no)$/;

/** The text before the first comma or colon, if it begins like a restriction. */
function frontOf(tokens: readonly Token[]): readonly Token[] | null {
  if (tokens[0]?.kind !== "word" || !BEGINS_FRONT.test(tokens[0].norm)) return null;
  const end = tokens.findIndex(({ kind, norm }) => kind === "sign" && /^[,:]$/.test(norm));
  return tokens.slice(0, end < 0 ? MAX_FRONT_TOKENS : Math.min(end, MAX_FRONT_TOKENS));
}

/** The keys of an instruction that words restrict; null when they do not. */
function scopeIn(words: readonly Token[], context: ClauseContext): string[] | null {
  const whole = [wordToken("replace"), quoteToken("a"), wordToken("with"), quoteToken("b"), ...words];
  const [calls, other] = readClause(whole, context);
  const { from, to, ...scope } = calls?.[0]?.input ?? {};
  return calls?.length === 1 && !other && from === "a" && to === "b" && Object.keys(scope).length > 0
    ? Object.keys(scope)
    : null;
}

/** The keys of an input that restrict the work of an instruction, or how it is done. */
export const RESTRICTS = /^(?:in|except|only|includeCode|letterCase|wholeWord|plural|redirect|redirectTo)$/;
const SAYS_WHERE =
  /\b(?:everywhere|globally|site-?wide|docs-wide|throughout|(?:in|on|across|over|for|from|of) (?:all|every|each|(?:the )?(?:whole|entire)))\b/;

/**
 * Whether a restriction of one instruction could be meant for another one next to it: “Replace "a" with "b" and fix broken links
 * in guides/”. `shared` are the keys that all have from a leading restriction.
 */
export function areRestrictedApart(parts: readonly Part[], shared: readonly string[] = []): boolean {
  return parts.some((part) =>
    part.calls.some(({ tool, input }) =>
      Object.keys(input).some(
        (key) =>
          RESTRICTS.test(key) &&
          !shared.includes(key) &&
          parts.some((other) => other !== part && supports(key, tool, other)),
      ),
    ),
  );
}

/** Whether an instruction supports a restriction that it does not have. */
function supports(key: string, tool: string, { tokens, calls }: Part): boolean {
  const isEverywhere = SAYS_WHERE.test(tokens.map(({ norm }) => norm).join(" "));
  return calls.some(({ tool: own, input }) => {
    if (!/^(?:in|except)$/.test(key)) return own === tool && input[key] === undefined;
    const isWide =
      hasTrait(own, "isHeldToAPart") ||
      (own === "set_front_matter" && input["in"] !== undefined) ||
      // An image of one page, a callout in a section: the words after it may name the place.
      (own === "set_alt_text" && input["page"] === undefined) ||
      (own === "add_callout" && input["section"] === undefined);
    return isWide && input[key] === undefined && !(key === "in" && isEverywhere);
  });
}

/** Possible boundaries of clauses: around runs of joining words. */
function jointsOf(tokens: readonly Token[]): { from: number; to: number }[] {
  const joints: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && (token.kind === "quote" || !JOINERS.has(token.norm))) continue;
    if (at > from) joints.push({ from, to: at });
    from = at + 1;
  }
  return joints;
}

const textOf = ({ text }: Clause, tokens: readonly Token[], joint: { from: number; to: number } | undefined): string =>
  text.slice(tokens[joint?.from ?? 0]?.at ?? 0, tokens[(joint?.to ?? 1) - 1]?.end ?? text.length);
