import { readChoreBlocks } from "./chores-block.ts";
import { leftOver } from "./accounting.ts";
import type { ChoreCall, Clause, Rule } from "./clause.ts";
import { limitOf } from "./limits.ts";
import { instructionIn, withTextInBlock } from "./loose-text.ts";
import { protectQuotes, wordsOf } from "./prompt-text.ts";
import { contentRules } from "./rules-content.ts";
import { linkRules } from "./rules-links.ts";
import { orderRules } from "./rules-order.ts";
import { nearestExample } from "./nearest-example.ts";
import { quotedReplacement, unsaidTerm } from "./quoted-replacement.ts";
import { pageRules } from "./rules-pages.ts";
import { replaceRules } from "./rules-replace.ts";
import { LANGUAGE_VERBS, type Piece, splitSentences, trimClause } from "./vocabulary.ts";

/** What of a prompt was understood. With `refused` empty, `calls` are all that it asks for. */
export interface Understanding {
  calls: ChoreCall[];
  /** Clauses that were understood, in the person's words. */
  understood: string[];
  refused: { clause: string; reason: string }[];
  /** A sentence to send instead; null when none is near enough to do no harm. */
  hint: string | null;
}

const RULES: readonly Rule[] = [...replaceRules, ...linkRules, ...pageRules, ...contentRules, ...orderRules];
const MAX_CLAUSE_CHARACTERS = 1_000;
const MAX_INSTRUCTIONS = 40;
// "find …, and fix them, and report …": more verbs than this never make one instruction.
const MAX_JOINED = 4;

/** Reads a prompt: every clause must have exactly one meaning, or all of it is refused. */
export function understand(prompt: string, toolNames: readonly string[]): Understanding {
  const result: Understanding = { calls: [], understood: [], refused: [], hint: null };
  const blocks = readChoreBlocks(prompt, toolNames);
  result.calls.push(...blocks.calls);
  for (const call of blocks.calls) result.understood.push(call.tool);
  for (const problem of blocks.problems) result.refused.push({ clause: "the chores block", reason: problem });

  const { text, quotes, openEnded, isUnclosed } = protectQuotes(blocks.rest);
  if (isUnclosed) {
    const reason =
      "its quotation or fenced block has no end; quotation marks close on the same line, and a fence stands alone on its line";
    result.refused.push({ clause: wordsOf(text, quotes).slice(0, 300), reason });
    return result;
  }
  const further = openEnded && instructionIn(openEnded, isInstruction);
  if (further) {
    const reason = `it is not clear where its text ends, as “${further.words}” reads like a further instruction: put the text into a fenced block`;
    result.refused.push({ clause: wordsOf(text, quotes).slice(0, 300), reason });
    result.hint = withTextInBlock({ text, quotes }, openEnded, further.at);
    return result;
  }
  const sentences = splitSentences(text);
  const pieces = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  if (pieces > MAX_INSTRUCTIONS) {
    const reason = `it is one of ${pieces} instructions; send at most ${MAX_INSTRUCTIONS} at once`;
    result.refused.push({ clause: wordsOf(sentences[0]?.[0]?.text ?? "", quotes), reason });
    return result;
  }
  for (const sentence of sentences) readSentence(sentence, quotes, result);
  if (result.calls.length === 0 && result.refused.length === 0) {
    result.refused.push({ clause: wordsOf(text, quotes).slice(0, 200), reason: "there is no instruction in it" });
  }
  if (result.refused.length > 0) {
    result.calls = [];
  }
  return result;
}

/**
 * Takes the longest run of pieces that is one instruction, again and again: "find and fix broken links" is one,
 * "check links and move a to b" are two.
 */
function readSentence(pieces: readonly Piece[], quotes: readonly string[], result: Understanding): void {
  for (let from = 0; from < pieces.length;) {
    let to = Math.min(pieces.length, from + MAX_JOINED);
    let meaning = readClause({ text: joined(pieces, from, to), quotes });
    while (meaning.calls === null && to > from + 1) {
      to -= 1;
      meaning = readClause({ text: joined(pieces, from, to), quotes });
    }
    const words = wordsOf(joined(pieces, from, to), quotes);
    if (meaning.calls === null) {
      const clause = words.length > 300 ? `${words.slice(0, 300)}…` : words;
      if (result.refused.length === 0) result.hint = hintFor({ text: joined(pieces, from, to), quotes });
      result.refused.push({ clause, reason: meaning.reason });
    } else {
      result.calls.push(...meaning.calls);
      result.understood.push(words);
    }
    from = to;
  }
}

function joined(pieces: readonly Piece[], from: number, to: number): string {
  const run = pieces.slice(from, to).map(({ text, joint }, index) => (index === 0 ? text : joint + text));
  return trimClause(run.join(""));
}

type Meaning = { calls: ChoreCall[] } | { calls: null; reason: string };

function readClause(clause: Clause): Meaning {
  if (clause.text.length > MAX_CLAUSE_CHARACTERS) return { calls: null, reason: "it is too long for one instruction" };
  const meanings = RULES.flatMap((rule) => {
    const calls = rule.match(clause);
    return calls === null ? [] : [{ calls, left: leftOver(clause, calls, rule) }];
  });
  const unnamed = meanings.map(({ calls }) => unnamedIn(calls, clause)).find((word) => word !== null);
  if (unnamed) return { calls: null, reason: `“${unnamed}” names no page. Say it of each by its name` };
  const whole = meanings.filter(({ left }) => left.length === 0);
  const different = new Map(whole.map(({ calls }) => [JSON.stringify(calls), calls]));
  const [calls] = different.values();
  if (different.size > 1) return { calls: null, reason: "it can mean several things" };
  if (calls) return { calls };
  return { calls: null, reason: reasonFor(clause, meanings[0]?.left ?? []) };
}

/** Whether a sentence is one that the rules carry out, or ends in one. */
function isInstruction(sentence: string): boolean {
  const { text, quotes } = protectQuotes(sentence);
  const pieces = splitSentences(text).flat();
  return pieces.some(
    (piece) =>
      piece.text.length <= MAX_CLAUSE_CHARACTERS && RULES.some((rule) => rule.match({ text: piece.text, quotes })),
  );
}

/** A slot for names may take "every" or "this" for one; in quotation marks anything is a name. */
function unnamedIn(calls: readonly ChoreCall[], { quotes }: Clause): string | null {
  const names = calls.flatMap(({ input }) => [input["page"], input["redirectTo"], input["after"], input["in"]].flat());
  const isWord = (name: unknown): name is string =>
    typeof name === "string" && UNNAMED.test(name) && !quotes.includes(name);
  return names.find(isWord) ?? null;
}
const UNNAMED =
  /^(?:all|any|both|each|every|some|no|none|this|that|these|those|it|them|my|our|your|its|their|another)$/i;

/** The limit of a clause in the person's words; what is quoted limits nothing. */
function limitIn({ text, quotes }: Clause): ReturnType<typeof limitOf> {
  const words = wordsOf(text, quotes);
  const limit = limitOf(
    wordsOf(
      text,
      quotes.map((quote) => quote.replaceAll(/\S/g, "_")),
    ),
  );
  return (
    limit && {
      at: limit.at,
      phrase: words.slice(limit.at, limit.at + limit.phrase.length),
      before: words.slice(0, limit.before.length),
    }
  );
}

function reasonFor(clause: Clause, left: readonly string[]): string {
  const { text } = clause;
  const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  const limit = limitIn(clause);
  if (/^send one of these$/i.test(text)) return "choose one of the sentences that follow, and send it alone";
  if (LANGUAGE_VERBS.includes(verb)) return `to ${verb} text needs a language model, which the built-in rules are not`;
  if (left.length > 0) return `“${left.join(" ")}” would not be carried out`;
  if (limit !== null) return `the built-in rules cannot keep to “${limit.phrase}”`;
  const unsaid = unsaidTerm(clause);
  if (unsaid !== null) return unsaid;
  if (verb === "rename") return "it does not say whether a page or a term shall be renamed";
  return "it is not among the instructions that the built-in rules know";
}

/**
 * A sentence to send instead, one that does no harm: the clause without what holds it back, held to a part of the docs
 * that has to be named; or the example with its verb and its object, which names pages that do not exist.
 */
function hintFor(clause: Clause): string | null {
  const words = wordsOf(clause.text, clause.quotes);
  if (words.length > 300) return null;
  const limit = limitIn(clause);
  if (limit !== null) return heldToAPart(limit.before);
  const quoted = quotedReplacement(clause);
  if (quoted !== null) return readClause(protectQuotes(quoted)).calls === null ? null : quoted;
  return unsaidTerm(clause) === null ? nearestExample(words, RULES) : null;
}

/** Chores that can be held to a part of the docs. */
const IN_A_PART =
  /^(?:replace_term|check_links|fix_links|add_missing_descriptions|report_missing_alt|normalise_style)$/;

function heldToAPart(words: string): string | null {
  const sentence = `${trimClause(words)} in "folder"`;
  const meaning = words === "" ? null : readClause(protectQuotes(sentence));
  const isHeld = meaning?.calls?.every(({ tool, input }) => IN_A_PART.test(tool) && "in" in input);
  return isHeld ? sentence : null;
}
