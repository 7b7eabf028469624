import { adviceFor } from "./advice.ts";
import { readChoreBlocks } from "./chores-block.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { contradiction } from "./conflicts.ts";
import { type ClauseContext, newClauseContext } from "./read-clause.ts";
import { isSentenceOrTitle, isWholeSentence, type Sentence, sentencesOf } from "./message.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import { protectQuotes, restore, wordsOf } from "./grammar/prompt-text.ts";
import { tokensOf } from "./grammar/tokens.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";
import { explains, isLabel } from "./remarks.ts";
import { areRestrictedApart, readSentence, RESTRICTS, type SentenceReading } from "./sentence.ts";

/** The result of reading a prompt. If `refused` is empty, `calls` are everything that it requests. */
export interface Understanding {
  calls: ChoreCall[];
  /** Clauses that were understood, in the person's words. */
  understood: string[];
  refused: { clause: string; reason: string }[];
  /** A sentence to send instead, or several, one per line; null when none is close enough to be safe. */
  hint: string | null;
}

/**
 * Reads a prompt: the grammar must explain every word of it, and every clause must have exactly one meaning; otherwise all of it
 * is refused. `names` are those of the repository, if known; without them a name is only recognized by its form.
 */
export function understand(prompt: string, toolNames: readonly string[], names: KnownNames = NO_NAMES): Understanding {
  return understandWithin(newClauseContext(names), prompt, toolNames);
}

/** The same with a context and a budget, which it reduces. */
export function understandWithin(context: ClauseContext, prompt: string, toolNames: readonly string[]): Understanding {
  const blocks = readChoreBlocks(prompt, toolNames);
  const { text, quotes, openEnded, isUnclosed } = protectQuotes(blocks.rest);
  const result: Understanding = {
    calls: [...blocks.calls],
    understood: blocks.calls.map(({ tool }) => tool),
    refused: [],
    hint: null,
  };
  for (const reason of blocks.problems) result.refused.push({ clause: "the chores block", reason });
  const refuse = (clause: string, reason: string) => {
    result.refused.push({ clause: wordsOf(clause, quotes).slice(0, 300), reason });
    return { ...result, calls: [] };
  };
  if (isUnclosed)
    return refuse(
      text,
      "its quotation or fenced block has no end; quotation marks close on the same line, and a fence is alone on its line",
    );
  if (openEnded !== null && (blocks.calls.length > 0 || !isWholeSentence(openEnded))) {
    const head = restore(text.slice(0, text.lastIndexOf("\uE000")), quotes, (quote) => `"${quote}"`).trimEnd();
    const quoted = `${head} "${openEnded}"`;
    if (
      blocks.calls.length === 0 &&
      isSentenceOrTitle(openEnded) &&
      understand(quoted, toolNames, context.names).calls.length > 0
    ) {
      result.hint = quoted;
      return refuse(text, `“${openEnded}” may be the text, or say what it is about. Put the text into quotation marks`);
    }
    result.hint = `${head}\n\`\`\`\nThe text.\n\`\`\``;
    return refuse(
      text,
      "it is not certain where its text ends, or that it is one: without quotation marks a text is one whole sentence. Put it into quotation marks or a fenced block",
    );
  }
  const sentences = sentencesOf(text, quotes);
  if (!Array.isArray(sentences)) return refuse(sentences.text, sentences.reason);
  // “Please run these chores:” above a block of them.
  const isLead = blocks.calls.length > 0 && sentences.length === 1 && isLabel(sentences[0]?.text ?? "");
  const heard = [...blocks.calls, ...readSentences(isLead ? [] : sentences, quotes, context, result)];
  // An incomplete search may have missed another meaning.
  if (context.budget.steps < 0 && result.refused.length === 0) return refuse(text, TOO_MUCH);
  if (result.calls.length === 0 && result.refused.length === 0) return refuse(text, "there is no instruction in it");
  // A repeated request counts once.
  result.calls = [...new Map(result.calls.map((call) => [JSON.stringify(call), call])).values()];
  const against = result.refused.length > 0 ? null : contradiction(result.calls, context.names);
  if (against !== null) return refuse(text, against);
  if (result.refused.length === 0) return result;
  return { ...result, hint: wholeHint({ result, heard, toolNames, names: context.names }), calls: [] };
}

interface Heard {
  result: Understanding;
  heard: readonly ChoreCall[];
  toolNames: readonly string[];
  names: KnownNames;
}

/** The hint with what was understood, as each of its lines is sent instead of the whole message. */
function wholeHint({ result, heard, toolNames, names }: Heard): string | null {
  const { hint, understood, refused } = result;
  if (understood.length === 0 || understood.length > MAX_KEPT) return hint;
  // A clause that is not understood may restrict the others.
  if (refused.some(({ clause }) => !startsWithVerb(clause) || MAY_RESTRICT.test(clause))) return hint;
  const kept = understood.map((clause) => `${upperFirst(clause.replace(/[.\s]+$/, ""))}.`).join(" ");
  // Out of its list or after other words, a clause may mean something else.
  const again = understand(kept, toolNames, names);
  if (JSON.stringify(again.calls) !== JSON.stringify(heard)) return hint;
  const lines = hint?.split("\n").map((line) => (line.endsWith(":") ? line : `${kept} ${line}`));
  return lines?.join("\n") ?? kept.replace(/\.$/, "");
}

const MAY_RESTRICT = /\b(?:in|on|under|within|inside|only|except|but|not|without|unless)\b/i;
/** More would be a message to copy, not a sentence. */
const MAX_KEPT = 5;

const TOO_MUCH = "it is too much for one message. Send it in several";

/**
 * Reads the sentences in order, and returns the instructions of all clauses that are understood. One that is not an instruction may be the reason for those after it, or continue the only
 * one.
 */
function readSentences(
  sentences: readonly Sentence[],
  quotes: readonly string[],
  context: ClauseContext,
  result: Understanding,
): readonly ChoreCall[] {
  const [first, second, third] = sentences;
  const both =
    first && second && !third && result.calls.length === 0 && !first.isQuestion && !second.isQuestion
      ? readTogether([first, second], quotes, context)
      : null;
  const reasons: Sentence[] = [];
  const said: { sentence: Sentence; read: SentenceReading }[] = [];
  for (const [index, sentence] of (both === null ? sentences : []).entries()) {
    if (context.budget.steps < 0) break;
    const read = readSentence(sentence, quotes, context);
    if (sentence.isQuestion && read.calls.some(({ tool }) => !hasTrait(tool, "readsOnly"))) {
      const words = wordsOf(`${sentence.text}?`, quotes).slice(0, 300);
      result.refused.push({
        clause: words,
        reason: "it is a question. Send it without the question mark if it is to be done",
      });
      continue;
    }
    const isUnread =
      read.calls.length === 0 &&
      read.refused.every(({ isAmbiguous }) => !isAmbiguous) &&
      !sentence.isQuestion &&
      sentence.lead === null;
    if (isUnread && said.length === 0 && index < sentences.length - 1) reasons.push(sentence);
    else said.push({ sentence, read });
  }
  const calls = both?.calls ?? said.flatMap(({ read }) => read.calls);
  const needless = ({ text }: Sentence) => isLabel(text) || explains(restore(text, quotes), calls);
  const unexplained = reasons.filter((reason) => !needless(reason)).map(({ text }) => text);
  if (both) result.understood.push(...sentences.map(({ text }) => wordsOf(text, quotes)));
  for (const text of unexplained)
    note(
      result,
      { calls: [], understood: [], refused: [{ text, isAmbiguous: false }] },
      { quotes, names: context.names },
    );
  for (const { read } of said) note(result, read, { quotes, names: context.names });
  if (both) result.calls.push(...both.calls);
  const parts = said.map(({ sentence, read }) => ({ tokens: tokensOf(sentence.text, quotes), calls: read.calls }));
  const isJoined = said.some(
    ({ sentence, read }, at) =>
      at > 0 && sentence.isJoined && said[at - 1]?.read.hasFront === true && read.calls.length > 0,
  );
  const isUnclear = (said.some(({ sentence }) => sentence.isJoined) && areRestrictedApart(parts)) || isJoined;
  if (isUnclear && result.refused.length === 0)
    result.refused.push({
      clause: wordsOf(sentences.map(({ text }) => text).join("; "), quotes),
      reason: "a part of the docs in it could hold for several instructions. Say it in each of them",
    });
  return both?.calls ?? said.flatMap(({ read }) => read.heard ?? read.calls);
}

/**
 * Reads two sentences as one instruction: a restriction after it (“Do not touch the changelog.”), or its object before it (“There
 * are some broken links. Please fix them.”).
 */
function readTogether(
  [first, second]: readonly [Sentence, Sentence],
  quotes: readonly string[],
  context: ClauseContext,
): SentenceReading | null {
  // “In any case …” means “anyway”.
  if (first.lead !== null || second.lead !== null || /^in any case\b/i.test(second.text)) return null;
  if (readSentence(second, quotes, context).calls.length > 0) return null;
  const alone = readSentence(first, quotes, context);
  const isFront = alone.calls.length === 0;
  const text = isFront
    ? `${first.text}, ${lowerFirst(second.text)}`
    : `${first.text}, ${lowerFirst(second.raw.replace(/[.!]+$/, ""))}`;
  const whole = readSentence({ text, lead: null }, quotes, context);
  if (whole.refused.length > 0 || whole.calls.length === 0) return null;
  const isOfOneKind = whole.calls.every(({ tool }) => tool === whole.calls[0]?.tool);
  return (isFront && isOfOneKind) || isRestricted(whole.calls, alone.calls) ? whole : null;
}

/** Whether instructions are the same as others with one more restriction each. “Please move it.” adds nothing to a single one. */
function isRestricted(held: readonly ChoreCall[], bare: readonly ChoreCall[]): boolean {
  return (
    held.length === bare.length &&
    held.every(({ tool, input }, at) => {
      const known = bare[at]?.input ?? {};
      const changed = Object.keys(input).filter((key) => JSON.stringify(input[key]) !== JSON.stringify(known[key]));
      const isKept = Object.keys(known).every((key) => input[key] !== undefined);
      return (
        tool === bare[at]?.tool &&
        isKept &&
        (changed.length === 1 || (changed.length === 0 && bare.length === 1)) &&
        changed.every((key) => RESTRICTS.test(key) && known[key] === undefined)
      );
    })
  );
}

const AMBIGUOUS = { reason: "it can mean several things", hint: null };

/** Each costs as much as an instruction that is understood. */
const MAX_REPAIRED = 3;

function note(
  result: Understanding,
  read: SentenceReading,
  { quotes, names }: { quotes: readonly string[]; names: KnownNames },
): void {
  result.calls.push(...read.calls);
  result.understood.push(...read.understood.map((clause) => wordsOf(clause, quotes)));
  for (const { text, isAmbiguous } of read.refused) {
    const words = wordsOf(text, quotes);
    const { reason, hint } = isAmbiguous
      ? AMBIGUOUS
      : adviceFor({ text, quotes }, names, result.refused.length < MAX_REPAIRED);
    if (result.refused.length === 0) result.hint = hint;
    result.refused.push({ clause: words.length > 300 ? `${words.slice(0, 300)}…` : words, reason });
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
