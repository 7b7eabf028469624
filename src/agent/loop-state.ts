import type { ModelMessage, UserContent } from "#models/message.ts";
import { type Cut, NOTHING_CUT } from "./compaction.ts";

/** What the loop must remember between steps; stored with each of them, so that a resumed turn decides the same. */
export interface LoopState {
  stepsInTurn: number;
  /** Answers in a row without progress: no call worked that was new for the files as they were. */
  idleAnswers: number;
  /** How many of those had calls that could not be read: not JSON, or not a tool of ours. */
  unreadableAnswers: number;
  /** Hashes of the newest calls with their results and the files they were made on. */
  recentCalls: string[];
  /** Calls of the last answer that were not kept, because there were too many. */
  leftOutCalls: number;
  nudged: boolean;
  reminded: boolean;
  /** Rounds of findings handed back by the gate. */
  repairs: number;
  /** It said that it was done, had changed nothing, and was asked about it. */
  challenged: boolean;
  /** It said that it was done, and was asked once to look at what looks wrong. */
  advised: boolean;
  /** How often the model was told what it has left. */
  toldOfLimits: number;
  /** The model was told that this is its last answer. */
  isLast: boolean;
  /** What of the conversation is sent in short. It only grows, so that the provider finds the start in its cache. */
  cut: Cut;
  /** Part of the window that a request may fill: less once the provider refused one. */
  fill: number;
  /** Part of the last request that the provider read from its cache; null before the first. */
  cachedShare: number | null;
}

/** Share of the context window that a request may fill, and what it is after a refusal. */
const USUAL_FILL = 0.7;
export const FILL_AFTER_OVERFLOW = 0.35;

export const INITIAL_LOOP_STATE: LoopState = {
  stepsInTurn: 0,
  idleAnswers: 0,
  unreadableAnswers: 0,
  recentCalls: [],
  leftOutCalls: 0,
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

/** The beginning of a turn, with what the turns before it learned of the conversation and the model. */
export function nextTurnState(before: Partial<LoopState>): LoopState {
  const { cut = NOTHING_CUT, fill = USUAL_FILL, cachedShare = null } = before;
  return { ...INITIAL_LOOP_STATE, cut, fill, cachedShare };
}

const IDLE_ANSWERS_THAT_MEAN_STUCK = 4;

const REMINDER = "Use the tools to carry out the instruction. When everything is done, call the finish tool.";
const NUDGE =
  'You have repeated the same calls or failed several times in a row. Change your approach, or call finish with outcome "impossible" and say why.';

/**
 * What the loop itself has to say next: a nudge to a model that runs in circles, a reminder to one that only talks.
 * Derived from what is stored, so that a resumed turn says the same. `stuck` when it was said before and did not help,
 * `unreadable` when what did not help were calls that nobody can read.
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
    return { prompts: [REMINDER], state: { ...state, reminded: true } };
  }
  return { prompts, state };
}
