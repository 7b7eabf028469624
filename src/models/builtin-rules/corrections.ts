import type { ChoreCall } from "./chores/chore-form.ts";
import type { KnownNames } from "./grammar/names.ts";
import { placesOf } from "./named-places.ts";
import type { TurnBefore } from "./turn-before.ts";

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
  `${LEAD}${UNDO} (?:that|this|it|what you did|everything|${CHANGES}) (?:on|to|in|under|for) (?<place>.{1,300}?)${END}`,
  "i",
);
const ALONE = new RegExp(
  `${LEAD}(?:leave|keep) (?<place>.{1,300}?) (?:alone|as (?:it|they) (?:is|are|was|were)(?: before)?|unchanged|untouched)${END}`,
  "i",
);
const INSTEAD = new RegExp(
  `${LEAD}(?:use|make it|call it|write|take) (?<value>["“”'‘’\`].{1,120}["“”'‘’\`]|[\\p{L}\\p{N}][^\\s,.;:!?"“”]*(?: [^\\s,.;:!?"“”]+){0,3}?) instead(?: of (?:that|it|this))?${END}`,
  "iu",
);
const NEVER_MIND =
  /^(?:(?:ok|okay|no|oh|well|thanks|please)[\s,.!]+)*(?:never ?mind|forget (?:it|that)|nothing|leave it|leave it (?:at that|as it is|like that))[.!\s]*$/i;

/** The value of a chore that “use X instead” can mean: there is one alone. */
const SLOT: Readonly<Record<string, string>> = { replace_term: "to", rename_group: "to" };
/** Words that stand for something else than themselves. */
const NO_VALUE =
  /^(?:it|that|this|them|the|a|an|another|other|something|one|both|neither|all|none|no)\b|\b(?:and|or|not|on|in)\b/i;

/**
 * The chores of a request that corrects what this job did: “Undo that”, “Undo the changes on page X”, “Leave page X alone”,
 * “No, use Y instead”, “Never mind” (no chore). Null for any other, and before the job has done anything.
 */
export function choresOfCorrection(
  request: string,
  before: TurnBefore,
  options: { toolNames: readonly string[]; names?: KnownNames },
): ChoreCall[] | null {
  if (before.requests.length === 0 || !options.toolNames.includes("undo_changes")) return null;
  const undo = (input: Record<string, unknown>): ChoreCall => ({ tool: "undo_changes", input });
  if (NEVER_MIND.test(request)) return [];
  if (LAST.test(request)) return [undo({ of: "last" })];
  if (ALL.test(request)) return [undo({ of: "all" })];
  const place = (ON_A_PART.exec(request) ?? ALONE.exec(request))?.groups?.["place"];
  if (place !== undefined) {
    const scope = placesOf(place, options.names);
    return scope && [undo({ of: "all", in: scope })];
  }
  const value = INSTEAD.exec(request)?.groups?.["value"];
  const [call, second] = before.calls;
  if (value === undefined || !call || second) return null;
  const slot = SLOT[call.tool];
  const isQuoted = /^["“”'‘’`]/.test(value);
  if (slot === undefined || (!isQuoted && NO_VALUE.test(value))) return null;
  const text = isQuoted ? value.slice(1, -1) : value;
  if (/["“”`]/.test(text)) return null;
  return [undo({ of: "last", orNothing: true }), { tool: call.tool, input: { ...call.input, [slot]: text } }];
}
