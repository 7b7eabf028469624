import type { ModelMessage } from "#models/message.ts";

/** What the loop must remember between steps; stored with each of them, so that a resumed turn decides the same. */
export interface LoopState {
  stepsInTurn: number;
  /** Failed tool calls since the last one that worked. */
  errorsInRow: number;
  /** Of those, the newest that could not even be read: no JSON, no such tool. */
  unreadableInRow: number;
  /** Hashes of the newest calls with their results. */
  recentCalls: string[];
  /** Calls of the last answer that were not kept, because there were too many. */
  leftOutCalls: number;
  nudged: boolean;
  reminded: boolean;
  /** Rounds of findings handed back by the gate. */
  repairs: number;
}

export const INITIAL_LOOP_STATE: LoopState = {
  stepsInTurn: 0,
  errorsInRow: 0,
  unreadableInRow: 0,
  recentCalls: [],
  leftOutCalls: 0,
  nudged: false,
  reminded: false,
  repairs: 0,
};

const REPEATS_THAT_MEAN_STUCK = 3;
const ERRORS_THAT_MEAN_STUCK = 4;

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
  prompts: readonly string[],
  state: LoopState,
): { prompts: readonly string[]; state: LoopState } | "stuck" | "unreadable" {
  if (state.errorsInRow >= ERRORS_THAT_MEAN_STUCK || repeats(state) >= REPEATS_THAT_MEAN_STUCK) {
    if (state.nudged) return state.unreadableInRow >= ERRORS_THAT_MEAN_STUCK ? "unreadable" : "stuck";
    return {
      prompts: [...prompts, NUDGE],
      state: { ...state, nudged: true, errorsInRow: 0, recentCalls: [], leftOutCalls: 0 },
    };
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

function repeats(state: LoopState): number {
  const counts = new Map<string, number>();
  for (const hash of state.recentCalls) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
