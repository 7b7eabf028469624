import type { ChoreCall } from "./chores/chore-form.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { isQuestion } from "./remarks.ts";
import type { KnownNames } from "./grammar/names.ts";
import { placesOf } from "./named-places.ts";
import { lastCalls, type TurnBefore } from "./turn-before.ts";
import { understand } from "./understanding.ts";

const SAME =
  /^(?:(?:and|now|please|then|ok|okay|great|thanks|could you|can you)[\s,!]+)*(?:do )?(?:exactly )?(?:the )?same (?:thing )?(?:also )?(?<said>for|in|on|with|under|to) (?<place>.{1,300}?)[.!?\s]*$/i;
const ALSO =
  /^(?:(?:and|now|please)[\s,]+)*also (?:(?<said>in|on|for|under) |(?=the page |the pages ))(?<place>.{1,300}?)(?:[\s,]+(?:please|too))?[.!?\s]*$/i;
/** A word that can only be a place: its path, or the kind of place. */
const PLACE = /\/|\.mdx?\b|\b(?:pages?|files?|guide|article|folder|directory|group)\b/i;
const AGAIN =
  /^(?:(?:please|ok|okay|now)[\s,]+)*(?:try (?:it |that )?again|retry|once more|again)(?:[\s,]+please)?[.!\s]*$/i;

const MAX_CHARACTERS = 1_000;
const OWN_KEYS = /^(?:title|sidebarTitle|description|slug|url|canonical|openapi|asyncapi|api|redirect|id)$/;

/**
 * The chores of a request that refers to the previous turn: “The same for guides/”, “Also on the page Tokens”, “Try again”. Null
 * for any other request, and if the previous chores cannot be limited to what it names. The grammar reads the names.
 */
export function choresOfFollowUp(
  request: string,
  before: TurnBefore,
  { toolNames, names }: { toolNames: readonly string[]; names?: KnownNames },
): ChoreCall[] | null {
  const calls = lastCalls(before);
  if (request.length > MAX_CHARACTERS || isQuestion(request)) return null;
  if (AGAIN.test(request)) {
    // “Once more” after an undo could mean the undo, or the undone change.
    if (before.isCarriedOut && before.requests.length > 0)
      return calls.length > 0 && calls.every(({ tool }) => tool !== "undo_changes") ? [...calls] : null;
    const earlier = { ...before, requests: [], isCarriedOut: before.isAfterRefusal !== true };
    const read = before.requests.map((each) => {
      const followed = choresOfFollowUp(each, earlier, { toolNames, ...(names && { names }) });
      return followed ? { calls: followed, refused: [] } : understand(each, toolNames, names);
    });
    const isWhole = read.length > 0 && read.every(({ refused }) => refused.length === 0);
    return isWhole ? read.flatMap((each) => each.calls) : null;
  }
  const answered = withTarget(request, before, { toolNames, names });
  if (answered !== null) return answered;
  const { said = "", place } = { ...(SAME.exec(request) ?? ALSO.exec(request))?.groups };
  // “The same” as the last request, which was not carried out.
  if (place === undefined || calls.length === 0 || !before.isCarriedOut) return null;
  // “The same for "Tokens"” after a replacement of words: another word, or the page?
  const isWord = /^(?:for|with|to)$/i.test(said) && !PLACE.test(place);
  if (isWord && calls.some(({ tool }) => tool === "replace_term")) return null;
  const scope = placesOf(place, names);
  if (scope === null) return null;
  const held = calls.map((call) => limitedTo(call, scope));
  return held.includes(null) ? null : held.flatMap((each) => each ?? []);
}

const TARGET =
  /^(?:(?:please|ok|okay|then|and|yes)[\s,]+)*(?:(?:redirect|send|point)(?: (?:it|them|readers|visitors|its readers|(?:the |its )?links))? to )?(?<page>(?:the page )?["“]?[^\s"“”,;]{1,200}["”]?|["“][^"“”]{1,200}["”])[.!\s]*$/i;

/** “Redirect it to quickstart”, or only the page, if the previous message only lacked the page to redirect to. */
function withTarget(
  request: string,
  { requests }: TurnBefore,
  { toolNames, names }: { toolNames: readonly string[]; names: KnownNames | undefined },
): ChoreCall[] | null {
  const [earlier, second] = requests;
  const page = TARGET.exec(request)?.groups?.["page"];
  if (earlier === undefined || second !== undefined || page === undefined) return null;
  const [call, further] = understand(earlier, toolNames, names).calls;
  if (call?.tool !== "remove_page" || further !== undefined || call.input["redirectTo"] !== undefined) return null;
  const { calls, refused } = understand(`${earlier.trim().replace(/[.!\s]+$/, "")} and redirect it to ${page}`, toolNames, names); // oxfmt-ignore
  return refused.length === 0 && calls.length === 1 && calls[0]?.input["page"] === call.input["page"] ? calls : null;
}

function limitedTo({ tool, input }: ChoreCall, scope: readonly string[]): ChoreCall[] | null {
  if (hasTrait(tool, "isHeldToAPart")) {
    const { except, ...rest } = input;
    // “The same for guides/” after “except in guides/” would apply to what was excluded.
    if (except !== undefined) return null;
    return [{ tool, input: { ...rest, in: scope } }];
  }
  const isOfOnePage = OWN_KEYS.test(String(input["key"]));
  if (
    tool === "set_front_matter" &&
    !isOfOnePage &&
    (input["in"] !== undefined || scope.some((place) => place.endsWith("/")))
  ) {
    const { page: _page, except, ...rest } = input;
    return except !== undefined ? null : [{ tool, input: { ...rest, in: scope } }];
  }
  const isPages = scope.every((place) => !/\/$|\*/.test(place));
  if (!hasTrait(tool, "saysTheSameOfAnyPage") || !isPages || isOfOnePage) return null;
  const { in: _in, ...rest } = input;
  return scope.map((page) => ({ tool, input: { ...rest, page } }));
}
