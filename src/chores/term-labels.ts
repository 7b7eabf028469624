import { isScalar } from "yaml";
import { markdownFormat } from "#docs/parser.ts";
import { nodesOf } from "#docs/nodes.ts";
import { isCategoryFile } from "#tools/tool-configuration.ts";
import { docsPathProblem } from "#tools/write-policy.ts";
import { AppError } from "#lib/app-error.ts";
import { placesIn, editText, type TextEdit } from "./edits/page-edits.ts";
import { configDocuments, propertyOf, replaceString, walkJson } from "./edits/navigation/config-document.ts";
import { itemsBelow } from "./edits/navigation/nav-items.ts";
import { openYaml, pairOf, rewriteScalar, yamlRange } from "./edits/navigation/yaml-text.ts";
import { openToolNavigation } from "./edits/navigation/tool-navigation.ts";
import { isMailAddress } from "./edits/terms/mail-addresses.ts";
import type { TermForm } from "./edits/terms/term-forms.ts";
import { type TermMatch, type TermMatcher, withCapital } from "./edits/terms/term-matcher.ts";
import type { Workspace } from "./edits/workspace.ts";

/** Fields of a docs.json whose text readers see. */
const LABEL_KEYS = new Set([
  'name', 'description', 'group', 'tab', 'anchor', 'dropdown', 'product', 'item', 'menu', 'label', 'title', 'header', 'content', 'text',
]); // prettier-ignore

/** How often a term was replaced in each file, and where it and its forms were kept. */
export interface TermCount {
  files: Map<string, number>;
  left: Map<string, string[]>;
  forms: Map<TermForm, string[]>;
}

/** Adds to the list of a key. */
export function append<Key>(lists: Map<Key, string[]>, key: Key, entry: string): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

interface Search {
  letterCase: "exact" | "as-written" | "any";
  matcher: TermMatcher;
}

const casedFor =
  ({ letterCase }: Search) =>
  (match: TermMatch): TermMatch =>
    match.start === 0 && letterCase !== "exact" ? withCapital(match) : match;

/** Replaces a term in the texts of a `docs.json` that readers see. A variable that code uses is left: code keeps the term. */
export async function replaceLabels(workspace: Workspace, search: Search, counted: TermCount): Promise<void> {
  const { matcher } = search;
  const cased = casedFor(search);
  for (const { path, text, root } of await configDocuments(workspace)) {
    if (!matcher.mayOccurIn(text)) continue;
    const edits: TextEdit[] = [];
    let replaced = 0;
    const at = placesIn(path, text);
    const variables = new Map(
      (propertyOf(root, "variables")?.children ?? []).map(({ children = [] }) => [
        children[1],
        String(children[0]?.value),
      ]),
    );
    const inCode = variables.size === 0 ? new Set<string>() : await variablesInCode(workspace);
    walkJson(root, (node, key) => {
      if (node.type !== "string") return;
      const value = String(node.value);
      const found = matcher.matches(value);
      const matches = found.filter((match) => !matcher.isPartOfName(value, match));
      if (matches.length < found.length) append(counted.left, "in longer names", at(node.offset));
      if (matches.length === 0) return;
      const variable = variables.get(node);
      if (variable !== undefined && inCode.has(variable)) {
        for (const _ of matches) append(counted.left, "in variables that code uses", at(node.offset));
        return;
      }
      const isLabel =
        (variable !== undefined || (key !== null && LABEL_KEYS.has(key))) && !/^(?:https?:\/\/|\/)\S*$/.test(value);
      if (!isLabel && !isMailTarget(value, matches)) {
        for (const _ of matches) append(counted.left, "in the configuration", at(node.offset));
        return;
      }
      replaced += matches.length;
      edits.push(replaceString(node, replaceIn(value, matches.map(cased))));
    });
    if (edits.length === 0) continue;
    await workspace.write(path, editText(text, edits));
    counted.files.set(path, replaced);
  }
}

const openCategory = (path: string, text: string): unknown => {
  try {
    return openYaml({ path, text }).contents; // JSON is YAML
  } catch (error) {
    return unlessInvalid(error);
  }
};

const unlessInvalid = (error: unknown): null => {
  if (error instanceof AppError && error.code === "invalid") return null;
  throw error;
};

/** Names of the variables in code blocks and inline code. */
async function variablesInCode(workspace: Workspace): Promise<Set<string>> {
  const names = new Set<string>();
  for (const page of await workspace.pageTexts((text) => text.includes("{{"))) {
    const root = markdownFormat(page.path) === null ? null : await workspace.parse(page);
    for (const node of root === null ? [] : nodesOf(root)) {
      if (node.type !== "code" && node.type !== "inlineCode") continue;
      for (const [, name = ""] of node.value.matchAll(/\{\{[ \t]{0,10}([\w.-]{1,100})[ \t]{0,10}\}\}/g))
        names.add(name);
    }
  }
  return names;
}

/** Replaces a term in the titles of another tool's navigation, and counts it in the rest of its configuration. */
export async function replaceToolTitles(workspace: Workspace, search: Search, counted: TermCount): Promise<void> {
  const { tool, config } = await workspace.docs();
  if (tool === null) return;
  if (config.dialect === "docusaurus") await replaceCategories(workspace, search, counted);
  const { matcher } = search;
  // A file that cannot be read or written is listed below: the pages are changed all the same.
  const nav = await openToolNavigation(workspace).catch(unlessInvalid);
  const isPage = nav !== null && markdownFormat(nav.path) !== null;
  const edits: TextEdit[] = [];
  let replaced = 0;
  for (const { title, label } of nav === null || isPage ? [] : itemsBelow(nav.root)) {
    if (title === null || label === null) continue;
    const matches = matcher.matches(title).filter((match) => !matcher.isPartOfName(title, match));
    if (matches.length === 0) continue;
    const text = nav!.writeTitle(
      replaceIn(title, matches.map(casedFor(search))),
      nav!.text.slice(label.start, label.end),
    );
    edits.push({ ...label, text });
    replaced += matches.length;
  }
  if (nav !== null && edits.length > 0) {
    const written = await workspace.write(nav.path, editText(nav.text, edits)).catch(unlessInvalid);
    if (written !== null) counted.files.set(nav.path, replaced);
  }
  for (const path of new Set([tool.file, tool.chores?.navigation ?? null])) {
    const text = path === null || markdownFormat(path) !== null ? null : await workspace.text(path);
    if (path === null || text === null) continue;
    const at = placesIn(path, text);
    for (const { start } of matcher.matches(text)) append(counted.left, "in the configuration", at(start));
  }
}

/** Texts of a `_category_` file that readers see. */
const CATEGORY_TEXTS = [["label"], ["description"], ["link", "title"], ["link", "description"]];

/** Replaces a term in the `_category_` files of Docusaurus, which name the groups that it makes from folders. */
async function replaceCategories(workspace: Workspace, search: Search, counted: TermCount): Promise<void> {
  const { matcher } = search;
  const { contentRoot } = await workspace.docs();
  for (const { path } of (await workspace.tree.files()).filter((file) => isCategoryFile(file.path))) {
    const text = docsPathProblem(path, contentRoot) === null ? await workspace.text(path) : null;
    if (text === null || !matcher.mayOccurIn(text)) continue;
    const edits: TextEdit[] = [];
    let replaced = 0;
    const settings = openCategory(path, text);
    for (const keys of settings === null ? [] : CATEGORY_TEXTS) {
      const node = keys.reduce<unknown>((each, key) => pairOf(each, key)?.value, settings);
      const range = yamlRange(node);
      const value = isScalar(node) && typeof node.value === "string" ? node.value : "";
      const matches = matcher.matches(value).filter((match) => !matcher.isPartOfName(value, match));
      if (range === null || matches.length === 0) continue;
      const written = rewriteScalar(
        replaceIn(value, matches.map(casedFor(search))),
        text.slice(range.start, range.end),
      );
      edits.push({ ...range, text: written });
      replaced += matches.length;
    }
    const isWritten =
      edits.length > 0 && (await workspace.write(path, editText(text, edits)).catch(unlessInvalid)) !== null;
    if (isWritten) counted.files.set(path, replaced);
    const at = placesIn(path, text);
    for (const { start } of matcher.matches(text)) {
      const isReplaced = isWritten && edits.some((edit) => edit.start <= start && start < edit.end);
      if (!isReplaced) append(counted.left, "in the configuration", at(start));
    }
  }
}

/** Whether a value is `mailto:` with one of the occurrences as its address, and still is with the new words. */
const isMailTarget = (value: string, matches: readonly TermMatch[]): boolean =>
  matches.every(({ found, replacement }) => isMailAddress(found) && isMailAddress(replacement)) &&
  matches.some(({ found }) => value.slice("mailto:".length).split("?", 1)[0] === found) &&
  /^mailto:/i.test(value);

function replaceIn(value: string, matches: readonly { start: number; end: number; replacement: string }[]): string {
  return editText(
    value,
    matches.map(({ start, end, replacement }) => ({ start, end, text: replacement })),
  );
}
