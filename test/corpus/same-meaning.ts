import { indexNames } from "#rules/grammar/names.ts";
import type { ExpectedCall } from "./entry.ts";
import { groups, images, pages } from "./repository.ts";

const paths = pages.map(({ file }) => file.replace(/\.mdx?$/, ""));
/** What `look_up_names` would tell of the repository. */
export const namesOfRepository = indexNames({
  pages: pages.map(({ title, headings }, index) => ({ path: paths[index] ?? "", title, headings })),
  groups: Object.entries(groups).map(([title, listed]) => ({ title, pages: [...listed] })),
});

const DEFAULTS: Record<string, unknown> = {
  includeCode: false,
  letterCase: "as-written",
  wholeWord: true,
  redirect: true,
  add: false,
  addOrphans: false,
  folder: "api-reference",
};
const OWN_SCOPE = ["set_front_matter", "set_alt_text"];
const PAGE_KEYS = new Set(["page", "redirectTo"]);
const GROUP_TOOLS = new Set(["rename_group", "move_group", "move_page"]);
const HEADING_TOOLS = new Set(["remove_section", "replace_section"]);

function bare(path: string): string {
  return path.trim().replace(/^\/+|\/+$/g, "").replace(/\.mdx?$/, "").replace(/^$/, "index"); // oxfmt-ignore
}

/** The path of the page that is meant by a path, an address, a file name or a title; the words themselves for none. */
function pageOf(words: string): string {
  const path = bare(words).toLowerCase();
  if (paths.includes(path)) return path;
  const titled = pages.findIndex(({ title }) => title.toLowerCase() === words.trim().toLowerCase());
  if (titled >= 0) return paths[titled] ?? words;
  const named = paths.filter((candidate) => candidate.endsWith(`/${path}`));
  return named.length === 1 ? (named[0] ?? words) : bare(words);
}

/** The pages of a list of pages, folders and patterns. A word that names none stays as it is. */
function pagesOf(scope: readonly string[]): string[] {
  const found = scope.flatMap((words) => {
    const page = words.endsWith("/") ? "" : pageOf(words);
    if (paths.includes(page)) return [page];
    const folder = words.trim().replace(/^\.?\/+/, "").replace(/(?:\/?\*\*?(?:\.mdx?)?)*\/*$/, ""); // oxfmt-ignore
    const inside = paths.filter((path) => folder === "" || path.startsWith(`${folder}/`));
    return inside.length > 0 ? inside : [words];
  });
  return [...new Set(found)].toSorted();
}

/** Whether a call names a page, a folder, a group or a heading that is not there: then the chore itself does nothing. */
export function namesNothing([tool, input]: ExpectedCall): boolean {
  const references = [input.page, input.redirectTo, tool === "add_page" ? input.after : undefined];
  const scope = [input.in, input.except].filter(Array.isArray).flat().map(String);
  const page = pages.find(({ file }) => bare(file) === pageOf(text(input.page)));
  const heading = HEADING_TOOLS.has(tool)
    ? input.title
    : (input.section ?? (tool === "add_section" ? (input.after ?? input.before) : undefined));
  const headings = page?.headings.map((each) => each.toLowerCase()) ?? [];
  return (
    references.some((words) => words !== undefined && !paths.includes(pageOf(text(words)))) ||
    pagesOf(scope).some((words) => !paths.includes(words)) ||
    (heading !== undefined && !headings.includes(text(heading).toLowerCase())) ||
    (GROUP_TOOLS.has(tool) && groups[groupOf(text(input.group))] === undefined && input.group !== undefined) ||
    (tool === "move_page" && /(?:^|\/)\./.test(text(input.to)))
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function scopeOf({ page, in: within, except }: Record<string, unknown>): string[] | "all" {
  const listed = (within ?? (page === undefined ? ["/"] : [page])) as string[];
  const left = pagesOf((except ?? []) as string[]);
  const found = pagesOf(listed).filter((path) => !left.includes(path));
  return paths.every((path) => found.includes(path)) ? "all" : found;
}

function groupOf(name: string): string {
  return Object.keys(groups).find((group) => group.toLowerCase() === name.trim().toLowerCase()) ?? name;
}

function valueOf(tool: string, key: string, value: unknown, input: Record<string, unknown>): unknown {
  if (typeof value !== "string") return value;
  if (PAGE_KEYS.has(key) || (tool === "add_page" && key === "after")) return pageOf(value);
  if (tool === "move_group") return groupOf(value);
  if (key === "group") return groupOf(value);
  if (tool === "add_redirect" || tool === "remove_redirect") return key === "to" ? pageOf(value) : bare(value);
  if (tool === "move_page" && key === "to") {
    const name = text(input.page).split("/").at(-1);
    return bare(value.endsWith("/") ? `${value}${name}` : value);
  } // oxfmt-ignore
  if (key === "image")
    return images.find((image) => image === bare(value) || image.endsWith(`/${bare(value)}`)) ?? value;
  if (key === "path") return bare(value);
  if (key === "version") return value.replace(/^v(?=\d)/, "");
  const isHeading = ["section", "after", "before"].includes(key) || (key === "title" && HEADING_TOOLS.has(tool));
  return isHeading
    ? value
        .replace(/^#+\s*/, "")
        .trim()
        .toLowerCase()
    : value.trim();
}

/** One call for each rule of style, as they may come together or one by one. */
function oneByOne([tool, input]: ExpectedCall): ExpectedCall[] {
  if (tool !== "normalise_style") return [[tool, input]];
  const { in: scope, insteadOf, ...styles } = input;
  const before = (style: string) => (style === "listMarker" && insteadOf !== undefined ? { insteadOf } : {});
  return Object.entries(styles).map(([style, value]) => [tool, { [style]: value, ...before(style), in: scope }]);
}

/** Calls in one spelling: two lists that mean the same to the repository are equal. */
export function spelledAlike(calls: readonly ExpectedCall[]): unknown[] {
  return calls.flatMap(oneByOne).flatMap(([tool, given]): object[] => {
    const resolved = given.page === undefined ? given : { ...given, page: pageOf(text(given.page)) };
    const hasScope = given.in !== undefined || given.except !== undefined || OWN_SCOPE.includes(tool);
    const entries = Object.entries(resolved)
      .filter(([key, value]) => value !== undefined && DEFAULTS[key] !== value && !["in", "except"].includes(key))
      // To add a single value is to set it; the chore itself keeps what is there.
      .filter(([key]) => !(tool === "set_front_matter" && key === "add" && !Array.isArray(resolved.value)))
      .filter(([key, value]) => !(tool === "changelog_from_history" && key === "page" && value === "changelog"))
      .map(([key, value]) => [key, valueOf(tool, key, value, resolved)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const input = Object.fromEntries(entries);
    if (!hasScope) return [{ tool, input }];
    const scope = scopeOf(resolved);
    const { page: _page, ...rest } = input;
    if (tool === "set_front_matter" && scope !== "all") return scope.map((page) => ({ tool, input: rest, page }));
    return [scope === "all" ? { tool, input: rest } : { tool, input: rest, scope }];
  });
}
