import type { TurnBudget } from "#agent/budget.ts";
import type { LoopLimits } from "#agent/loop-limits.ts";
import { isStorable, type TextRule } from "#kit/http/text-rules.ts";

export interface JobLimits extends Omit<LoopLimits, "deadline"> {
  /** How long a job waits for a provider that does not answer; 0 = not at all. */
  outageMs: number;
  /** What all jobs of a project together may use per day in UTC. */
  day: TurnBudget;
}

/**
 * The default limits of one turn. The median real documentation task changes 2 files in a handful of steps, and forty
 * pages one by one take 81 steps; the limits stop a runaway turn.
 */
export const JOB_LIMITS: JobLimits = {
  maxSteps: 120,
  turnMs: 30 * 60_000,
  inputTokens: 1_500_000,
  outputTokens: 100_000,
  costMicroUsd: null,
  toolPatienceMs: 15 * 60_000,
  modelTimeoutMs: 5 * 60_000,
  outageMs: 60 * 60_000,
  day: { inputTokens: 30_000_000, outputTokens: 2_000_000, costMicroUsd: null },
};

export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_TITLE_CHARACTERS = 200;

/** Rules of an instruction, in the order in which they are reported. */
export const PROMPT_RULES: readonly TextRule[] = [
  { holds: (text) => text.trim() !== "", message: "must not be blank" },
  {
    holds: (text) => text.length <= MAX_PROMPT_CHARACTERS || countCodePoints(text) <= MAX_PROMPT_CHARACTERS,
    message: `must have at most ${MAX_PROMPT_CHARACTERS} characters`,
  },
  { holds: isStorable, message: "must not contain NUL characters or unpaired surrogates" },
];

// The limit counts code points, as other languages do. One visible character may have several of them.
function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
