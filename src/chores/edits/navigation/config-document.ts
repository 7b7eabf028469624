import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { referencedPath } from "#docs/json-document.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { editText, placesIn, type TextEdit } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";

/** A JSON file of the docs' configuration with its syntax tree; offsets are those of `text`. */
export interface ConfigDocument {
  path: string;
  text: string;
  root: Node;
}

const MAX_DOCUMENTS = 200;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * The configuration file, followed by the files that it includes by `$ref`. Empty without a configuration. Throws
 * `BrokenConfiguration` when it is not JSON: no chore may edit what it cannot read.
 */
export async function configDocuments(workspace: Workspace): Promise<ConfigDocument[]> {
  const { configFile } = await workspace.docs();
  if (configFile === null) return [];
  const documents: ConfigDocument[] = [];
  const open = [configFile];
  const seen = new Set<string>();
  for (let path = open.shift(); path !== undefined && documents.length < MAX_DOCUMENTS; path = open.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = await workspace.text(path);
    if (text === null || text.length > MAX_CHARACTERS) continue;
    const root = readTree(path, text);
    documents.push({ path, text, root });
    walkJson(root, (node, key) => {
      const named = key === "$ref" && typeof node.value === "string" ? referencedPath(node.value, path) : null;
      if (named !== null && named.endsWith(".json")) open.push(named);
    });
  }
  return documents;
}

function readTree(path: string, text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new BrokenConfiguration(`\`${path}\` is not valid JSON (nested too deeply)`);
  }
  const [error] = errors;
  if (root !== undefined && error === undefined) return root;
  const reason = error === undefined ? "empty" : printParseErrorCode(error.error).replaceAll(/(?<!^)([A-Z])/g, " $1");
  throw new BrokenConfiguration(
    `\`${placesIn(path, text)(error?.offset ?? 0)}\` is not valid JSON (${reason.toLowerCase()})`,
  );
}

/** The configuration cannot be read. `problem` has the file, the place and the reason, without a final period. */
export class BrokenConfiguration extends AppError {
  readonly problem: string;

  constructor(problem: string) {
    super("invalid", `${problem}, so it cannot be edited. Correct it first.`);
    this.problem = problem;
  }
}

/** Why the configuration cannot be read; null when it can. */
export async function configurationProblem(workspace: Workspace): Promise<string | null> {
  try {
    await configDocuments(workspace);
    return null;
  } catch (error) {
    if (error instanceof BrokenConfiguration) return error.problem;
    throw error;
  }
}

/** Calls `visit` for every node with the name of the property whose value, or array element, it is. */
export function walkJson(root: Node, visit: (node: Node, key: string | null) => void): void {
  const open: { node: Node; key: string | null }[] = [{ node: root, key: null }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node, key } = entry;
    if (node.type === "property") {
      const [name, value] = node.children ?? [];
      if (name && value) open.push({ node: value, key: String(getNodeValue(name)) });
      continue;
    }
    visit(node, key);
    const children = node.children ?? [];
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index];
      if (child) open.push({ node: child, key: node.type === "array" ? key : null });
    }
  }
}

/** Value of a property of an object node. */
export function propertyOf(object: Node, name: string): Node | undefined {
  if (object.type !== "object") return undefined;
  return object.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** String value of a property of an object node; null when it is absent or not a string. */
export function stringProperty(object: Node, name: string): string | null {
  const value: unknown = propertyOf(object, name)?.value;
  return typeof value === "string" ? value : null;
}

/** The edit that replaces a string. */
export const replaceString = ({ offset, length }: Node, text: string): TextEdit => ({
  start: offset,
  end: offset + length,
  text: JSON.stringify(text),
});

/** Path relative to the site's root, as navigation and links name files. */
export async function sitePathOf(workspace: Workspace, path: string): Promise<string> {
  const { contentRoot } = await workspace.docs();
  return stripContentRoot(path, contentRoot) ?? path;
}

export async function writeDocument(
  workspace: Workspace,
  document: ConfigDocument,
  edits: readonly TextEdit[],
): Promise<void> {
  await workspace.write(document.path, editText(document.text, edits));
}
