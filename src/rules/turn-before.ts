import type { ChoreCall } from "./chores/chore-form.ts";

/** What a follow-up can refer to. */
export interface TurnBefore {
  /** The requests of the previous turn. */
  requests: readonly string[];
  /** Whether they were carried out. */
  isCarriedOut: boolean;
  /** Whether the turn before it was refused: then “the same” in its request refers to nothing that was done. */
  isAfterRefusal?: boolean;
  /** The chores of each turn that was carried out, oldest first; empty for one that was only “never mind”. */
  turns: readonly (readonly ChoreCall[])[];
}

export const NOTHING_BEFORE: TurnBefore = { requests: [], isCarriedOut: false, turns: [] };

/** The chores of the last turn that was carried out; refused turns are ignored. */
export function lastCalls({ turns }: TurnBefore): readonly ChoreCall[] {
  return turns.at(-1) ?? [];
}

/** The meaning of “that” in “undo that”: the last change that was not undone. */
export interface Standing {
  /** How many of the last turns it spans, including those that partly undo it or replace a word in it. */
  turns: number;
  calls: readonly ChoreCall[];
}

/**
 * The changes of the turns that were not undone, oldest first, and the one that was just undone. A second “Undo that” undoes the
 * change before the last one; it never redoes a change.
 */
export function standingOf({ turns }: TurnBefore): { standing: Standing[]; takenBack: readonly ChoreCall[] | null } {
  const standing: { from: number; calls: readonly ChoreCall[] }[] = [];
  let takenBack: readonly ChoreCall[] | null = null;
  for (const [from, calls] of turns.entries()) {
    if (calls.length === 0) continue;
    takenBack = null;
    const work = calls.filter(({ tool }) => tool !== UNDO);
    const undo = calls.find(({ tool }) => tool === UNDO)?.input;
    const last = standing.at(-1);
    if (undo && work.length > 0 && last) standing[standing.length - 1] = { from: last.from, calls: work };
    else if (work.length > 0) standing.push({ from, calls: work });
    else if (undo?.["in"] === undefined && undo?.["of"] === "all") standing.length = 0;
    else if (undo?.["in"] === undefined) takenBack = standing.pop()?.calls ?? null;
  }
  return { standing: standing.map(({ from, calls }) => ({ turns: turns.length - from, calls })), takenBack };
}

const UNDO = "undo_changes";
