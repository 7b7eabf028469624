import type { ChoreCall } from "./chores/chore-form.ts";
import type { KnownNames } from "./grammar/names.ts";
import { restore } from "./grammar/prompt-text.ts";
import { type Token, tokensOf } from "./grammar/tokens.ts";
import { readClause } from "./read-clause.ts";
import type { Clause } from "./sentence.ts";

/** A sentence with one word or phrase that is not understood: without it, the sentence has one meaning. */
export interface Repair {
  without: string;
  /** The sentence without it; null if that would request something else. */
  sentence: string | null;
}

const MAX_TOKENS = 40;
const MAX_STEPS = 300_000;
/**
 * Words for how well or how soon to do something: without them the request stays the same. The list is closed. “Undo”, “nobody”,
 * “Anna”, “German” or “selectively” before the same words request something else, a part of it, nothing, or the opposite.
 */
const MANNER =
  /^(?:quickly|swiftly|promptly|carefully|properly|correctly|nicely|neatly|cleanly|gently|thoroughly|diligently|smoothly|safely|quietly|silently|kindly|urgently|immediately|instantly|straightaway|now|today|asap)$/i;
/** A deadline, but not a date to do it on. */
const WHEN =
  /^(?:before|by) (?:(?:the )?(?:end of|next|this) )?(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|noon|tonight|week|month|weekend|release|lunch|midnight)$/i;
/** Praise of the result, for a change in one place. */
const PRAISE = /^(?:nice|good|great|lovely|beautiful|cool|proper|friendly|helpful|shiny|fancy|pretty)$/i;
/** Words of the forms: none of them is the unknown word. */
const OF_FORMS =
  /^(?:not|no|never|none|only|just|except|but|and|or|if|unless|until|when|once|while|without|with|in|on|at|of|to|from|for|by|as|into|under|after|before|between|like|than|the|an?|all|any|both|each|every|some|most|many|few|half|first|second|third|last|next|previous|other|another|same|external|internal|missing|empty|new|draft|hidden|section|heading|group|page|image|redirect|folder)$|\d|\//i;
/** Chores that do one thing in one place: omitting a word does not widen them. */
const AT_ONE_PLACE = /^(?:move_page|add_page|add_section|replace_section|add_callout|set_front_matter|set_alt_text|rename_group|move_group|add_redirect)$/; // oxfmt-ignore

/**
 * The clause without the one word or phrase that is not understood; null if there is none, or more than one candidate. A word is
 * only left out if the rest requests nothing more.
 */
export function repaired(clause: Clause, names: KnownNames): Repair | null {
  const tokens = tokensOf(clause.text, clause.quotes);
  if (tokens.length < 3 || tokens.length > MAX_TOKENS) return null;
  const context = { names, budget: { steps: MAX_STEPS } };
  for (const length of [1, 2, 3]) {
    const found = new Map<string, Repair>();
    for (let at = 0; at + length <= tokens.length; at += 1) {
      const span = tokens.slice(at, at + length);
      if (!span.every(({ kind }) => kind === "word")) continue;
      const words = span.map(({ norm }) => norm).join(" ");
      const isHarmless = length === 1 ? MANNER.test(words) : WHEN.test(words);
      if (!isHarmless && (length > 1 || OF_FORMS.test(words))) continue;
      const [calls, other] = readClause(withoutSpan(tokens, at, length), context);
      if (!calls || other !== undefined || (!isHarmless && !isAtOnePlace(calls))) continue;
      const repair = repairOf(clause, tokens, { at, length });
      found.set(JSON.stringify(calls), isHarmless || PRAISE.test(words) ? repair : { ...repair, sentence: null });
    }
    if (found.size === 1) return [...found.values()][0] ?? null;
    if (found.size > 1) return null;
  }
  return null;
}

const isAtOnePlace = (calls: readonly ChoreCall[]): boolean =>
  calls.every(({ tool, input }) => AT_ONE_PLACE.test(tool) && input["in"] === undefined);

function withoutSpan(tokens: readonly Token[], at: number, length: number): Token[] {
  const rest = [...tokens.slice(0, at), ...tokens.slice(at + length)];
  return rest.at(-1)?.norm === "," ? rest.slice(0, -1) : rest;
}

function repairOf(
  { text, quotes }: Clause,
  tokens: readonly Token[],
  { at, length }: { at: number; length: number },
): Repair {
  const [from, to] = [tokens[at]?.at ?? 0, tokens[at + length - 1]?.end ?? 0];
  const bare = `${text.slice(0, from).trimEnd()} ${text.slice(to).trimStart()}`.trim().replace(/,$/, "");
  const sentence = restore(bare, quotes, (quote) => `"${quote}"`);
  const own = sentence.replace(/^[,:;\s]+/, "");
  return { without: text.slice(from, to), sentence: own.charAt(0).toUpperCase() + own.slice(1) };
}
