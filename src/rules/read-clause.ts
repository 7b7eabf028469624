import { callsOf, type ChoreCall } from "./chores/chore-form.ts";
import { formRows } from "./chores/chore-forms.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import { match, type MatchContext, type SaidModifier, start } from "./grammar/matcher.ts";
import { modifiersAt } from "./grammar/modifiers.ts";
import type { Token } from "./grammar/tokens.ts";

/** What one instruction can mean: the calls of each meaning. Exactly one is understood; none or several are not. */
export type Meanings = readonly (readonly ChoreCall[])[];

/** The context of reading a message, and the remaining work for all of it. */
export interface ClauseContext {
  names: KnownNames;
  budget: { steps: number };
}

// No message of the corpus that is understood takes more than a fifth of this. A hundred thousand steps take some 30 ms.
const MAX_STEPS = 500_000;
const MAX_TOKENS = 220;
/** The work for a clause before its first word is read, in steps of a match. */
const STEPS_TO_BEGIN = 100;

export function newClauseContext(names: KnownNames = NO_NAMES): ClauseContext {
  return { names, budget: { steps: MAX_STEPS } };
}

/** Every meaning of an instruction with the lowest cost of guessing. All of its words must match, or it has no meaning. */
export function readClause(said: readonly Token[], { names, budget }: ClauseContext): Meanings {
  budget.steps -= STEPS_TO_BEGIN + said.length;
  if (said.length === 0 || said.length > MAX_TOKENS || budget.steps < 0) return [];
  if (said.some(isHalfQuoted)) return [];
  const tokens = keepGroupTitles(said, names);
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
  const norms = tokens.map(({ norm }) => norm);
  for (const { form, node, needed } of formRows()) {
    if (needed.some((words) => !norms.some((norm) => words.has(norm)))) continue;
    match(context, node, start(), ({ at: end, reading }) => {
      if (end !== tokens.length || reading.cost > least) return;
      const calls = callsOf(form, reading, names);
      if (calls === null || calls.length === 0) return;
      if (reading.cost < least) meanings = new Map();
      least = reading.cost;
      meanings.set(JSON.stringify(calls), calls);
    });
  }
  // An incomplete search may have missed another meaning.
  return context.budget.steps < 0 ? [] : [...meanings.values()];
}

/** A quotation mark without its counterpart: the end of the quotation is unknown. */
export const isHalfQuoted = ({ kind, text }: Token): boolean =>
  kind === "word" && /^["“”„«‘`]|["“”„»`]$/.test(text) && !/^(?:\d+["”]|["“”'`‘’]{2})$/.test(text);

/**
 * “All pages” inside a sentence may be the title of a group. Until the repository is looked up, and if it has such a title, the
 * words only match that: a capitalized norm matches no word of a form.
 */
function keepGroupTitles(tokens: readonly Token[], names: KnownNames): readonly Token[] {
  return tokens.map((token, at) => {
    const next = tokens[at + 1];
    const isWhole = at > 0 && /^(?:All|Every|Each)$/.test(token.text) && /^(?:pages?|docs|files?|articles?)$/.test(next?.norm ?? ""); // oxfmt-ignore
    if (token.kind !== "word" || !isWhole) return token;
    const phrase = `${token.norm} ${next?.norm ?? ""}`;
    const isTitle = names.groups.has(phrase) || names.titles.has(phrase);
    return isTitle || !names.isKnown ? { ...token, norm: token.text } : token;
  });
}
