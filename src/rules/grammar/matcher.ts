import { readSlot, type SlotContext } from "./slots.ts";
import type { Node } from "./template.ts";

/**
 * A restriction, an exception or an option, by the key of a chore's input. All chores share one grammar: a modifier that a chore
 * does not support refuses the clause, so no such word is ever dropped.
 */
export type Modifier = Readonly<Record<string, unknown>>;

/** A modifier with its position in a sentence. */
export interface SaidModifier {
  modifier: Modifier;
  /** Its first token, including punctuation and a joining word, and the token after its last. */
  at: number;
  end: number;
  /** “and”, “but”, “though” or “also”, if it begins with one. */
  joint?: string | undefined;
}

/** The result of one way to read the tokens. */
export interface Reading {
  /** The values of each slot, in the order of the sentence. */
  slots: Readonly<Record<string, readonly string[]>>;
  modifiers: readonly SaidModifier[];
  /** How much of it is a guess; among different readings the cheapest one is used. */
  cost: number;
}

/** The context that a match needs of the clause. `budget` is the remaining work for all forms together. */
export interface MatchContext extends SlotContext {
  budget: { steps: number };
  /** Readings of the restrictions and options that may begin at a token. */
  modifiersAt(at: number): readonly SaidModifier[];
}

/** The position up to which the tokens are read, and the slots so far. */
export interface Position {
  at: number;
  reading: Reading;
}

type Then = (position: Position) => void;

export const start = (at = 0): Position => ({ at, reading: { slots: {}, modifiers: [], cost: 0 } });

/** Calls `then` for every way to read a template from a token on. Stops silently when the budget is used up. */
export function match(context: MatchContext, node: Node, position: Position, then: Then): void {
  context.budget.steps -= 1;
  if (context.budget.steps < 0) return;
  const { at, reading } = position;
  switch (node.kind) {
    case "word": {
      const token = context.tokens[at];
      if (token === undefined || token.kind === "quote") return;
      if (node.words.has(token.norm)) then({ at: at + 1, reading });
      for (const phrase of node.phrases) {
        const isSaid = phrase.every((word, index) => context.tokens[at + index]?.norm === word);
        if (isSaid) then({ at: at + phrase.length, reading });
      }
      return;
    }
    case "slot":
      for (const { value, end, cost } of readSlot(context, node.type, at)) {
        const slots = { ...reading.slots, [node.name]: [...(reading.slots[node.name] ?? []), ...value] };
        then({ at: end, reading: { ...reading, slots, cost: reading.cost + cost } });
      }
      return;
    case "sequence": {
      const rest = (index: number, from: Position): void => {
        const next = node.nodes[index];
        if (next === undefined) then(from);
        else match(context, next, from, (reached) => rest(index + 1, reached));
      };
      rest(0, position);
      return;
    }
    case "choice":
      for (const option of node.options) match(context, option, position, then);
      return;
    case "repeated":
      then(position);
      match(context, node.node, position, (reached) => {
        if (reached.at > at) match(context, node, reached, then);
      });
      return;
    case "modifiers":
      then(position);
      for (const modifier of context.modifiersAt(at)) {
        const modifiers = [...reading.modifiers, modifier];
        match(context, node, { at: modifier.end, reading: { ...reading, modifiers } }, then);
      }
  }
}
