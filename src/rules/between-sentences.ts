import type { ChoreCall } from "./chores/chore-form.ts";
import { tokensOf } from "./grammar/tokens.ts";
import type { Asked } from "./read-clause.ts";
import { readSentence, type SentenceReading } from "./read-sentence.ts";
import type { Sentence } from "./sentences.ts";
import { type Limit, mayBeMeant, RESTRICTS, scopeOfLead } from "./shared-scope.ts";

/** A sentence that is an instruction, and the restrictions that sentences beside it were read as. */
export interface Said {
  sentence: Sentence;
  calls: readonly ChoreCall[];
  limits: (Limit & { words: string })[];
}

/** What is in the way, in protected words. */
interface Unclear {
  words: string;
  reason: string;
}

/** A restriction in a sentence of its own that another instruction could be meant with as well: nobody can tell. */
export function heldByOthers(
  all: readonly Said[],
  calls: readonly ChoreCall[],
  quotes: readonly string[],
  { names }: Asked,
): Unclear | null {
  for (const said of all) {
    for (const { words, ...limit } of said.limits) {
      const others = all.filter((other) => other !== said);
      const known = new Set(all.flatMap((each) => each.calls));
      const unsaid = { tokens: [], calls: calls.filter((call) => !known.has(call)) };
      const parts = others.map((other) => ({ tokens: tokensOf(other.sentence.text, quotes), calls: other.calls }));
      if (![...parts, unsaid].some((part) => mayBeMeant(limit, part, names))) continue;
      return { words, reason: "it could hold for several instructions. Say it in each of them" };
    }
  }
  return null;
}

/**
 * Items below one instruction that restrict it in several ways: “- in guides/”, “- not in code”. Each by itself would do what another
 * holds back. Several places are several places.
 */
export function restrictedApart(all: readonly Said[]): Unclear | null {
  const introOf = ({ sentence: { lead, under } }: Said) => lead ?? under ?? null;
  for (const [index, later] of all.entries()) {
    for (const earlier of all.slice(0, index)) {
      if (introOf(later) === null || introOf(later) !== introOf(earlier)) continue;
      const isApart = later.calls.some((call) => earlier.calls.some((known) => differInLimits(known, call)));
      if (isApart)
        return { words: later.sentence.text, reason: "it is not clear how it goes together with the items before it" };
    }
  }
  return null;
}

function differInLimits(one: ChoreCall, other: ChoreCall): boolean {
  const core = ({ tool, input }: ChoreCall) =>
    JSON.stringify([tool, Object.entries(input).filter(([key]) => !RESTRICTS.test(key))]);
  const keys = ({ input }: ChoreCall) => Object.keys(input).filter((key) => RESTRICTS.test(key)).toSorted().join(" "); // oxfmt-ignore
  const isPlaces = keys(one) === keys(other) && /^(?:in|only)?$/.test(keys(one));
  return core(one) === core(other) && !isPlaces && JSON.stringify(one) !== JSON.stringify(other);
}

/** “Lastly, …” in front of others, “First, …” behind them, and numbers that run back: the order in which it stands is not the one that it tells. */
export function outOfOrder(all: readonly Said[]): Unclear | null {
  const found = all.find(({ sentence: { order } }, at) => {
    const [isFirst, isLast] = [at === 0, at === all.length - 1];
    if (order === "first") return !isFirst;
    if (order === "last") return !isLast;
    return order === "back" || (order === "after" && isFirst && !isLast);
  });
  const reason =
    "its words and its place tell two orders. Send the instructions in the order in which they shall be done";
  return found ? { words: found.sentence.text, reason } : null;
}

/**
 * Reads a sentence that may stand under an introduction or not: the next sentence of an item, a line below the list. A line below an
 * introduction without the signs of a list belongs to it; of the others nobody can tell, so it must not matter.
 */
export function readUnder(...of: Parameters<typeof readSentence>): SentenceReading {
  const [sentence, quotes, asked, context] = of;
  const { under } = sentence;
  const alone = readSentence(...of);
  if (under === undefined || (alone.calls.length === 0 && sentence.isBelow !== true)) return alone;
  const held = readSentence({ ...sentence, lead: under }, quotes, asked, context);
  if (held.refused.length === 0 && held.calls.length > 0) {
    if (sentence.isBelow || JSON.stringify(held.calls) === JSON.stringify(alone.calls)) return held;
    return { calls: [], understood: [], refused: [{ text: sentence.text, isAmbiguous: true, isHeld: true }] };
  }
  const scope = scopeOfLead(tokensOf(under, quotes), asked);
  const part = { tokens: tokensOf(sentence.text, quotes), calls: alone.calls };
  const isOpen = scope !== null && mayBeMeant({ tool: alone.calls[0]?.tool ?? "", scope }, part, asked.names);
  return isOpen
    ? { calls: [], understood: [], refused: [{ text: sentence.text, isAmbiguous: true, isHeld: true }] }
    : alone;
}
