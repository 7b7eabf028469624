import { isLabel, isReason } from "./asides.ts";
import { readChoreBlocks } from "./chores-block.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { contradiction } from "./conflicts.ts";
import { type Asked, newAsked } from "./read-clause.ts";
import { instructionIn, withTextInBlock } from "./loose-text.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import { protectQuotes, wordsOf } from "./grammar/prompt-text.ts";
import { isInstruction, readSentence, type SentenceReading } from "./read-sentence.ts";
import { hintFor, reasonFor } from "./refusal.ts";
import { repaired } from "./repair.ts";
import { MAX_INSTRUCTIONS, type Sentence, sentencesOf } from "./sentences.ts";

/** What of a prompt was understood. With `refused` empty, `calls` are all that it asks for. */
export interface Understanding {
  calls: ChoreCall[];
  /** Clauses that were understood, in the person's words. */
  understood: string[];
  refused: { clause: string; reason: string }[];
  /** A sentence to send instead, or several, one a line; null when none is near enough to do no harm. */
  hint: string | null;
}

/**
 * Reads a prompt: every clause must have exactly one meaning, or all of it is refused. `names` are those of the repository, where
 * they are known; without them a name can only be told by its form.
 */
export function understand(prompt: string, toolNames: readonly string[], names: KnownNames = NO_NAMES): Understanding {
  const result: Understanding = { calls: [], understood: [], refused: [], hint: null };
  const blocks = readChoreBlocks(prompt, toolNames);
  result.calls.push(...blocks.calls);
  const asked = newAsked(names);
  for (const call of blocks.calls) result.understood.push(call.tool);
  for (const problem of blocks.problems) result.refused.push({ clause: "the chores block", reason: problem });

  const { text, quotes, openEnded, isUnclosed } = protectQuotes(blocks.rest);
  const refuse = (clause: string, reason: string) => {
    result.refused.push({ clause: wordsOf(clause, quotes).slice(0, 300), reason });
    return { ...result, calls: [] };
  };
  if (isUnclosed) {
    const reason =
      "its quotation or fenced block has no end; quotation marks close on the same line, and a fence stands alone on its line";
    return refuse(text, reason);
  }
  if (blocks.calls.length > 0 && openEnded !== null) {
    return refuse(text, "a chores block stands within its text: put the text into a fenced block of its own");
  }
  const further = openEnded && instructionIn(openEnded, (sentence) => isInstruction(sentence, asked));
  if (further) {
    const reason = `it is not clear where its text ends, as “${further.words}” reads like a further instruction: put the text into a fenced block`;
    result.hint = withTextInBlock({ text, quotes }, openEnded, further.at);
    return refuse(text, reason);
  }
  const sentences = sentencesOf(text, quotes);
  if (typeof sentences === "number") {
    return refuse(text, `it is one of ${sentences} instructions; send at most ${MAX_INSTRUCTIONS} at once`);
  }
  readSentences(sentences, quotes, asked, result);
  if (result.calls.length === 0 && result.refused.length === 0) return refuse(text, "there is no instruction in it");
  const against = result.refused.length > 0 ? null : contradiction(result.calls);
  if (against !== null) return refuse(text, against);
  return result.refused.length > 0 ? { ...result, calls: [] } : result;
}

/**
 * Reads the sentences one after another. One that is no instruction of its own may go on with the one before (“Do not touch the
 * changelog.”), or be the reason for what follows it.
 */
function readSentences(
  sentences: readonly Sentence[],
  quotes: readonly string[],
  asked: Asked,
  result: Understanding,
): void {
  let before: readonly ChoreCall[] = [];
  let last: { sentence: Sentence; calls: number; context: readonly ChoreCall[] } | null = null;
  let reasons: Sentence[] = [];
  let skipped = -1;
  for (const [index, sentence] of sentences.entries()) {
    if (index === skipped) continue;
    const read = readSentence(sentence, quotes, asked, before);
    if (sentence.isQuestion && read.calls.some(({ tool }) => !hasTrait(tool, "readsOnly"))) {
      const asksWhether = "it is a question. Send it without the question mark if it shall be done";
      result.refused.push({ clause: wordsOf(`${sentence.text}?`, quotes).slice(0, 300), reason: asksWhether });
      continue;
    }
    if (read.refused.length > 0 && last !== null && sentence.lead === null) {
      const whole: Sentence = { text: `${last.sentence.text}, ${lowerFirst(sentence.text)}`, lead: last.sentence.lead };
      const joined: SentenceReading | null = readWhole(whole, quotes, asked, last.context);
      if (joined) {
        result.calls.splice(result.calls.length - last.calls, last.calls, ...joined.calls);
        before = joined.calls;
        last = { sentence: whole, calls: joined.calls.length, context: last.context };
        continue;
      }
    }
    const next = sentences[index + 1];
    if (read.calls.length === 0 && next && sentence.lead === null && next.lead === null) {
      const whole: Sentence = { text: `${sentence.text}, ${lowerFirst(next.text)}`, lead: null };
      const joined = readWhole(whole, quotes, asked, before);
      if (joined) {
        note(result, joined, { quotes, names: asked.names });
        [before, last, skipped] = [joined.calls, null, index + 1];
        continue;
      }
    }
    const mayBeReason = last === null && index < sentences.length - 1 && sentence.lead === null;
    if (read.calls.length === 0 && mayBeReason && (isReason(sentence.text) || isLabel(sentence.text))) {
      reasons.push(sentence);
      continue;
    }
    last = read.refused.length === 0 ? { sentence, calls: read.calls.length, context: before } : null;
    // “2.7.0 is out.” says of a changelog's entry which version it is for: more than a reason.
    const isNarrowed = read.calls.some(({ tool, input }) => tool === "changelog_from_history" && input["version"] === undefined); // oxfmt-ignore
    if (read.calls.length > 0 && !(isNarrowed && reasons.some(({ text }) => /\d/.test(text)))) reasons = [];
    note(result, read, { quotes, names: asked.names });
    if (read.calls.length > 0) before = read.calls;
  }
  for (const { text } of reasons)
    note(
      result,
      { calls: [], understood: [], refused: [{ text, isAmbiguous: false }] },
      { quotes, names: asked.names },
    );
}

/** A sentence that two sentences make, where all of it is one instruction. */
function readWhole(...of: Parameters<typeof readSentence>): SentenceReading | null {
  const read = readSentence(...of);
  return read.refused.length === 0 && read.calls.length > 0 ? read : null;
}

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
    const clause = { text, quotes };
    const repair = result.refused.length < MAX_REPAIRED ? repaired(clause, names) : null;
    if (result.refused.length === 0) result.hint = hintFor(clause, { names, repair });
    const reason = isAmbiguous ? "it can mean several things" : reasonFor(clause, { names, repair });
    result.refused.push({ clause: words.length > 300 ? `${words.slice(0, 300)}…` : words, reason });
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
