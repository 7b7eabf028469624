import type { ChoreCall } from "./chores/chore-form.ts";

/** What a follow-up can speak of. */
export interface TurnBefore {
  /** What the turn before was asked. */
  requests: readonly string[];
  /** The chores of the last turn that was carried out; those of a refused one count for nothing. */
  calls: readonly ChoreCall[];
}
