import { explains, explainsBefore, isLabel, isReason, isToldAgain, withQuotedNames } from "./asides.ts";
import { readChoreBlocks } from "./chores-block.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { contradiction } from "./conflicts.ts";
import { type Asked, newAsked } from "./read-clause.ts";
import { instructionIn, isDescribed, withTextInBlock } from "./loose-text.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import { protectQuotes, restore, wordsOf } from "./grammar/prompt-text.ts";
import { isInstruction, readSentence, type SentenceReading } from "./read-sentence.ts";
import { hintFor, reasonFor } from "./refusal.ts";
import { repaired } from "./repair.ts";
import { MAX_INSTRUCTIONS, type Sentence, sentencesOf } from "./sentences.ts";
import { type Said, heldByOthers, outOfOrder, readUnder, restrictedApart } from "./between-sentences.ts";
import { type Front, limitBy } from "./shared-scope.ts";

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
  return understandWithin(newAsked(names), prompt, toolNames);
}

/** The same with what is known and the work that is left, which it takes from. */
export function understandWithin(asked: Asked, prompt: string, toolNames: readonly string[]): Understanding {
  const result: Understanding = { calls: [], understood: [], refused: [], hint: null };
  const blocks = readChoreBlocks(prompt, toolNames);
  result.calls.push(...blocks.calls);
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
  if (openEnded && isDescribed(openEnded)) {
    const reason =
      "its text only tells what shall be written, and the built-in rules write nothing of their own. Put the words that shall stand there into quotation marks or a fenced block";
    return refuse(text, reason);
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
  // “Please run these chores:” above a block of them.
  const isLead = blocks.calls.length > 0 && sentences.length === 1 && isLabel(sentences[0]?.text ?? "");
  readSentences(isLead ? [] : sentences, quotes, asked, result);
  // What was not looked through to its end may mean something else.
  if (asked.budget.steps < 0 && result.refused.length === 0) return refuse(text, TOO_MUCH);
  if (result.calls.length === 0 && result.refused.length === 0) return refuse(text, "there is no instruction in it");
  result.calls = withoutTitle(result.calls, sentences[0]?.isTitle === true);
  // Said twice, as in a title and below it, it is asked for once.
  result.calls = [...new Map(result.calls.map((call) => [JSON.stringify(call), call])).values()];
  const against = result.refused.length > 0 ? null : contradiction(result.calls, asked.names);
  if (against !== null) return refuse(text, against);
  return result.refused.length > 0 ? { ...result, calls: [] } : result;
}

const TOO_MUCH = "it is too much for one message. Send it in several";

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
  let last: { said: Said; sentence: Sentence; context: readonly ChoreCall[] } | null = null;
  const all: Said[] = [];
  let front: Front | undefined;
  let reasons: Sentence[] = [];
  let title: Sentence | null = null;
  let skipped = -1;
  for (const [index, sentence] of sentences.entries()) {
    if (index === skipped) continue;
    if (asked.budget.steps < 0) {
      result.refused.push({ clause: wordsOf(sentence.text, quotes).slice(0, 300), reason: TOO_MUCH });
      break;
    }
    if (sentence.isJoined !== true) front = undefined;
    const read: SentenceReading = readUnder(sentence, quotes, asked, { before, front });
    front = read.front;
    if (sentence.isQuestion && read.calls.some(({ tool }) => !hasTrait(tool, "readsOnly"))) {
      const asksWhether = "it is a question. Send it without the question mark if it shall be done";
      result.refused.push({ clause: wordsOf(`${sentence.text}?`, quotes).slice(0, 300), reason: asksWhether });
      continue;
    }
    const isUnread = read.refused.length > 0 && read.refused.every(({ isAmbiguous }) => !isAmbiguous);
    // In front of a sentence “in any case” is “anyway”: it does not go on with the one before.
    const isAside =
      isUnread && sentence.lead === null && !sentence.isQuestion && !/^in any case\b/i.test(sentence.text);
    if (isAside && last !== null && explainsBefore(sentence.text, before)) continue;
    if (isAside && last !== null) {
      const whole: Sentence = { text: `${last.sentence.text}, ${asideOf(sentence)}`, lead: last.sentence.lead };
      const joined: SentenceReading | null = readWhole(whole, quotes, asked, { before: last.context });
      const said: Said = last.said;
      // “Nope.” behind a list of pages is no further page.
      const isNamed = /[\s/\uE000]/.test(sentence.text);
      const isClear = joined !== null && !narrowsApart(joined.calls, said.calls);
      if (joined && isClear && (isNamed || joined.calls.length === said.calls.length)) {
        result.calls.splice(result.calls.length - said.calls.length, said.calls.length, ...joined.calls);
        const limit = limitBy(joined.calls, said.calls);
        if (limit) said.limits.push({ ...limit, words: sentence.text });
        before = said.calls = joined.calls;
        last = { said, sentence: whole, context: last.context };
        continue;
      }
    }
    const next = sentences[index + 1];
    const mayGoOn = next && next.lead === null && next.isQuestion !== true && sentence.isQuestion !== true;
    if (read.calls.length === 0 && mayGoOn && sentence.lead === null) {
      const whole: Sentence = { text: `${asideOf(sentence)}, ${lowerFirst(next.text)}`, lead: null };
      const joined = readWhole(whole, quotes, asked, { before });
      if (joined) {
        note(result, joined, { quotes, names: asked.names });
        const limit = limitBy(joined.calls, readSentence(next, quotes, asked, { before }).calls);
        const limits = limit ? [{ ...limit, words: sentence.text }] : [];
        all.push({ sentence: next, calls: joined.calls, limits });
        [before, last, skipped] = [joined.calls, null, index + 1];
        continue;
      }
    }
    if (isAside && sentence.isTitle && index < sentences.length - 1) {
      title = sentence;
      continue;
    }
    const mayBeReason = last === null && index < sentences.length - 1 && sentence.lead === null;
    if (isAside && mayBeReason && (isReason(withQuotedNames(sentence.text, quotes)) || isLabel(sentence.text))) {
      reasons.push(sentence);
      continue;
    }
    const said: Said = { sentence, calls: read.calls, limits: [] };
    if (read.calls.length > 0) all.push(said);
    last = read.refused.length === 0 ? { said, sentence, context: before } : null;
    // “2.7.0 is out.” says of a changelog's entry which version it is for: more than a reason.
    const isNarrowed = read.calls.some(({ tool, input }) => tool === "changelog_from_history" && input["version"] === undefined); // oxfmt-ignore
    const instruction = restore(sentence.text, quotes);
    reasons = reasons.filter(({ text }) => {
      if (isLabel(text)) return read.calls.length === 0;
      return !explains(withQuotedNames(text, quotes), read.calls, instruction) || (isNarrowed && /\d/.test(text));
    });
    note(result, read, { quotes, names: asked.names });
    if (read.calls.length > 0) before = read.calls;
  }
  if (
    title &&
    !isToldAgain(
      withQuotedNames(title.text, quotes),
      sentences.slice(1).map(({ text, lead }) => restore(`${lead ?? ""} ${text}`, quotes)),
      result.calls,
    )
  ) {
    reasons.push(title);
  }
  const unclear =
    result.refused.length > 0
      ? null
      : (outOfOrder(all) ?? restrictedApart(all) ?? heldByOthers(all, result.calls, quotes, asked));
  if (unclear !== null) result.refused.push({ clause: wordsOf(unclear.words, quotes), reason: unclear.reason });
  for (const { text } of reasons)
    note(
      result,
      { calls: [], understood: [], refused: [{ text, isAmbiguous: false }] },
      { quotes, names: asked.names },
    );
}

/** What is joined to an instruction: “also” tells what it is beside from what it narrows. */
const asideOf = ({ text, isAlso }: Sentence): string => `${isAlso ? "also " : ""}${lowerFirst(text)}`;

/** Without what the title of a message asks for where the text below says the same of the same thing, and more. */
function withoutTitle(calls: ChoreCall[], hasTitle: boolean): ChoreCall[] {
  const [first, ...rest] = calls;
  const isWithin = ({ tool, input }: ChoreCall) =>
    tool === first?.tool &&
    Object.entries(first.input).every(
      ([key, value]) => JSON.stringify(input[key]) === JSON.stringify(value) || (key === "in" && isOfAllPages(value)),
    );
  return hasTitle && rest.some(isWithin) ? rest : calls;
}

const isOfAllPages = (places: unknown): boolean => Array.isArray(places) && places.includes("**");

const PLACES = /^(?:in|except)$/;
const OPTIONS = /^(?:only|includeCode|letterCase|wholeWord|plural)$/;

/** “In api/ only in headings.” behind an instruction: it says of a further place what does not hold for the rest. */
function narrowsApart(calls: readonly ChoreCall[], before: readonly ChoreCall[]): boolean {
  return calls.some(({ input }, at) => {
    const known = before[at]?.input ?? {};
    const changed = Object.keys(input).filter((key) => JSON.stringify(input[key]) !== JSON.stringify(known[key]));
    return changed.some((key) => PLACES.test(key)) && changed.some((key) => OPTIONS.test(key));
  });
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
  for (const { text, isAmbiguous, isHeld } of read.refused) {
    const words = wordsOf(text, quotes);
    const clause = { text, quotes };
    const repair = result.refused.length < MAX_REPAIRED ? repaired(clause, names) : null;
    if (result.refused.length === 0) result.hint = isAmbiguous && isHeld ? null : hintFor(clause, { names, repair });
    const reason = isAmbiguous ? "it can mean several things" : reasonFor(clause, { names, repair });
    result.refused.push({ clause: words.length > 300 ? `${words.slice(0, 300)}…` : words, reason });
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
