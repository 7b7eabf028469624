import { type TextRange } from "#docs/nodes.ts";
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import type { DialectName } from "#docs/dialect.ts";
import { address, pageStem } from "#docs/dialects/paths.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { decodeLoose } from "#docs/hrefs.ts";
import { joinContentRoot, type Route, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { editText, placesIn, type TextEdit } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import { cannotEdit } from "./nav-items.ts";
import { addToRedirectFile, removeFromRedirectFile } from "./redirect-file.ts";
import { lineStart, lineEnd, newlineOf, removeLines } from "./written-lines.ts";
import { lastOffset, openYaml, pairOf, yamlRange, rewriteScalar, yamlText } from "./yaml-text.ts";

/** A redirect of a tool, as a pair of its YAML file: from an address to the path of a page. */
interface ToolRedirect {
  pair: Pair;
  source: Route;
  /** Path in the repository of the page that it leads to; null for another address. */
  page: string | null;
  hash: string;
}

/** The file with the redirects of another tool. */
interface ToolRedirects {
  path: string;
  text: string;
  docs: Docs;
  pages: string;
  form: RedirectForm;
  contents: YAMLMap;
  /** The mapping of the redirects; null if there is none yet. */
  map: YAMLMap | null;
  all: ToolRedirect[];
}

/** Where a tool has its redirects, and how it writes their source. */
interface RedirectForm {
  /** Keys from the top of the file; the last one is added if it is missing. A list item with a key counts as that key. */
  keys: readonly string[];
  sourceOf(route: Route, file: string | null): string;
  leadsElsewhere: boolean;
}

const FORMS: Partial<Record<DialectName, RedirectForm>> = {
  // The plugin mkdocs-redirects writes a page for the path of a Markdown file.
  mkdocs: {
    keys: ["plugins", "redirects", "redirect_maps"],
    sourceOf: (route, file) => file ?? `${decodeLoose(route).slice(1) || "index"}.md`,
    leadsElsewhere: true,
  },
  gitbook: { keys: ["redirects"], sourceOf: (route) => decodeLoose(route).slice(1), leadsElsewhere: false },
};

/** The redirects of another tool; null for a `docs.json`, and where chores cannot edit them. */
async function openToolRedirects(workspace: Workspace): Promise<ToolRedirects | null> {
  const docs = await workspace.docs();
  const { redirects: path = null, pages = "" } = docs.tool?.chores ?? {};
  const form = FORMS[docs.config.dialect];
  const text = path === null ? null : await workspace.text(path);
  if (form === undefined || path === null || text === null) return null;
  const { contents } = openYaml({ path, text });
  const map = form.keys.reduce<unknown>((node, key) => entryOf(node, key)?.value, contents);
  const all = (isMap(map) ? map.items : []).flatMap((pair): ToolRedirect[] => {
    if (!isScalar(pair.key) || !isScalar(pair.value)) return [];
    const [target = "", hash] = String(pair.value.value).split("#");
    const stem = pageStem(String(pair.key.value)).replace(/\.html$/, "");
    return [
      {
        pair,
        source: address(stem.replace(/(?:^|\/)(?:index|README)$/i, "")),
        page: /^[a-z]+:/i.test(target) ? null : joinContentRoot(target.replace(/^\.?\//, ""), pages),
        hash: hash === undefined ? "" : `#${hash}`,
      },
    ];
  });
  return { path, text, docs, pages, form, contents, map: isMap(map) ? map : null, all };
}

/** The pair of a key in a mapping, or in a list of names and mappings with one key, such as `plugins`. */
function entryOf(node: unknown, key: string): Pair | null {
  if (!isSeq(node)) return pairOf(node, key);
  return node.items.map((item) => pairOf(item, key)).find((pair) => pair !== null) ?? null;
}

/** Adds a redirect at the end. `file` is the page's former path. False where chores cannot edit the redirects of the tool. */
export async function addToolRedirect(
  workspace: Workspace,
  { source, destination, file }: { source: Route; destination: string; file?: string | undefined },
): Promise<boolean> {
  if (await addToRedirectFile(workspace, { source, destination })) return true;
  const redirects = await openToolRedirects(workspace);
  if (redirects === null) return false;
  const { form, pages } = redirects;
  const own = file === undefined ? null : stripContentRoot(file, pages);
  const isUsual = own !== null && address(pageStem(own).replace(/(?:^|\/)(?:index|README)$/, "")) === source;
  const key = form.sourceOf(source, isUsual ? own : null);
  const pair = `${yamlText(key)}: ${yamlText(targetOf(redirects, destination))}`;
  await writeRedirects(workspace, redirects, additionOf(redirects, pair));
  return true;
}

function targetOf({ form, docs, pages }: ToolRedirects, destination: string): string {
  const [, route = "", hash = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(destination) ?? [];
  const page = docs.pages.get(route)?.path;
  const inPages = page === undefined ? null : stripContentRoot(page, pages);
  if (inPages !== null) return inPages + hash;
  if (form.leadsElsewhere && /^https?:\/\//i.test(destination)) return destination;
  throw new AppError("invalid", `The redirects of ${docs.tool?.title} lead to pages, and “${destination}” is none.`);
}

/** Adds a pair at the end of the redirects, with the keys above it that are missing. */
function additionOf(file: ToolRedirects, pair: string): TextEdit {
  const { text, form, contents } = file;
  let node: unknown = contents;
  let holder: Pair | null = null;
  let depth = 0;
  for (; depth < form.keys.length; depth += 1) {
    const next = entryOf(node, form.keys[depth] ?? "");
    if (next === null) break;
    holder = next;
    node = next.value;
  }
  const lines = [...form.keys.slice(depth), pair];
  const spaceBefore = (offset: number) => text.slice(lineStart(text, offset), offset).replaceAll(/[^\t]/g, " ");
  // The name of a plugin without options.
  const bare = isSeq(node) ? node.items.find((item) => isScalar(item) && item.value === lines[0]) : undefined;
  if (bare !== undefined) {
    const { start, end } = yamlRange(bare)!;
    return { start: end, end, text: `:${nested(text, lines.slice(1), `${spaceBefore(start)}  `)}` };
  }
  const last = isMap(node) ? node.items.at(-1) : undefined;
  const key = yamlRange(last?.key ?? holder?.key);
  const isEmpty = last === undefined && !isSeq(node) && (!isScalar(node) || node.value === null);
  if (key === null || (!isEmpty && (last === undefined || lineOfKey(text, key) !== "")))
    throw cannotEdit(file, key?.start ?? 0, "is not in a mapping with one key on each line");
  if (last !== undefined) {
    const end = lineEnd(text, lastOffset(last));
    return { start: end, end, text: nested(text, lines, spaceBefore(key.start)) };
  }
  const colon = text.indexOf(":", key.end) + 1;
  const end = isMap(node) ? (yamlRange(node)?.end ?? colon) : colon;
  return { start: colon, end, text: nested(text, lines, `${spaceBefore(key.start)}  `) };
}

/** What comes before a key on its line, without white space. */
const lineOfKey = (text: string, { start }: TextRange): string => text.slice(lineStart(text, start), start).trim();

/** Keys below each other, each indented by two more; the last line is a pair. */
function nested(text: string, lines: readonly string[], indent: string): string {
  const written = lines.map(
    (line, index) => `${indent}${"  ".repeat(index)}${line}${index < lines.length - 1 ? ":" : ""}`,
  );
  return written.map((line) => newlineOf(text) + line).join("");
}

/** Removes the redirects whose source matches. Returns their number; null where chores cannot edit the redirects of the tool. */
export async function removeToolRedirects(
  workspace: Workspace,
  isMeant: (source: Route) => boolean,
): Promise<number | null> {
  const inFile = await removeFromRedirectFile(workspace, isMeant);
  if (inFile !== null) return inFile;
  for (let removed = 0; ; removed += 1) {
    const redirects = await openToolRedirects(workspace);
    if (redirects === null) return null;
    const meant = redirects.all.find(({ source }) => isMeant(source));
    if (meant === undefined) return removed;
    await writeRedirects(workspace, redirects, removalIn(redirects, meant.pair));
  }
}

function removalIn(file: ToolRedirects, pair: Pair): TextEdit {
  const { text, map } = file;
  const key = yamlRange(pair.key)!;
  const { start } = key;
  if (lineOfKey(text, key) !== "" || map?.flow === true)
    throw cannotEdit(file, start, "is not in a mapping with one redirect on each line");
  // A key without a value is no mapping to some readers.
  if (map?.items.length === 1) {
    const colon = text.lastIndexOf(":", start) + 1;
    return { start: colon, end: lineEnd(text, lastOffset(pair)), text: " {}" };
  }
  return removeLines(text, { start: lineStart(text, start), end: lineEnd(text, lastOffset(pair)) });
}

/** Lets redirects to a page lead to another one. Returns their places, as `path:line`. */
export async function retargetToolRedirects(
  workspace: Workspace,
  from: string,
  to: { path: string; keepsAnchors: boolean },
): Promise<string[]> {
  const redirects = await openToolRedirects(workspace);
  if (redirects === null) return [];
  const { path, text, pages } = redirects;
  const meant = redirects.all.filter(({ page }) => page === from);
  const edits = meant.map(({ pair, hash }): TextEdit => {
    const range = yamlRange(pair.value)!;
    const target = (stripContentRoot(to.path, pages) ?? to.path) + (to.keepsAnchors ? hash : "");
    return { ...range, text: rewriteScalar(target, text.slice(range.start, range.end)) };
  });
  if (edits.length > 0) await workspace.write(path, editText(text, edits));
  return edits.map(({ start }) => `\`${placesIn(path, text)(start)}\``);
}

/** The places of the redirects that lead to a page, as `path:line`. */
export async function toolRedirectsTo(workspace: Workspace, page: string): Promise<string[]> {
  const redirects = await openToolRedirects(workspace);
  if (redirects === null) return [];
  const { path, text, all } = redirects;
  return all
    .filter((each) => each.page === page)
    .map(({ pair }) => `\`${placesIn(path, text)(yamlRange(pair.key)?.start ?? 0)}\``);
}

const writeRedirects = (workspace: Workspace, { path, text }: ToolRedirects, edit: TextEdit): Promise<void> =>
  workspace.write(path, editText(text, [edit]));
