import { callsOf, type ChoreCall } from "./chores/chore-form.ts";
import { formRows } from "./chores/chore-forms.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import { match, type MatchContext, type SaidModifier, start } from "./grammar/matcher.ts";
import { modifiersAt } from "./grammar/modifiers.ts";
import type { Token } from "./grammar/tokens.ts";

/** What one instruction can mean: the calls of each meaning. One is understood, none and several are not. */
export type Meanings = readonly (readonly ChoreCall[])[];

/** What is known while a message is read, and the work that is left for all of it. */
export interface Asked {
  names: KnownNames;
  budget: { steps: number };
}

// Of the corpus no message that is understood takes more than a fifth of it. A hundred thousand steps are some 30 ms.
const MAX_STEPS = 500_000;
const MAX_TOKENS = 220;
/** The work of a clause before the first of its words is read, as in the steps of a match. */
const STEPS_TO_BEGIN = 100;

export function newAsked(names: KnownNames = NO_NAMES): Asked {
  return { names, budget: { steps: MAX_STEPS } };
}

/** Every meaning of an instruction with the least of guessing. All of its words count, or it has none. */
export function readClause(said: readonly Token[], { names, budget }: Asked): Meanings {
  budget.steps -= STEPS_TO_BEGIN + said.length;
  if (said.length === 0 || said.length > MAX_TOKENS || budget.steps < 0) return [];
  if (said.some(isHalfQuoted)) return [];
  const tokens = namesKept(said, names);
  const modifiers = new Map<number, SaidModifier[]>();
  const context: MatchContext = {
    tokens,
    names,
    budget,
    modifiersAt(at) {
      const known = modifiers.get(at);
      if (known) return known;
      const found = modifiersAt(context, at);
      modifiers.set(at, found);
      return found;
    },
  };
  let least = Infinity;
  let meanings = new Map<string, ChoreCall[]>();
  for (const { form, node } of formRows()) {
    match(context, node, start(), ({ at: end, reading }) => {
      if (end !== tokens.length || reading.cost > least) return;
      const calls = callsOf(form, reading, names);
      if (calls === null || calls.length === 0) return;
      if (reading.cost < least) meanings = new Map();
      least = reading.cost;
      meanings.set(JSON.stringify(calls), calls);
    });
  }
  // What was not looked through to its end may have another meaning.
  return context.budget.steps < 0 ? [] : [...meanings.values()];
}

/** A quotation mark without its partner: where the quotation ends is not known. */
export const isHalfQuoted = ({ kind, text }: Token): boolean =>
  kind === "word" && /^["“”„«‘`]|["“”„»`]$/.test(text) && !/^(?:\d+["”]|["“”'`‘’]{2})$/.test(text);

/**
 * “All pages” within a sentence may be the title of a group. Until the repository is asked, and where it has such a title, the words
 * stand for nothing but that: their capital is no word of a form.
 */
function namesKept(tokens: readonly Token[], names: KnownNames): readonly Token[] {
  return tokens.map((token, at) => {
    const next = tokens[at + 1];
    const isWhole = at > 0 && /^(?:All|Every|Each)$/.test(token.text) && /^(?:pages?|docs|files?|articles?)$/.test(next?.norm ?? ""); // oxfmt-ignore
    if (token.kind !== "word" || !isWhole) return token;
    const phrase = `${token.norm} ${next?.norm ?? ""}`;
    const isTitle = names.groups.has(phrase) || names.titles.has(phrase);
    return isTitle || !names.isKnown ? { ...token, norm: token.text } : token;
  });
}
