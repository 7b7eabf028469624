import { readChoreBlocks } from "./chores-block.ts";
import type { ChoreCall, Clause, Rule } from "./clause.ts";
import { protectQuotes, wordsOf } from "./prompt-text.ts";
import { contentRules } from "./rules-content.ts";
import { linkRules } from "./rules-links.ts";
import { orderRules } from "./rules-order.ts";
import { quotedReplacement } from "./quoted-replacement.ts";
import { pageRules } from "./rules-pages.ts";
import { replaceRules } from "./rules-replace.ts";
import { LANGUAGE_VERBS, type Piece, splitSentences, trimClause } from "./vocabulary.ts";

/** What of a prompt was understood. With `refused` empty, `calls` are all that it asks for. */
export interface Understanding {
  calls: ChoreCall[];
  /** Clauses that were understood, in the person's words. */
  understood: string[];
  refused: { clause: string; reason: string }[];
  /** The nearest sentence that would be understood. */
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

  const { text, quotes, openEnded } = protectQuotes(blocks.rest);
  if (openEnded !== null && endsInInstruction(openEnded)) {
    const reason = "it is not clear where its text ends: put the text into quotes or a fenced block";
    result.refused.push({ clause: wordsOf(text, quotes).slice(0, 300), reason });
    result.hint = 'Add a page titled "Title" under "Group" with the text: "…"';
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
  if (result.refused.length > 0) result.hint = hintFor(result.refused[0]?.clause ?? "");
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
  const meanings = RULES.map((rule) => rule.match(clause)).filter((calls) => calls !== null);
  const different = new Map(meanings.map((calls) => [JSON.stringify(calls), calls]));
  const [calls] = different.values();
  if (!calls) return { calls: null, reason: reasonFor(clause.text) };
  if (different.size > 1) return { calls: null, reason: "it can mean several things" };
  return { calls };
}

/** A text that ran on to the end of the prompt may have swallowed an instruction meant for us. */
function endsInInstruction(text: string): boolean {
  const { text: inner, quotes } = protectQuotes(text);
  const last = splitSentences(inner).at(-1)?.at(-1)?.text;
  if (last === undefined || last.length > MAX_CLAUSE_CHARACTERS) return false;
  return RULES.some((rule) => rule.match({ text: last, quotes }) !== null);
}

function reasonFor(text: string): string {
  const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  if (verb === "rename") return "it does not say whether a page or a term shall be renamed";
  if (LANGUAGE_VERBS.includes(verb)) return `to ${verb} text needs a language model, which the built-in rules are not`;
  return "it is not among the instructions that the built-in rules know";
}

/** The example that shares most words with a clause. */
function hintFor(words: string): string {
  const quoted = quotedReplacement(words);
  if (quoted !== null) return quoted;
  const wanted = new Set(stems(words));
  let best = { example: RULES[0]?.example ?? "", score: -1 };
  for (const { example } of RULES) {
    const known = stems(example);
    const shared = known.filter((stem) => wanted.has(stem)).length;
    const score = shared / Math.sqrt(known.length) + (known[0] !== undefined && stems(words)[0] === known[0] ? 0.5 : 0);
    if (score > best.score) best = { example, score };
  }
  return best.example;
}

function stems(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/"[^"]*"/g, " ")
      .match(/\p{L}{3,}/gu) ?? [];
  return words
    .filter((word) => !/^(?:the|and|with|for|from|all|under|into|page)$/.test(word))
    .map((word) => word.slice(0, 5));
}
