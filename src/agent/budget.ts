import type { ResolvedModel } from "#models/model.ts";
import type { ModelUsage } from "#models/reply.ts";
import type { LoopState } from "./loop-state.ts";

/**
 * Limits of a turn. Input tokens are weighted: one that was read from the provider's cache counts as its fraction of
 * the full price.
 */
export interface TurnBudget {
  inputTokens: number;
  outputTokens: number;
  /** Millionths of a dollar; null without a budget. */
  costMicroUsd: number | null;
}

/** The remaining budget of the turn or of the project's day, whichever is smaller. */
export interface BudgetLeft extends TurnBudget {
  /** Whether the project's daily budget is the smaller one. */
  isDay: boolean;
}

/** Usage and cost of model calls. */
export interface Spent {
  usage: ModelUsage;
  weightedTokens: number;
  costMicroUsd: number;
}

export function spentOn({ price, weights }: ResolvedModel, usage: ModelUsage): Spent {
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens);
  const weightedTokens = Math.ceil(
    fresh + usage.cachedTokens * weights.cached + usage.cacheWriteTokens * weights.cacheWrite,
  );
  // Dollars per million tokens are millionths of a dollar per token.
  const costMicroUsd = price
    ? Math.ceil(
        fresh * price.inputPerMillionUsd +
          usage.cachedTokens * price.cachedInputPerMillionUsd +
          usage.cacheWriteTokens * price.cacheWritePerMillionUsd +
          usage.outputTokens * price.outputPerMillionUsd,
      )
    : 0;
  return { usage, weightedTokens, costMicroUsd };
}

/** The expected average weight of a request's tokens, if the cached share is the same as in the last request. */
function expectedWeight({ weights }: ResolvedModel, { cachedShare }: LoopState): number {
  return 1 - (cachedShare ?? 0) * (1 - weights.cached);
}

// The usual budget then suffices to read and edit forty pages of 20 KB one by one, even without caching.
const REQUESTS_IN_BUDGET = 40;
const LEAST_REQUEST_TOKENS = 14_000;
// Whether the provider caches is unknown before the first response.
const UNKNOWN_WEIGHT = 0.5;

/** The maximum size of a request that leaves budget for many more: for all `steps` that are left, if they are fewer. */
export function affordableTokens(
  model: ResolvedModel,
  state: LoopState,
  { left, steps }: { left: BudgetLeft; steps: number },
): number {
  const weight = state.cachedShare === null ? UNKNOWN_WEIGHT : expectedWeight(model, state);
  const lasting = Math.max(LEAST_REQUEST_TOKENS, left.inputTokens / Math.min(REQUESTS_IN_BUDGET, steps) / weight);
  return Math.floor(Math.min(lasting, left.inputTokens / expectedWeight(model, state)));
}

// A shorter answer is of no use.
const LEAST_OUTPUT_TOKENS = 16;

/** The maximum length of the answer to a request of this size; null if the budget does not cover the request. */
export function affordableOutput(
  model: ResolvedModel,
  state: LoopState,
  { left, requestTokens }: { left: BudgetLeft; requestTokens: number },
): number | null {
  if (model.isBuiltin) return model.maxOutputTokens;
  const weighted = requestTokens * expectedWeight(model, state);
  if (weighted > left.inputTokens) return null;
  const byTokens = Math.min(model.maxOutputTokens, left.outputTokens);
  if (left.costMicroUsd === null || !model.price) return byTokens;
  const leftForOutput = left.costMicroUsd - weighted * model.price.inputPerMillionUsd;
  const output = model.price.outputPerMillionUsd;
  const byCost = output === 0 ? byTokens : Math.floor(leftForOutput / output);
  return leftForOutput <= 0 || byCost < LEAST_OUTPUT_TOKENS ? null : Math.min(byTokens, byCost);
}

/** The smallest remaining share of any part of the budget, 0 to 1. */
export function shareLeft(budget: TurnBudget, left: BudgetLeft): number {
  const shares = [left.inputTokens / budget.inputTokens, left.outputTokens / budget.outputTokens];
  if (budget.costMicroUsd !== null && left.costMicroUsd !== null) shares.push(left.costMicroUsd / budget.costMicroUsd);
  else if (left.costMicroUsd !== null && left.costMicroUsd <= 0) shares.push(0); // only the project's day has a limit
  return Math.max(0, Math.min(1, ...shares));
}
