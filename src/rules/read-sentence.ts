import { explains, isLabel, isReason, withQuotedNames } from "./asides.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { MAX_SENTENCE_CHARACTERS } from "./courtesies.ts";
import { completed, whatItIs, withVerbOf } from "./ellipsis.ts";
import { type Asked, readClause } from "./read-clause.ts";
import { type Token, tokensOf } from "./grammar/tokens.ts";
import { protectQuotes, restore } from "./grammar/prompt-text.ts";
import { restated } from "./restated.ts";
import {
  type Front,
  frontBy,
  frontOf,
  heldBy,
  mayBeHeld,
  mayBeOfWhatIsFound,
  mayBeShared,
  mayGoOnIn,
  type Part,
} from "./shared-scope.ts";
import { fullReadings } from "./full-readings.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { corrected } from "./spelling.ts";

/** One sentence of a protected prompt, with the quotations of its marks. */
export interface Clause {
  text: string;
  quotes: readonly string[];
}

export interface SentenceReading {
  calls: ChoreCall[];
  /** Protected texts of the clauses that were understood. */
  understood: string[];
  /** `isHeld`: what stands beside it may hold for it, so that without that it asks for more. */
  refused: { text: string; isAmbiguous: boolean; isHeld?: boolean }[];
  /** The part of the docs that it names in front, which holds for all that a semicolon joins to it. */
  front?: Front | undefined;
}

const JOINERS: ReadonlySet<string> = new Set([",", "and", "then", "&", "+", "plus", "also", "-", ";", "please", "finally", "afterwards"]); // oxfmt-ignore
// "fix links, and fix links, and …": a sentence of more parts is read part by part.
const MAX_JOINTS = 14;
/** An answer names a few of the parts that are in the way; the rest need not be read. */
const MAX_REFUSED = 4;

/** Reads a sentence as one instruction, or as several that commas and “and” join. */
export function readSentence(
  { text, lead }: Sentence,
  quotes: readonly string[],
  asked: Asked,
  { before, front }: { before: readonly ChoreCall[]; front?: Front | undefined },
): SentenceReading {
  for (const { candidates, tools, reason } of fullReadings(text, lead, quotes)) {
    const meanings = new Map<string, SentenceReading>();
    for (const candidate of candidates) {
      const read = readJoined({ text: candidate, quotes }, asked, { before, front });
      if (read.refused.some(({ isAmbiguous }) => isAmbiguous)) return { ...read, calls: [], understood: [] };
      const isOnTopic = tools === undefined || read.calls.every(({ tool }) => tools.test(tool));
      const isExplained = reason === undefined || explains(reason, read.calls, restore(candidate, quotes));
      if (read.refused.length === 0 && read.calls.length > 0 && isOnTopic && isExplained)
        meanings.set(JSON.stringify(read.calls), read);
    }
    const [read] = meanings.values();
    if (meanings.size > 1) return { calls: [], understood: [], refused: [{ text, isAmbiguous: true }] };
    if (read) return { ...read, understood: [text] };
  }
  const read = readJoined({ text, quotes }, asked, { before, front });
  if (lead === null || isLabel(lead)) return read;
  // Read alone it would be understood: what stands in front of it is in the way.
  const isAlone = isReason(withQuotedNames(lead, quotes)) && read.refused.length > 0;
  return isAlone ? read : { calls: [], understood: [], refused: [{ text: `${lead}: ${text}`, isAmbiguous: false }] };
}

/** What it costs to look at a sentence of a text at all. */
const STEPS_OF_A_SENTENCE = 250;

/** Whether words are an instruction, or end in one. */
export function isInstruction(words: string, asked: Asked): boolean {
  asked.budget.steps -= STEPS_OF_A_SENTENCE;
  if (asked.budget.steps < 0) return true;
  const { text, quotes } = protectQuotes(words);
  const sentences = sentencesOf(text, quotes);
  if (typeof sentences === "number") return true;
  return sentences.some((sentence) => {
    const { calls } = readSentence(sentence, quotes, asked, { before: [] });
    // What there was no time to read may be one.
    return calls.length > 0 || asked.budget.steps < 0;
  });
}

function readJoined(
  clause: Clause,
  asked: Asked,
  { before, front: given }: { before: readonly ChoreCall[]; front?: Front | undefined },
): SentenceReading {
  const refusedWhole = (isAmbiguous: boolean): SentenceReading => ({
    calls: [],
    understood: [],
    refused: [{ text: clause.text, isAmbiguous, isHeld: given !== undefined }],
  });
  if (clause.text.length > MAX_SENTENCE_CHARACTERS || asked.budget.steps < 0) return refusedWhole(false);
  const tokens = corrected(tokensOf(clause.text, clause.quotes));
  if (tokens.length === 0) return refusedWhole(false);
  const own = frontOf(tokens, asked);
  let front = own;
  const read = (part: readonly Token[], known: readonly ChoreCall[]) => meaningsOf(part, asked, known, tokens);
  const whole = read(tokens, before);
  const isOpen = (part: Part) => own === undefined && given !== undefined && mayBeHeld(given, part, asked);
  if (whole.length > 1 || (whole[0] && isOpen({ tokens, calls: whole[0] }))) return refusedWhole(true);
  if (whole[0])
    return {
      calls: [...whole[0]],
      understood: [clause.text],
      refused: [],
      front: front ? frontBy(front, whole[0]) : given,
    };
  if (saysWhenBehind(tokens)) return refusedWhole(true);
  const starts = startsOf(tokens);
  const textOf = (from: number, to: number) =>
    clause.text.slice(tokens[from]?.at ?? 0, tokens[to - 1]?.end ?? clause.text.length);
  const result: SentenceReading = { calls: [], understood: [], refused: [], front: given };
  const parts: Part[] = [];
  let known = [...before];
  for (let at = 0; at < starts.length && result.refused.length < MAX_REFUSED;) {
    const from = starts[at]?.from ?? 0;
    let taken = 0;
    for (let last = Math.min(starts.length, at + MAX_JOINTS) - 1; last >= at && taken === 0; last -= 1) {
      if (asked.budget.steps < 0) return refusedWhole(false);
      if (at === 0 && last === starts.length - 1) continue;
      const to = starts[last]?.to ?? tokens.length;
      const part = tokens.slice(from, to);
      const isBare = front !== undefined && at > 0 && frontOf(part, asked) === undefined;
      const meanings = isBare && front ? heldBy(front, part, (words) => read(words, known)) : read(part, known);
      const [calls] = meanings;
      const one: Part | null = calls ? { tokens: part, calls } : null;
      const found = parts.at(-1);
      if (
        meanings.length > 1 ||
        (one &&
          (isOpen(one) ||
            mayBeShared(one, parts, asked, (words) => read(words, known)) ||
            (found && (mayBeOfWhatIsFound(found, one, asked) || mayGoOnIn(found, one, asked)))))
      ) {
        result.refused.push({ text: meanings.length > 1 ? textOf(from, to) : clause.text, isAmbiguous: true });
        return result;
      }
      if (!calls) continue;
      result.calls.push(...calls);
      result.understood.push(textOf(from, to));
      parts.push({ tokens: part, calls });
      known = [...calls];
      if (front !== undefined) result.front = front = frontBy(front, calls);
      taken = last - at + 1;
    }
    const first = tokens.slice(from, starts[at]?.to ?? tokens.length);
    if (taken === 0 && front !== undefined && parts.length > 0 && read(first, known).length > 0) {
      result.refused.push({ text: clause.text, isAmbiguous: true });
      return result;
    }
    if (taken === 0) {
      result.refused.push({ text: textOf(from, starts[at]?.to ?? tokens.length), isAmbiguous: false });
      taken = 1;
    }
    at += taken;
  }
  return result;
}

/** The meanings of a clause, with what it leaves out taken from the instruction before. */
function meaningsOf(
  tokens: readonly Token[],
  asked: Asked,
  before: readonly ChoreCall[],
  sentence: readonly Token[],
): readonly (readonly ChoreCall[])[] {
  const it = whatItIs(before);
  const meanings = readClause(tokens, asked, it).filter((calls) => !pointsElsewhere(tokens, calls));
  if (meanings.length > 0) return meanings;
  const found = new Map<string, readonly ChoreCall[]>();
  for (const candidate of [...restated(tokens), ...completed(tokens, before, sentence)]) {
    for (const calls of readClause(candidate, asked, it)) found.set(JSON.stringify(calls), calls);
  }
  if (found.size > 0) return [...found.values()];
  // “… and the title of b to "B"” leaves out the verb: it asks for more of the same.
  const gap = withVerbOf(sentence, tokens);
  for (const calls of gap === null ? [] : readClause(gap, asked, it))
    if (calls.every((call) => before.some((known) => isMoreOf(known, call)))) found.set(JSON.stringify(calls), calls);
  return [...found.values()];
}

/** What belongs to the page that is named with it. */
const OF_ITS_PAGE = /^(?:section|after|before|description)$/;

/** Whether an instruction without its verb is one more of the kind, and leaves out nothing that may hold for it as well: a part, a source, an option. */
function isMoreOf(known: ChoreCall, { tool, input }: ChoreCall): boolean {
  const isAlike = (known.input["key"] === "hidden") === (input["key"] === "hidden") && (known.input["value"] === null) === (input["value"] === null); // oxfmt-ignore
  const isWhole = Object.keys(known.input).every((key) => OF_ITS_PAGE.test(key) || input[key] !== undefined);
  return known.tool === tool && isAlike && isWhole;
}

/** “Remove its tag in guides/”: what it is about is a page, and the reading is about others. */
function pointsElsewhere(tokens: readonly Token[], calls: readonly ChoreCall[]): boolean {
  const isPointed = tokens.some(({ kind, norm }) => kind === "word" && norm === "its");
  return isPointed && calls.some(({ tool, input }) => tool === "set_front_matter" && input["in"] !== undefined);
}

/** “Check links afterwards, and move …”: what comes first is to be done last. */
function saysWhenBehind(tokens: readonly Token[]): boolean {
  const isJoiner = (token: Token | undefined) =>
    token !== undefined && token.kind !== "quote" && JOINERS.has(token.norm);
  return tokens.some(({ norm }, at) => {
    const isBehind = at > 0 && /^(?:afterwards|finally)$/.test(norm) && !isJoiner(tokens[at - 1]);
    return isBehind && isJoiner(tokens[at + 1]) && at + 2 < tokens.length;
  });
}

/** Where clauses may begin and end: around runs of joining words. */
function startsOf(tokens: readonly Token[]): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    const isJoint = token === undefined || (token.kind !== "quote" && JOINERS.has(token.norm));
    if (!isJoint) continue;
    if (at > from) parts.push({ from, to: at });
    from = at + 1;
  }
  return parts;
}
