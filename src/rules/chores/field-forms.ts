import { ON, aPage, REMOVE, shownPage } from "#rules/grammar/lexicon.ts";
import { INSIDE, places } from "#rules/grammar/places.ts";
import { scopeOf } from "#rules/grammar/modifiers.ts";
import type { KnownNames } from "#rules/grammar/names.ts";
import { all, type ChoreForm, one } from "./chore-form.ts";

const FIELD = "([meta|page|new] {key:field} / sidebar {key:field.title} / side bar {key:field.title})";
const ANY_KEY =
  "([the] (front_matter|front-matter|frontmatter [key|field|value] {key:key} / {key:key.called} key|field / key|field {key:key}))";
const KEY = `([the|a|an] [new] (${FIELD} / ${ANY_KEY}))`;
const MATTER = "[(of|in|from the front_matter|front-matter|frontmatter)]";
const VALUE = "({value:quoted} / {flag:flag})";
const QUOTES = "({value:quoted} [[,] [and] {value:quoted}]*)";
const INTO = "([to|as|into|->|: [:]] / should be [:])";
const EACH = `(every|all|each [of] [the] pages|page|files|docs ${INSIDE} ${places("below")})`;
const WHOLE = "(all|every|each [of] [the|our] page|pages {whole:nothing})";
/** One page, several, or a part of the docs. */
const OBJECT = `(${aPage("page")} / ${EACH} / ${WHOLE} / [the] pages ${places("in")} / ${places("in", { orGroup: false })})`;
/** Things that can be hidden are certainly pages: “the search” and “secrets” may be other things. */
const SHOWN = `(${shownPage("page")} / ${EACH} / ${WHOLE} / [the] pages ${places("in")} / ${places("in", { orBare: false })})`;
/** “Of the group X” is its own key; “in the group X” means its pages. */
const withObject = (prepositions: string) => `(${prepositions} ${OBJECT} / in|across ${places("in")})`;
const WORDS = "({value:quoted} [[,] [and|&] {value:quoted}]*)";

/** A hidden page is reachable by its address. */
const REACHABLE =
  "[,] but keep (the|its page|file / it [reachable|accessible|available|online] [by|via|through|at [its|the] [direct] link|url|address])";

type Slots = Parameters<ChoreForm["inputs"]>[0];

/** One call for a page; one with `in` for several, or for a part of the docs. */
function onPages(
  slots: Slots,
  input: Record<string, unknown>,
  { within, except, names }: Part,
): Record<string, unknown>[] | null {
  const named = all(slots, "page");
  const { belowGroup = [], ...further } = slots;
  const below = scopeOf("below", { ...further, belowGroup: [] }, names);
  const inside = scopeOf("in", { ...slots, inGroup: [...(slots["inGroup"] ?? []), ...belowGroup] }, names);
  // A group whose pages are unknown is not a part of the docs.
  if (below === null || inside === null) return null;
  const part = [...inside, ...below.map(asFolder)];
  const listed = [...named, ...part, ...(slots["whole"] ? ["**"] : [])];
  const [single] = listed;
  // A value that distinguishes pages is hardly meant for many.
  if (OWN_OF_A_PAGE.has(String(input["key"])) && input["value"] !== null && !isOnePage(listed, within)) return null;
  if (Array.isArray(within))
    return listed.length === 0 || (slots["whole"] && listed.length === 1)
      ? [{ in: slots["whole"] ? (within as string[]).map(asFolder) : (within as string[]), ...input }]
      : null;
  if (listed.length === 0) return null;
  const isOne = single !== undefined && listed.length === 1 && !/\/$|\*/.test(single) && !isGroup(slots);
  if (isOne) return except === undefined ? [{ page: single, ...input }] : null;
  // Each hidden page is reported separately in the result.
  const arePages = !isGroup(slots) && except === undefined && !listed.some((place) => /\/$|\*/.test(place));
  return input["key"] === "hidden" && arePages
    ? listed.map((page) => ({ page, ...input }))
    : [{ in: listed, ...input }];
}

/** The part of the docs that is named in addition to the object. */
interface Part {
  within: unknown;
  except?: unknown;
  names: KnownNames;
}

const isGroup = (slots: Slots): boolean => slots["inGroup"] !== undefined || slots["belowGroup"] !== undefined;

/** “Every page under guides/advanced” names a folder, even without a trailing slash. */
const asFolder = (place: string): string => (/\/[^./*]+$/.test(place) ? `${place}/` : place);

const OWN_OF_A_PAGE = new Set(["title", "sidebarTitle", "description"]);
const isOnePage = (listed: readonly string[], within: unknown): boolean =>
  within === undefined && listed.length === 1 && !/\/$|\*/.test(listed[0] ?? "");

const splitWords = (text: string) => text.split(",").map((word) => word.trim()).filter(Boolean); // oxfmt-ignore

function keyOf(slots: Slots): string | undefined {
  const key = one(slots, "key");
  if (key === undefined) return undefined;
  const lower = key.toLowerCase();
  if (/^keywords?$/.test(lower)) return "keywords";
  if (/^tags?$/.test(lower)) return "tag";
  if (lower === "desc") return "description";
  if (/^sidebar-?title$/.test(lower)) return "sidebarTitle";
  return FIELDS.has(lower) ? lower : key;
}

const FIELDS = new Set(["title", "description", "icon", "tag", "keywords", "hidden"]);
function valueOf(slots: Slots, key: string | undefined): unknown {
  const flag = one(slots, "flag");
  if (flag !== undefined) return flag.toLowerCase() === "true";
  const values = all(slots, "value");
  return key === "keywords" ? values.flatMap(splitWords) : values.length === 1 ? values[0] : undefined;
}

function setting(isAdded: boolean): ChoreForm["inputs"] {
  return (said, { in: within, except }, names) => {
    const further = all(said, "further");
    // Whether it may also be a page is only known with the names of the repository.
    if (further.length > 0 && !names.isKnown) return null;
    const slots = further.length === 0 ? said : { ...said, value: [...all(said, "value"), ...further] };
    const key = keyOf(slots);
    const value = valueOf(slots, key);
    if (key === undefined || value === undefined) return null;
    return onPages(slots, { key, value, ...(isAdded && { add: true }) }, { within, except, names });
  };
}

/** “Give X the keyword "a"” removes no keyword. */
const giving: ChoreForm["inputs"] = (slots, ...rest) => setting(keyOf(slots) === "keywords")(slots, ...rest);

export const fieldForms: readonly ChoreForm[] = [
  {
    tool: "set_front_matter",
    forms: [`give ${OBJECT} ${KEY} [:] ${QUOTES}`, `give ${aPage("page")} ${KEY} [:] ${QUOTES}`],
    honours: ["in", "except"],
    inputs: giving,
  },
  {
    tool: "set_front_matter",
    forms: [
      `(set|change|update) ${KEY} ${MATTER} ${withObject("of|on|for|in")} ${INTO} ${VALUE}`,
      `(set|change|update) [the] keywords {key:field.keywords} (of|on|for|in ${OBJECT}) ${INTO} ${QUOTES}`,
      `set ${KEY} ${INTO} ${VALUE} ${withObject("on|of|for|in")}`,
      `set {key:key.known} to|: {value:quoted} (on|for|in ${OBJECT})`,
      `(for|on|in ${OBJECT} [,|:]) set ${KEY} ${INTO} ${VALUE}`,
      `use [the] ${KEY} {value:quoted} for ${aPage("page")}`,
      `(use|set) {value:quoted} (as|for [the] ${KEY}) (of|on|for|in ${aPage("page")})`,
      `${KEY} of ${aPage("page")} should be {value:quoted}`,
      `${aPage("page")} : ${KEY} [should be|:|=|to] {value:quoted}`,
      // “Mark it as "hidden"” describes a state, which may be a key of that name or a chore.
      `tag ${OBJECT} [as|with] {value:quoted} {key:field.tag}`,
      `mark ${OBJECT} with [the|a] tag {value:quoted} {key:field.tag}`,
    ],
    honours: ["in", "except"],
    example: 'Set the description of "Title" to "…"',
    inputs: setting(false),
  },
  {
    tool: "set_front_matter",
    forms: [
      `retitle ${aPage("page")} to|as|into {value:quoted} [without changing its url|address|path]`,
      `(set|change|update) [the] title (of|on|for ${aPage("page")}) to {value:quoted} [, [and] keep the file [where it is] / , without changing [its|the] url|address]`,
    ],
    example: 'Set the title of "Title" to "…"',
    inputs: (slots) => [{ page: one(slots, "page"), key: "title", value: one(slots, "value") }],
  },
  {
    tool: "set_front_matter",
    forms: [
      `in [the] sidebar|navigation|nav [,] ${aPage("page")} should (show as / appear as / be listed|shown as) {value:quoted}`,
    ],
    inputs: (slots) => [{ page: one(slots, "page"), key: "sidebarTitle", value: one(slots, "value") }],
  },
  {
    tool: "set_front_matter",
    forms: [
      `add ${KEY} [:] {value:quoted} [to (the front matter|frontmatter)] (${ON} ${OBJECT})`,
      `add ${KEY} ${ON} ${aPage("page")} [:|with] {value:quoted}`,
      `add|append [the|a] [new] keyword|keywords {key:field.keywords} [:] ${WORDS} (${ON} ${OBJECT})`,
      // “… to a and "b"”: a second keyword, which could be read as a second page.
      `add|append [the|a] [new] keyword|keywords {key:field.keywords} [:] ${WORDS} (${ON} ${OBJECT}) [,] and {further:quoted}`,
      `${aPage("page")} : add ${WORDS} to [the] keywords {key:field.keywords}`,
      `add ${WORDS} (to|as [the] keyword|keywords [to]) [the] [of|on|for|in] {key:field.keywords} ${OBJECT}`,
    ],
    honours: ["in"],
    example: 'Add the keyword "word" to "Title"',
    inputs: setting(true),
  },
  {
    tool: "set_front_matter",
    forms: [
      `${REMOVE} ${KEY} ${MATTER} ${withObject("from|of|on|in|for")}`,
      `${REMOVE} ([the] {key:field} / its {key:field}) (from|of|on|in ${OBJECT})`,
      `take ${KEY} (off|out_of|away_from) ${OBJECT}`,
    ],
    honours: ["in", "except"],
    example: 'Remove the icon from "Title"',
    inputs(slots, { in: within, except }, names) {
      const key = keyOf(slots);
      return key === undefined || key === "title"
        ? null
        : onPages(slots, { key, value: null }, { within, except, names });
    },
  },
  {
    tool: "set_front_matter",
    forms: [
      `hide ${SHOWN} [(from|in) [the] navigation|nav|sidebar] [for now / again] [${REACHABLE}]`,
      `hide ${shownPage("page")} (, [and] / and) ${shownPage("page")}`,
      `take ${shownPage("page")} out of the navigation|nav|sidebar [${REACHABLE}]`,
    ],
    honours: ["in", "except"],
    example: 'Hide the page "Title"',
    inputs: (slots, { in: within, except }, names) =>
      onPages(slots, { key: "hidden", value: true }, { within, except, names }),
  },
  {
    tool: "set_front_matter",
    forms: [
      `unhide ${SHOWN} [(in) [the] navigation|nav|sidebar]`,
      `show [the|our] (page {page:page.named} / {page:page} page) again [in [the] navigation|nav|sidebar]`,
    ],
    honours: ["in", "except"],
    inputs: (slots, { in: within, except }, names) =>
      onPages(slots, { key: "hidden", value: null }, { within, except, names }),
  },
];
