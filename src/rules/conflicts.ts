import type { ChoreCall } from "./chores/chore-form.ts";
import { type KnownNames, NO_NAMES, phraseOf } from "./grammar/names.ts";
import { isLeftToOther, isTitle, leftOutElsewhere, mayShare, mayTouch, namedAndLeftOut, stem } from "./overlaps.ts";

/** Why instructions of one message cannot all be meant; null when they can. */
export function contradiction(calls: readonly ChoreCall[], names: KnownNames = NO_NAMES): string | null {
  for (const [index, later] of calls.entries()) {
    const both = namedAndLeftOut(later.input, names);
    if (both !== null) return `“${both}” is named and left out`;
    const apart = leftOutElsewhere(later.input, names);
    if (apart !== null) return `“${apart}” is left out, and lies outside of what is named: change it, or spare it?`;
    for (const earlier of calls.slice(0, index)) {
      const found =
        between(earlier, later, names) ?? ofTerms(earlier, later, names) ?? ofOneThing(earlier, later, names);
      if (found !== null) return found;
    }
  }
  return null;
}

function between(earlier: ChoreCall, later: ChoreCall, names: KnownNames): string | null {
  const [a, b] = [earlier.input, later.input];
  const isSame = (key: string) =>
    key === "page"
      ? typeof a["page"] === "string" && typeof b["page"] === "string" && mayBeOnePage(a["page"], b["page"], names)
      : a[key] !== undefined && JSON.stringify(a[key]) === JSON.stringify(b[key]);
  const tools = `${earlier.tool} ${later.tool}`;
  const name = (value: unknown) => (typeof value === "string" ? value : "");
  if (later.tool === "remove_page" && namesPage(earlier, name(b["page"]), names)) {
    return `“${name(b["page"])}” is used by one instruction and removed by another`;
  }
  if (earlier.tool === "remove_page" && namesPage(later, name(a["page"]), names)) {
    return `“${name(a["page"])}” is removed by one instruction and used by another`;
  }
  if (
    tools === "move_page move_page" &&
    isSame("page") &&
    ["to", "title", "group"].some((key) => differ(a[key], b[key]))
  ) {
    return `“${name(a["page"])}” is moved to two places`;
  }
  if (tools === "set_front_matter set_front_matter" && isSame("key") && (isSame("page") || isSame("in"))) {
    const isAdded = a["add"] === true && b["add"] === true;
    if (!isAdded && differ(a["value"], b["value"])) return `the ${name(a["key"])} is set to two values`;
  }
  if (tools === "set_front_matter set_front_matter" && isSame("key") && differ(a["value"], b["value"])) {
    // All pages first and some of them then is an exception; the other way around the first instruction is for nothing.
    const isForNothing = Array.isArray(b["in"]) && mayShare(a, b, names);
    if (isForNothing)
      return `the ${name(a["key"])}${a["page"] === undefined ? "" : ` of “${name(a["page"])}”`} is set to two values`;
  }
  const left = tools === `${later.tool} ${later.tool}` ? isLeftToOther(a, b, names) : null;
  if (left !== null) return `“${left}” is left out by one instruction and changed by another`;
  if (
    /^(?:add|remove)_redirect (?:add|remove)_redirect$/.test(tools) &&
    earlier.tool === "add_redirect" &&
    later.tool !== earlier.tool &&
    isSame("from")
  )
    return `the redirect from “${name(a["from"])}” is added and removed`;
  if (tools === "rename_group rename_group" && a["to"] === b["group"])
    return `the group “${name(a["to"])}” would come from one instruction and be renamed by the next`;
  if (tools === "normalise_style normalise_style" && mayShare(a, b, names)) {
    if (["headingCase", "listMarker"].some((key) => differ(a[key], b[key]))) return "it asks for two styles at once";
  }
  const isRedirect = tools === "add_redirect add_redirect";
  return isRedirect && isSame("from") && !isSame("to") ? `“${name(a["from"])}” is redirected to two pages` : null;
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other);

/** Of two replacements, whether one changes what the other looks for or brings. */
function ofTerms(earlier: ChoreCall, later: ChoreCall, names: KnownNames): string | null {
  const [a, b] = [earlier.input, later.input];
  if (earlier.tool !== "replace_term" || later.tool !== "replace_term" || !mayTouch(a, b, names)) return null;
  if (differ(a["only"], b["only"])) return null;
  const [from, to, next] = [String(a["from"]), String(a["to"]), String(b["from"])];
  if (from === next) return differ(to, b["to"]) ? `“${from}” is replaced by two terms` : null;
  if (holds(to, b))
    return `“${next}” would come from one instruction and be replaced by the next. Send them one after the other`;
  if (holds(next, a))
    return `“${from}” is a part of “${next}”, so that nothing is left for the second of them. Put the longer one first`;
  return null;
}

/** Whether a term stands in words, as the replacement of it would find it. */
function holds(words: string, { from, wholeWord, letterCase }: ChoreCall["input"]): boolean {
  const [text, term] = [words, String(from)].map((each) => (letterCase === "any" ? each.toLowerCase() : each));
  if (text === undefined || term === undefined) return false;
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (wholeWord === false || (!isPart(text[at - 1]) && !isPart(text[at + term.length]))) return true;
  }
  return false;
}

/** Whether one thing is told two things, of which the last would win. */
function ofOneThing(earlier: ChoreCall, later: ChoreCall, names: KnownNames): string | null {
  const [a, b] = [earlier.input, later.input];
  const tools = `${earlier.tool} ${later.tool}`;
  if (JSON.stringify(earlier) === JSON.stringify(later)) return null;
  const isSame = (key: string) => typeof a[key] === "string" && phraseOf(a[key]) === phraseOf(String(b[key]));
  if (tools === "move_group move_group" && isSame("group"))
    return `the group “${String(b["group"])}” is moved to two places`;
  if (tools === "rename_group rename_group" && isSame("group"))
    return `the group “${String(b["group"])}” is given two names`;
  // For one page another text than for the others is an exception.
  if (tools === "set_alt_text set_alt_text" && isSame("image") && !(a["page"] === undefined && b["page"] !== undefined))
    return b["page"] === undefined || isOnePage(a, b, names) ? `“${String(b["image"])}” is given two texts` : null;
  if (!/^(?:replace|remove)_section$/.test(later.tool) || !isOnePage(a, b, names)) return null;
  const isWritten = /^(?:add|replace|remove)_section$/.test(earlier.tool) && isSame("title");
  const section = ["section", "after", "before"].find((key) => a[key] !== undefined) ?? "section";
  const isIn = earlier.tool === "add_callout" && phraseOf(String(a[section])) === phraseOf(String(b["title"]));
  return isWritten || isIn
    ? `the section “${String(b["title"])}” is written by one instruction and ${later.tool === "remove_section" ? "removed" : "replaced"} by another`
    : null;
}

const isOnePage = (a: ChoreCall["input"], b: ChoreCall["input"], names: KnownNames): boolean =>
  typeof a["page"] === "string" && typeof b["page"] === "string" && mayBeOnePage(a["page"], b["page"], names);

/**
 * Whether two references may be one page: by the same path, one of them by its file's name alone, or one by the title. Where the
 * repository is not known a title may be that of any path.
 */
function mayBeOnePage(one: string, other: string, names: KnownNames): boolean {
  const titled = (name: string) => names.titles.get(phraseOf(name)) ?? [];
  const paths = [one, other].map((name) => [name, ...titled(name)]);
  if (paths[0]?.some((x) => paths[1]?.some((y) => isOnePath(x, y)))) return true;
  return !names.isKnown && isTitle(one) !== isTitle(other);
}

function isOnePath(one: string, other: string): boolean {
  const [short = "", long = ""] = [stem(one), stem(other)].toSorted((x, y) => x.length - y.length);
  return short === long || long.endsWith(`/${short}`);
}

function namesPage({ tool, input }: ChoreCall, page: string, names: KnownNames): boolean {
  const named = [input["page"], input["redirectTo"], tool === "add_redirect" ? input["to"] : undefined];
  return named.some((value) => typeof value === "string" && mayBeOnePage(value, page, names));
}
