import type { ResolvedModel } from "#models/model.ts";
import type { ModelUsage } from "#models/reply.ts";
import type { LoopState } from "./loop-state.ts";

/**
 * What a turn may use. Input tokens are weighed: one that the provider read from its cache counts as the part of the
 * price that it costs.
 */
export interface TurnBudget {
  inputTokens: number;
  outputTokens: number;
  /** Millionths of a dollar; null where no budget is set. */
  costMicroUsd: number | null;
}

/** What is left of a turn's budget, or of that of the project's day where that is less. */
export interface BudgetLeft extends TurnBudget {
  /** The project's day is what is short. */
  isDay: boolean;
}

/** What calls of the model used up. */
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

/** The part of a token's weight that a request's token will probably have: as much from the cache as the last time. */
function expectedWeight({ weights }: ResolvedModel, { cachedShare }: LoopState): number {
  return 1 - (cachedShare ?? 0) * (1 - weights.cached);
}

// Forty pages of 20 KB that are read and edited one by one then fit the usual budget, also where nothing is cached.
const REQUESTS_IN_BUDGET = 40;
const LEAST_REQUEST_TOKENS = 14_000;
// Before the first answer it is not known whether the provider caches.
const UNKNOWN_WEIGHT = 0.5;

/** How large a request may be so that what is left lasts for many more. */
export function affordableTokens(model: ResolvedModel, state: LoopState, left: BudgetLeft): number {
  const weight = state.cachedShare === null ? UNKNOWN_WEIGHT : expectedWeight(model, state);
  const lasting = Math.max(LEAST_REQUEST_TOKENS, left.inputTokens / REQUESTS_IN_BUDGET / weight);
  return Math.floor(Math.min(lasting, left.inputTokens / expectedWeight(model, state)));
}

// Less is no answer that anybody could use.
const LEAST_OUTPUT_TOKENS = 16;

/** How long the answer to a request of this size may be; null when the budget does not reach for it. */
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

/** The smallest share that is left of anything in the budget, 0 to 1. */
export function shareLeft(budget: TurnBudget, left: BudgetLeft): number {
  const shares = [left.inputTokens / budget.inputTokens, left.outputTokens / budget.outputTokens];
  if (budget.costMicroUsd !== null && left.costMicroUsd !== null) shares.push(left.costMicroUsd / budget.costMicroUsd);
  else if (left.costMicroUsd !== null && left.costMicroUsd <= 0) shares.push(0); // a cap of the day alone
  return Math.max(0, Math.min(1, ...shares));
}
