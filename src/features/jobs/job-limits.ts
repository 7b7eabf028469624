import type { TurnBudget } from "#agent/budget.ts";
import type { LoopLimits } from "#agent/loop-limits.ts";

export interface JobLimits extends Omit<LoopLimits, "deadline"> {
  /** How long a job waits for a provider that does not answer; 0 = not at all. */
  outageMs: number;
  /** What all jobs of a project may use on a day of UTC. */
  day: TurnBudget;
}

/**
 * What one turn may use, unless the owner says otherwise. The median real documentation task changes 2 files in a
 * handful of steps, forty pages one by one take 81; these stop what runs away.
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
