import type { ChoreCall } from "./chores/chore-form.ts";
import { type KnownNames, NO_NAMES, phraseOf } from "./grammar/names.ts";

type Input = ChoreCall["input"];

/**
 * Why the instructions of one message contradict each other; null when they do not. Two parts of the docs overlap unless
 * proven otherwise.
 */
export function contradiction(calls: readonly ChoreCall[], names: KnownNames = NO_NAMES): string | null {
  for (const [index, later] of calls.entries()) {
    const outside = exceptionOutside(later.input, names);
    if (outside !== null)
      return `“${outside}” is left out, and does not lie inside of what is named: change it, or spare it?`;
    for (const earlier of calls.slice(0, index)) {
      if (JSON.stringify(earlier) === JSON.stringify(later)) continue;
      const found =
        ofTerms(earlier, later) ?? ofRemovedPage(earlier, later, names) ?? ofOneThing(earlier, later, names);
      if (found !== null) return found;
    }
  }
  return null;
}

/** The first exception outside the scope that it belongs to; null when all are inside. */
function exceptionOutside({ in: within, except }: Input, names: KnownNames): string | null {
  if (!Array.isArray(within) || !Array.isArray(except)) return null;
  const places = within.flatMap((place) => pathsOf(String(place), names));
  const isInside = (path: string) =>
    places.some((place) => path.startsWith(`${place}/`)) ||
    (within.length > 1 && within.includes(path)) ||
    /\*/.test(path);
  return except.map(String).find((place) => !pathsOf(place, names).every(isInside)) ?? null;
}

/** Whether one of two replacements changes words that the other searches for or inserts. */
function ofTerms(earlier: ChoreCall, later: ChoreCall): string | null {
  if (earlier.tool !== "replace_term" || later.tool !== "replace_term") return null;
  const [from, to, next] = [String(earlier.input["from"]), String(earlier.input["to"]), String(later.input["from"])];
  if (from === next) return `“${from}” is replaced by two instructions`;
  if (holds(to, later.input))
    return `“${next}” would come from one instruction and be replaced by the next. Send them one after the other`;
  return holds(next, earlier.input)
    ? `“${from}” is a part of “${next}”, so that nothing is left for the second of them. Put the longer one first`
    : null;
}

/** Whether a text contains a term, as the replacement would find it. */
function holds(words: string, { from, wholeWord, letterCase }: Input): boolean {
  const [text, term] = [words, String(from)].map((each) => (letterCase === "any" ? each.toLowerCase() : each));
  if (text === undefined || term === undefined) return false;
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (wholeWord === false || (!isPart(text[at - 1]) && !isPart(text[at + term.length]))) return true;
  }
  return false;
}

function ofRemovedPage(earlier: ChoreCall, later: ChoreCall, names: KnownNames): string | null {
  const [removal, other] = later.tool === "remove_page" ? [later, earlier] : [earlier, later];
  const page = String(removal.input["page"]);
  const named = [
    other.input["page"],
    other.input["redirectTo"],
    other.tool === "add_redirect" ? other.input["to"] : undefined,
  ];
  const isNamed =
    removal.tool === "remove_page" && named.some((name) => typeof name === "string" && mayBeOnePage(name, page, names));
  return isNamed ? `“${page}” is removed by one instruction and used by another` : null;
}

/** The inputs that identify what a chore changes. */
const THING: Readonly<Record<string, readonly string[]>> = {
  move_page: ["page"],
  set_front_matter: ["key", "page"],
  replace_section: ["page", "title"],
  remove_section: ["page", "title"],
  set_alt_text: ["image"],
  rename_group: ["group"],
  move_group: ["group"],
  add_redirect: ["from"],
  remove_redirect: ["from"],
  normalise_style: [],
};

/** Whether two instructions set one thing to different values, of which the last would win. */
function ofOneThing(earlier: ChoreCall, later: ChoreCall, names: KnownNames): string | null {
  const [a, b] = [earlier.input, later.input];
  const keys = THING[later.tool];
  const name = [b["key"], b["page"], b["title"], b["image"], b["group"], b["from"]]
    .filter((value) => typeof value === "string")
    .join("” of “");
  if (later.tool === "rename_group" && a["to"] === b["group"])
    return `the group “${name}” would come from one instruction and be renamed by the next`;
  const isSection = /_section$|^add_callout$/.test(earlier.tool) && /^(?:replace|remove)_section$/.test(later.tool);
  const isRedirect = earlier.tool === "add_redirect" && later.tool.endsWith("_redirect");
  if (!keys || (earlier.tool !== later.tool && !isSection && !isRedirect)) return null;
  if (a["add"] === true && b["add"] === true) return null;
  if (later.tool === "normalise_style")
    return ["headingCase", "listMarker"].some((key) => a[key] !== undefined && b[key] !== undefined)
      ? "it asks for two styles at once"
      : null;
  const isSame = (key: string) => {
    if (key === "page") return mayMeet(a, b, names);
    const [one, other] = key === "title" ? [a["title"] ?? a["section"], b["title"]] : [a[key], b[key]];
    return typeof one !== "string" || phraseOf(one) === phraseOf(String(other));
  };
  return keys.every(isSame) ? `“${name}” would get two different values` : null;
}

/** Whether two instructions may apply to the same page. Without a scope they apply to all of the docs. */
function mayMeet(a: Input, b: Input, names: KnownNames): boolean {
  const placesOf = ({ page, in: within }: Input) =>
    typeof page === "string" ? [page] : Array.isArray(within) ? within.map(String) : ["*"];
  const isIn = (x: string, y: string) =>
    pathsOf(x, names).some((path) => pathsOf(y, names).some((place) => path.startsWith(`${place}/`)));
  return placesOf(a).some((x) =>
    placesOf(b).some((y) => /\*/.test(x + y) || mayBeOnePage(x, y, names) || isIn(x, y) || isIn(y, x)),
  );
}

/**
 * Whether two references may be one page: by path, file name or title. If the repository is unknown, a title may belong to
 * any path.
 */
function mayBeOnePage(one: string, other: string, names: KnownNames): boolean {
  const isTitle = (name: string) => !name.includes("/") && /[\s\p{Lu}]/u.test(name);
  if (!names.isKnown && isTitle(one) !== isTitle(other)) return true;
  return pathsOf(one, names).some((x) =>
    pathsOf(other, names).some((y) => x === y || x.endsWith(`/${y}`) || y.endsWith(`/${x}`)),
  );
}

/** The paths that a name may mean, in lower case and without an extension. */
function pathsOf(name: string, names: KnownNames): string[] {
  const path = name.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/i, "").replace(/\/\*+(?:\.mdx?)?$/, "").toLowerCase(); // oxfmt-ignore
  const titled = names.titles.get(phraseOf(name));
  if (titled || path.includes("/") || !names.isKnown) return titled?.map((each) => each.toLowerCase()) ?? [path];
  const files = [...names.paths].filter((known) => known.endsWith(`/${path}`));
  return files.length > 0 ? [...files, path] : [path];
}
