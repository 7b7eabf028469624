import { understand } from "#rules/understanding.ts";
import type { ExpectedCall, CorpusEntry } from "./entry.ts";
import { namesNothing, namesOfRepository, spelledAlike } from "./same-meaning.ts";

/**
 * `right`: the chores that were meant, or a refusal that helps. `misread`: chores would run that nobody asked for. `missed`: the
 * rest. It costs a minute: a refusal of what could be done, or calls that name something missing, which no chore carries out.
 */
export type Verdict = "right" | "missed" | "misread";

/** The only place that calls the rules. */
function read(
  message: string,
  toolNames: readonly string[],
): { calls: ExpectedCall[]; answer: string; offered: number } {
  const first = understand(message, toolNames);
  // As a turn does: the repository is asked only where form alone does not tell the names.
  const { calls, refused, hint } = first.refused.length > 0 ? understand(message, toolNames, namesOfRepository) : first;
  const answer = [...refused.flatMap(({ clause, reason }) => [clause, reason]), hint ?? ""].join("\n");
  const offered = (hint ?? "").split("\n").filter((line) => line.trim() !== "").length;
  return { calls: refused.length > 0 ? [] : calls.map(({ tool, input }) => [tool, input]), answer, offered };
}

/** What the rules make of a message, held against its outcome. */
export function judge(
  message: string,
  entry: CorpusEntry,
  toolNames: readonly string[],
): { verdict: Verdict; got: string } {
  const { calls, answer, offered } = read(message, toolNames);
  const got = calls.length === 0 ? "refused" : JSON.stringify(spelledAlike(calls));
  const wanted = "calls" in entry ? [entry.calls] : "either" in entry ? entry.either : ["refused" as const];
  // What names something missing is refused by the trial run of the chores, before anything is changed.
  const isRefused = got === "refused" || calls.some(namesNothing);
  if (isRefused && "refused" in entry && entry.refused === true) return { got, verdict: "right" };
  if (wanted.some((one) => got === (one === "refused" ? one : JSON.stringify(spelledAlike(one))))) {
    const { names = "", readings = 0 } = "refused" in entry && entry.refused !== true ? entry.refused : {};
    return { got, verdict: answer.includes(names) && offered >= readings ? "right" : "missed" };
  }
  return { got, verdict: got === "refused" || calls.some(namesNothing) ? "missed" : "misread" };
}
