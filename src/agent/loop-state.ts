import type { ModelMessage, UserContent } from "#models/message.ts";
import { type Cut, NOTHING_CUT } from "./compaction.ts";

/** State of the loop between steps, stored with each step, so that a resumed turn makes the same decisions. */
export interface LoopState {
  stepsInTurn: number;
  /** Consecutive answers without progress: cut off, or every call failed or repeated an earlier one on the same files. */
  idleAnswers: number;
  /** How many of them had only unreadable calls: not JSON, or an unknown tool. */
  unreadableAnswers: number;
  /** Hashes of the newest calls, each with its result and tree. */
  recentCalls: string[];
  /** Number of calls in the last answer that were not run because there were too many. */
  leftOutCalls: number;
  /** The last answer had no calls because it reached the limit of output tokens. */
  wasCutOff: boolean;
  nudged: boolean;
  reminded: boolean;
  /** Number of times that the gate returned findings. */
  repairs: number;
  /** The model finished without changing anything, and was asked about it. */
  challenged: boolean;
  /** The model finished, and was asked once to look at warnings. */
  advised: boolean;
  /** How often the model was told its remaining budget. */
  toldOfLimits: number;
  /** The model was told that this is its last answer. */
  isLast: boolean;
  /** The part of the conversation that is sent in short form. It only grows, so that the start stays a cache hit. */
  cut: Cut;
  /** Share of the window that a request may fill; lower after the provider refused a request. */
  fill: number;
  /** Share of the last request that was read from the provider's cache; null before the first. */
  cachedShare: number | null;
}

/** Share of the context window that a request may fill, usually and after a refusal. */
const USUAL_FILL = 0.7;
export const FILL_AFTER_OVERFLOW = 0.35;

export const INITIAL_LOOP_STATE: LoopState = {
  stepsInTurn: 0,
  idleAnswers: 0,
  unreadableAnswers: 0,
  recentCalls: [],
  leftOutCalls: 0,
  wasCutOff: false,
  nudged: false,
  reminded: false,
  repairs: 0,
  challenged: false,
  advised: false,
  toldOfLimits: 0,
  isLast: false,
  cut: NOTHING_CUT,
  fill: USUAL_FILL,
  cachedShare: null,
};

/** Initial state of a turn, keeping what earlier turns learned about the conversation and the model. */
export function nextTurnState(before: Partial<LoopState>): LoopState {
  const { cut = NOTHING_CUT, fill = USUAL_FILL, cachedShare = null } = before;
  return { ...INITIAL_LOOP_STATE, cut, fill, cachedShare };
}

const IDLE_ANSWERS_THAT_MEAN_STUCK = 4;

const REMINDER = "Use the tools to carry out the instruction. When everything is done, call the finish tool.";
const CUT_OFF =
  "Your last answer was cut off at the limit of output tokens. Go on with tool calls, and write a long file in several calls.";
const NUDGE =
  'You have repeated the same calls or failed several times in a row. Change your approach, or call finish with outcome "impossible" and say why.';

/**
 * Adds the loop's own prompts: a nudge for a model that repeats itself, a reminder for one that only talks. Derived
 * from stored state, so that a resumed turn adds the same. `stuck` if a nudge did not help, `unreadable` if the reason
 * is unreadable calls.
 */
export function interjection(
  conversation: readonly ModelMessage[],
  prompts: readonly UserContent[],
  state: LoopState,
): { prompts: readonly UserContent[]; state: LoopState } | "stuck" | "unreadable" {
  if (state.idleAnswers >= IDLE_ANSWERS_THAT_MEAN_STUCK) {
    if (state.nudged) return state.unreadableAnswers >= IDLE_ANSWERS_THAT_MEAN_STUCK ? "unreadable" : "stuck";
    return { prompts: [...prompts, NUDGE], state: { ...state, nudged: true, idleAnswers: 0, leftOutCalls: 0 } };
  }
  if (state.leftOutCalls > 0) {
    const text = `${state.leftOutCalls} calls of your last answer were not run: send fewer calls at once, and those again that are still needed.`;
    return { prompts: [...prompts, text], state: { ...state, leftOutCalls: 0 } };
  }
  if (prompts.length === 0 && conversation.at(-1)?.role === "assistant") {
    return { prompts: [state.wasCutOff ? CUT_OFF : REMINDER], state: { ...state, reminded: true } };
  }
  return { prompts, state };
}
