import { ANY_QUOTED } from "./prompt-text.ts";
import { type ChoreCall, type Clause, type Rule, takeScope } from "./clause.ts";
import { PLAIN_WORDS } from "./plain-words.ts";

/**
 * The words of a clause that its understanding does not account for. A form may let a word pass that its chore does
 * nothing about; so every word must be a value of a call, part of a phrase that the calls carry out, or one of the
 * plain words, which hold nothing back.
 */
export function leftOver(clause: Clause, calls: readonly ChoreCall[], rule: Rule): string[] {
  const isScoped = calls.every(({ input }) => "in" in input);
  let { text } = clause;
  for (const phrase of rule.carriesOut?.(clause) ?? []) text = text.replace(phrase, " ");
  if (isScoped) text = takeScope({ ...clause, text }).text;
  const values = new Set(calls.flatMap(({ input }) => wordsOf(valuesIn(input).join(" "))));
  const words = wordsOf(text.replaceAll(new RegExp(ANY_QUOTED, "g"), " "));
  return words.filter((word) => !values.has(word) && !PLAIN_WORDS.has(word));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_'’-]*/gu) ?? [];

function valuesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesIn);
}
