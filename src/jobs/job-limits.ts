import type { LoopLimits } from "#agent/loop.ts";

export interface JobLimits extends Omit<LoopLimits, "deadline"> {
  /** From the start of a turn to its last step. */
  turnMs: number;
}

/**
 * What one job may use, unless the owner says otherwise. The median real documentation task changes 2 files in a
 * handful of steps; these stop what runs away.
 */
export const JOB_LIMITS: JobLimits = {
  maxSteps: 60,
  turnMs: 20 * 60_000,
  inputTokens: 1_500_000,
  outputTokens: 100_000,
  costMicroUsd: null,
  toolTimeoutMs: 30_000,
  modelTimeoutMs: 5 * 60_000,
};
