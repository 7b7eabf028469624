import type { ChoreCall } from "./chores/chore-form.ts";

/** Why instructions of one message cannot all be meant; null when they can. */
export function contradiction(calls: readonly ChoreCall[]): string | null {
  for (const [index, later] of calls.entries()) {
    for (const earlier of calls.slice(0, index)) {
      const found = between(earlier, later);
      if (found !== null) return found;
    }
  }
  return null;
}

function between(earlier: ChoreCall, later: ChoreCall): string | null {
  const [a, b] = [earlier.input, later.input];
  const isSame = (key: string) =>
    key === "page"
      ? typeof a["page"] === "string" && typeof b["page"] === "string" && mayBeOnePage(a["page"], b["page"])
      : a[key] !== undefined && JSON.stringify(a[key]) === JSON.stringify(b[key]);
  const tools = `${earlier.tool} ${later.tool}`;
  const name = (value: unknown) => (typeof value === "string" ? value : "");
  if (later.tool === "remove_page" && namesPage(earlier, name(b["page"]))) {
    return `“${name(b["page"])}” is used by one instruction and removed by another`;
  }
  if (earlier.tool === "remove_page" && namesPage(later, name(a["page"]))) {
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
    // All pages first and one of them then is an exception; the other way around the first instruction is for nothing.
    const isForNothing = Array.isArray(b["in"]) && !Array.isArray(a["in"]) && mayOverlap([a["page"]], b["in"]);
    if (isForNothing) return `the ${name(a["key"])} of “${name(a["page"])}” is set to two values`;
  }
  if (
    /^(?:add|remove)_redirect (?:add|remove)_redirect$/.test(tools) &&
    earlier.tool === "add_redirect" &&
    later.tool !== earlier.tool &&
    isSame("from")
  )
    return `the redirect from “${name(a["from"])}” is added and removed`;
  if (tools === "rename_group rename_group" && a["to"] === b["group"])
    return `the group “${name(a["to"])}” would come from one instruction and be renamed by the next`;
  if (tools === "normalise_style normalise_style" && JSON.stringify(a["in"]) === JSON.stringify(b["in"])) {
    if (["headingCase", "listMarker"].some((key) => differ(a[key], b[key]))) return "it asks for two styles at once";
  }
  if (tools === "replace_term replace_term") {
    const [first, second] = [name(a["from"]), name(a["to"])];
    if (second === b["from"] && mayOverlap(a["in"], b["in"])) {
      return `“${second}” would come from one instruction and be replaced by the next. Send them one after the other`;
    }
    if (first === b["from"] && differ(second, b["to"]) && mayOverlap(a["in"], b["in"])) {
      return `“${first}” is replaced by two terms`;
    }
  }
  const isRedirect = tools === "add_redirect add_redirect";
  return isRedirect && isSame("from") && !isSame("to") ? `“${name(a["from"])}” is redirected to two pages` : null;
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other);

/** Whether two references may be one page: by the same path, or one of them by its file's name alone. */
function mayBeOnePage(one: string, other: string): boolean {
  const [short = "", long = ""] = [stem(one), stem(other)].toSorted((x, y) => x.length - y.length);
  return short === long || long.endsWith(`/${short}`);
}

/** Whether two parts of the docs may have a page in common. Without a part all of them are meant. */
export function mayOverlap(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return true;
  const [left, right] = [one.map(String).map(stem), other.map(String).map(stem)];
  return left.some((x) =>
    right.some((y) => x === y || x.startsWith(`${y}/`) || y.startsWith(`${x}/`) || /\*/.test(x + y)),
  );
}

const stem = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/i, "").toLowerCase(); // oxfmt-ignore

function namesPage({ tool, input }: ChoreCall, page: string): boolean {
  const named = [input["page"], input["redirectTo"], tool === "add_redirect" ? input["to"] : undefined];
  return named.some((value) => typeof value === "string" && mayBeOnePage(value, page));
}
