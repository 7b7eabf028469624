import { type BudgetLeft, shareLeft, type TurnBudget } from "./budget.ts";
import type { ModelFailure } from "#models/failure.ts";
import type { LoopState } from "./loop-state.ts";

export interface LoopLimits extends TurnBudget {
  maxSteps: number;
  /** After this instant no step starts, and a running model call is aborted. */
  deadline: Date;
  /** Time from the start of the turn to `deadline`. */
  turnMs: number;
  /** Time that a tool may take between two reads or parses; if it does neither for longer, the turn is released. */
  toolPatienceMs: number;
  /** Timeout of one model call, which is then retried. */
  modelTimeoutMs: number;
}

export type LoopFailCode =
  | "budget_exceeded"
  | "step_limit"
  | "time_limit"
  | "stuck"
  | "model_error"
  | "model_auth"
  | "context_overflow";

export type LoopFailure = {
  ok: false;
  code: LoopFailCode;
  message: string;
  hint?: string;
  /** Set if the provider may recover without any change. */
  outage?: ModelFailure;
};

export const OUT_OF_TIME: LoopFailure = {
  ok: false,
  code: "time_limit",
  message: "The agent was not done within the time limit of a turn.",
};

export function outOfBudget(limits: LoopLimits, left: BudgetLeft): LoopFailure {
  const ofMoney = (left.costMicroUsd ?? Infinity) / (limits.costMicroUsd ?? left.costMicroUsd ?? 1);
  const isMoney =
    ofMoney <= left.inputTokens / limits.inputTokens && ofMoney <= left.outputTokens / limits.outputTokens;
  const what = isMoney ? "money" : "tokens";
  if (!left.isDay) {
    return { ok: false, code: "budget_exceeded", message: `The turn has used up its budget of ${what}.` };
  }
  return {
    ok: false,
    code: "budget_exceeded",
    message: `The jobs of the project have used up their budget of ${what} for today.`,
    hint: "Send a follow-up message after midnight UTC, or raise the project's budget of a day (DOCENT_PROJECT_DAY_INPUT_TOKENS, DOCENT_PROJECT_DAY_OUTPUT_TOKENS, DOCENT_PROJECT_DAY_COST_USD).",
  };
}

const outOfSteps = (limits: LoopLimits): LoopFailure => ({
  ok: false,
  code: "step_limit",
  message: `The agent was not done after ${limits.maxSteps} steps.`,
});

interface LimitInputs {
  now: Date;
  state: LoopState;
  limits: LoopLimits;
  left: BudgetLeft;
  /** Whether the model uses no budget, like the embedded rules. */
  isFree: boolean;
}

/** The limit that is reached; null if none is. */
export function limitReached({ now, state, limits, left, isFree }: LimitInputs): LoopFailure | null {
  if (state.stepsInTurn >= limits.maxSteps) return outOfSteps(limits);
  if (now >= limits.deadline) return OUT_OF_TIME;
  return !isFree && shareLeft(limits, left) <= 0 ? outOfBudget(limits, left) : null;
}

const LAST_PART = 0.1;

/** The limit that is nearly reached, with at most a tenth or one step left: the model should wrap up. Null while no limit is near. */
export function limitNear({ now, state, limits, left, isFree }: LimitInputs): LoopFailure | null {
  if (isFree) return null;
  if (shareLeft(limits, left) <= LAST_PART) return outOfBudget(limits, left);
  if (limits.deadline.getTime() - now.getTime() <= limits.turnMs * LAST_PART) return OUT_OF_TIME;
  return state.stepsInTurn === limits.maxSteps - 1 ? outOfSteps(limits) : null;
}

const NEWS_AT_SHARES = [0.5, 0.25];

/** A message to the model about its remaining budget, once at a half and once at a quarter; null without news. */
export function newsOfLimits({ state, limits, left, isFree }: LimitInputs): { text: string; told: number } | null {
  if (isFree) return null;
  const steps = 1 - state.stepsInTurn / limits.maxSteps;
  const share = Math.min(steps, shareLeft(limits, left));
  const told = NEWS_AT_SHARES.filter((threshold) => share <= threshold).length;
  if (told <= state.toldOfLimits) return null;
  const percent = Math.floor(shareLeft(limits, left) * 100);
  const text = `For this turn you have ${limits.maxSteps - state.stepsInTurn} steps and ${percent} % of its budget of tokens left. Do the most important things first.`;
  return { text, told };
}

export const WRAP_UP =
  "The limits of this turn are nearly reached: this is your last answer. Call finish now, with outcome done, and say in the summary what is done and what is still missing. What you have changed is kept.";
