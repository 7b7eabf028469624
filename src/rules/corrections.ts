import type { ChoreCall } from "./chores/chore-form.ts";
import { isQuestion } from "./remarks.ts";
import { placesOf } from "./named-places.ts";
import type { KnownNames } from "./grammar/names.ts";
import { isAddress } from "./grammar/runs.ts";
import { lastCalls, standingOf, type TurnBefore } from "./turn-before.ts";

const LEAD =
  "^(?:(?:no|nope|oh|oops|sorry|actually|please|ok|okay|hm+|wait|and|now|then|but|(?:can|could|would) you)[\\s,.!–-]+)*";
const END = "(?:[\\s,]+(?:please|again|thanks|thank you))*[.!?\\s]*$";
const UNDO = "(?:undo|revert|roll back|rollback|take back)";
const CHANGES = "(?:all (?:of )?)?(?:the|your|these|those|all) (?:changes?|edits?)";

const LAST = new RegExp(
  `${LEAD}${UNDO} (?:that|this|it|(?:the|your) last (?:changes?|edits?|commit|message|one|step))${END}`,
  "i",
);
const ALL = new RegExp(`${LEAD}${UNDO} (?:everything|all(?: of)?(?: (?:it|that|this))?|${CHANGES})${END}`, "i");
const ON_A_PART = new RegExp(
  `${LEAD}${UNDO} (?<what>that|this|it|(?:the|your) last (?:changes?|edits?)|what you did|everything|${CHANGES}) (?:on|to|in|under|for) (?<place>.{1,300}?)${END}`,
  "i",
);
// Not “as it is”, which could mean with the change or without it.
const ALONE = new RegExp(
  `${LEAD}(?:leave (?<place>.{1,300}?) (?:alone|unchanged|untouched)|(?:leave|keep) (?<same>.{1,300}?) as (?:it|they) (?:was|were)(?: before)?)${END}`,
  "i",
);
const INSTEAD = new RegExp(
  `${LEAD}(?:use|make it|call it|write|say|take) (?<value>["“”'‘’\`].{1,120}["“”'‘’\`]) instead(?: of (?:that|it|this))?${END}`,
  "iu",
);
const NEVER_MIND =
  /^(?:(?:ok|okay|no|oh|well|thanks|please)[\s,.!]+)*(?:never ?mind|forget (?:it|that)|nothing|leave it|leave it (?:at that|as it is|like that))[.!\s]*$/i;

/** The value of a chore that “use X instead” can mean, if there is only one. */
const SLOT: Readonly<Record<string, string>> = { replace_term: "to", rename_group: "to" };

/**
 * The chores of a request that corrects earlier work of this job: “Undo that”, “Undo the changes on page X”, “Leave page X
 * alone”, “No, use Y instead”, “Never mind” (no chore). Null for any other request, and before the job has done anything.
 */
export function choresOfCorrection(
  request: string,
  before: TurnBefore,
  options: { toolNames: readonly string[]; names?: KnownNames },
): ChoreCall[] | null {
  if (before.requests.length === 0 || request.length > MAX_CHARACTERS) return null;
  if (!options.toolNames.includes("undo_changes") || isQuestion(request)) return null;
  const undo = (input: Record<string, unknown>): ChoreCall => ({ tool: "undo_changes", input });
  const { standing, takenBack } = standingOf(before);
  const last = () => lastOf(standing.at(-1)?.turns ?? 0, before);
  if (NEVER_MIND.test(request)) return [];
  if (LAST.test(request)) return [undo(last())];
  if (ALL.test(request)) return [undo({ of: "all" })];
  const { what = "", place, same } = { ...(ON_A_PART.exec(request) ?? ALONE.exec(request))?.groups };
  const named = place ?? same;
  if (named !== undefined) {
    const scope = placesOf(named, options.names);
    return scope && [undo({ ...(/^(?:that|this|it)$|\blast\b/i.test(what) ? last() : { of: "all" }), in: scope })];
  }
  const value = INSTEAD.exec(request)?.groups?.["value"];
  const [call, second] = takenBack ?? standing.at(-1)?.calls ?? [];
  // If the last request was not understood, “instead” refers to that one, not to the changes before it.
  if (!before.isCarriedOut) return null;
  // If a later turn undid part of it, one word no longer describes the change.
  const isPartly = takenBack === null && !lastCalls(before).some(({ tool }) => tool === call?.tool);
  if (value === undefined || !call || second || isPartly) return null;
  const slot = SLOT[call.tool];
  const text = slot === undefined ? null : textOf(value, String(call.input[slot]));
  if (slot === undefined || text === null) return null;
  const corrected = { tool: call.tool, input: { ...call.input, [slot]: text } };
  return takenBack ? [corrected] : [undo({ ...last(), orNothing: true }), corrected];
}

/** The last change that was not undone, as input of `undo_changes`: the number of turns, and the total, to be sure of them. */
function lastOf(turns: number, before: TurnBefore): Record<string, unknown> {
  return turns === 1 ? { of: "last" } : { of: "last", turns, ofTurns: before.turns.length };
}

/** The replacement text. “Use "concepts/" instead” is another place, not another word, unless the old text is an address. */
function textOf(value: string, replaced: string): string | null {
  const text = value.slice(1, -1);
  return /["“”`]/.test(text) || (isAddress(text) && !isAddress(replaced)) ? null : text;
}
const MAX_CHARACTERS = 1_000;
