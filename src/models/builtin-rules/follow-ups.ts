import type { ChoreCall } from "./chores/chore-form.ts";
import { mayOverlap } from "./conflicts.ts";
import type { KnownNames } from "./grammar/names.ts";
import { placesOf } from "./named-places.ts";
import { lastCalls, type TurnBefore } from "./turn-before.ts";
import { understand } from "./understanding.ts";

const SAME =
  /^(?:(?:and|now|please|then|ok|okay|great|thanks|could you|can you)[\s,!]+)*(?:do )?(?:exactly )?(?:the )?same (?:thing )?(?:also )?(?:for|in|on|with|under|to) (.{1,300}?)[.!?\s]*$/i;
const ALSO = /^(?:(?:and|now|please)[\s,]+)*also (?:in|on|for|under) (.{1,300}?)(?:[\s,]+(?:please|too))?[.!?\s]*$/i;
const AGAIN =
  /^(?:(?:please|ok|okay|now)[\s,]+)*(?:try (?:it |that )?again|retry|once more|again)(?:[\s,]+please)?[.!\s]*$/i;

/** Chores that can be held to a part of the docs. */
const IN_A_PART =
  /^(?:replace_term|check_links|fix_links|add_missing_descriptions|report_missing_alt|normalise_style)$/;
/** Chores on one page whose other values say nothing of that page alone. */
const ON_A_PAGE = /^(?:add_section|remove_section|add_callout|set_front_matter)$/;
const MAX_CHARACTERS = 1_000;
const OWN_KEYS = /^(?:title|sidebarTitle|description|slug|url|canonical)$/;

/**
 * The chores of a request that speaks of the turn before: “The same for guides/”, “Also on the page Tokens”, “Try again”. Null
 * for any other, and where the chores before cannot be held to what it names. The words that name it are read by the grammar.
 */
export function choresOfFollowUp(
  request: string,
  before: TurnBefore,
  { toolNames, names }: { toolNames: readonly string[]; names?: KnownNames },
): ChoreCall[] | null {
  const calls = lastCalls(before);
  if (request.length > MAX_CHARACTERS) return null;
  if (AGAIN.test(request)) {
    // “Once more” after an undo could mean the undo, or what it took back.
    if (before.isCarriedOut)
      return calls.length > 0 && calls.every(({ tool }) => tool !== "undo_changes") ? [...calls] : null;
    const read = before.requests.map((each) => {
      const followed = choresOfFollowUp(each, { ...before, requests: [] }, { toolNames, ...(names && { names }) });
      return followed ? { calls: followed, refused: [] } : understand(each, toolNames, names);
    });
    const isWhole = read.length > 0 && read.every(({ refused }) => refused.length === 0);
    return isWhole ? read.flatMap((each) => each.calls) : null;
  }
  const place = (SAME.exec(request) ?? ALSO.exec(request))?.[1];
  if (place === undefined || calls.length === 0) return null;
  const scope = placesOf(place, names);
  if (scope === null) return null;
  const held = calls.map((call) => heldTo(call, scope));
  return held.includes(null) ? null : held.flatMap((each) => each ?? []);
}

function heldTo({ tool, input }: ChoreCall, scope: readonly string[]): ChoreCall[] | null {
  if (IN_A_PART.test(tool)) {
    const { except, ...rest } = input;
    // “The same for guides/” after “except in guides/”: what was left out is not what was done.
    if (except !== undefined && mayOverlap(except, scope)) return null;
    return [{ tool, input: { ...rest, in: scope } }];
  }
  const isPages = scope.every((place) => !/\/$|\*/.test(place));
  if (!ON_A_PAGE.test(tool) || !isPages || OWN_KEYS.test(String(input["key"]))) return null;
  const { in: _in, ...rest } = input;
  return scope.map((page) => ({ tool, input: { ...rest, page } }));
}
