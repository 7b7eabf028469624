import type { ChoreCall } from "./chores/chore-form.ts";

/** What a follow-up can speak of. */
export interface TurnBefore {
  /** What the turn before was asked. */
  requests: readonly string[];
  /** Whether it was carried out. */
  isCarriedOut: boolean;
  /** The turn before that one was not: “the same” of its request speaks of nothing that was done. */
  isAfterRefusal?: boolean;
  /** The chores of each turn that was carried out, oldest first; none for one that only said “never mind”. */
  turns: readonly (readonly ChoreCall[])[];
}

export const NOTHING_BEFORE: TurnBefore = { requests: [], isCarriedOut: false, turns: [] };

/** The chores of the last turn that was carried out; those of a refused one count for nothing. */
export function lastCalls({ turns }: TurnBefore): readonly ChoreCall[] {
  return turns.at(-1) ?? [];
}

/** What “that” is in “undo that”: the last change that still stands. */
export interface Standing {
  /** How many of the last turns it spans: what takes it back in part, or puts another word in its place, belongs to it. */
  turns: number;
  calls: readonly ChoreCall[];
}

/**
 * What still stands of the turns, oldest first, and what an undo has just taken back. “Undo that” said twice takes back the last
 * change and the one before it; it never brings one back.
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
