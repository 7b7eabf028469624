import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { createRuleModel } from "./builtin-rules.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { finished, impossible, titlesOf } from "./report.ts";
import { understand } from "./understanding.ts";
import { CHECK_CHORES, type NextCall, finishCall, problemsOf, readResult, readTurn } from "./turn.ts";

/** A model that carries out the given chores, whatever the messages: all of them, or none. */
export function createChoreRunner(calls: readonly ChoreCall[]): LanguageModelV4 {
  return createRuleModel((prompt) => nextOfChores(prompt, calls));
}

function nextOfChores(prompt: LanguageModelV4Prompt, calls: readonly ChoreCall[]): NextCall {
  // Calls of an earlier turn that was cut short do not belong to this turn.
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const [check, ...runs] = readTurn(prompt.slice(start)).made;
  if (!check) return { tool: CHECK_CHORES, input: { chores: calls } };
  const problems = problemsOf(check, calls);
  if (problems.length > 0) return finishCall(impossible(problems, []));
  const results = [];
  for (const [index, call] of calls.entries()) {
    const run = runs[index];
    if (!run) return { tool: call.tool, input: call.input };
    if (!run.ok) return finishCall(impossible([{ call, message: run.output }], results));
    results.push(readResult(run.output));
  }
  return finishCall(finished(calls, results));
}

/** The chores that a sentence requests; empty unless every part of it is understood. */
export const choresIn = (sentence: string, names: readonly string[]): ChoreCall[] => understand(sentence, names).calls;

const MAX_WORDS = 1_000;

/** Chores as sentences, for people. */
export function describeChores(calls: readonly ChoreCall[]): string {
  const words = titlesOf(calls)
    .map((title) => `${title}.`)
    .join("\n");
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).toWellFormed()}…` : words;
}
