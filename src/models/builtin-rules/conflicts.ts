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
  const isSame = (key: string) => a[key] !== undefined && JSON.stringify(a[key]) === JSON.stringify(b[key]);
  const tools = `${earlier.tool} ${later.tool}`;
  const name = (value: unknown) => (typeof value === "string" ? value : "");
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
  if (tools === "normalise_style normalise_style" && JSON.stringify(a["in"]) === JSON.stringify(b["in"])) {
    if (["headingCase", "listMarker"].some((key) => differ(a[key], b[key]))) return "it asks for two styles at once";
  }
  if (tools === "replace_term replace_term") {
    if (a["from"] === b["to"] && a["to"] === b["from"]) {
      return `“${name(a["from"])}” and “${name(a["to"])}” would be replaced by each other, one after the other`;
    }
    if (isSame("from") && differ(a["to"], b["to"]) && JSON.stringify(a["in"]) === JSON.stringify(b["in"])) {
      return `“${name(a["from"])}” is replaced by two terms`;
    }
  }
  const isRedirect = tools === "add_redirect add_redirect";
  return isRedirect && isSame("from") && !isSame("to") ? `“${name(a["from"])}” is redirected to two pages` : null;
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other);

const stem = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/i, "").toLowerCase(); // oxfmt-ignore

function namesPage({ tool, input }: ChoreCall, page: string): boolean {
  const named = [input["page"], input["redirectTo"], tool === "add_redirect" ? input["to"] : undefined];
  return named.some((value) => typeof value === "string" && stem(value) === stem(page));
}
