import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "jsonc-parser";

/** One entry of a navigation as its author wrote it. */
export type ExpectedEntry =
  | { kind: "page"; reference: string }
  /** `GET /users`, and the files that the sections around it name. */
  | { kind: "operation"; reference: string; files: readonly string[] }
  /** A section that consists of a whole description. */
  | { kind: "section"; files: readonly string[] };

type Written = Record<string, unknown>;

const LISTS = ["languages", "versions", "products", "dropdowns", "tabs", "anchors", "menu", "groups", "pages"];
const OPERATION = /(?:^|\s)(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK|webhook)\s+\S/;

/**
 * Every entry of a `docs.json`, read by code independent of the server's, so that entries which the server omits are noticed.
 * `folder` is a checkout of the site's content.
 */
export async function expectedEntries(folder: string): Promise<ExpectedEntry[]> {
  const root = (await readJson(path.join(folder, "docs.json"), folder)) as Written;
  const entries: ExpectedEntry[] = [];
  const navigation = root["navigation"];
  const visit = (node: unknown, files: readonly string[], isPage: boolean): void => {
    if (typeof node === "string") {
      if (!isPage || /^https?:/.test(node)) return;
      entries.push(
        OPERATION.test(node) ? { kind: "operation", reference: node, files } : { kind: "page", reference: node },
      );
      return;
    }
    if (typeof node !== "object" || node === null) return;
    const section = node as Written;
    if (section["hidden"] === true) return;
    if (typeof section["root"] === "string") entries.push({ kind: "page", reference: section["root"] });
    const own = filesOf(section["openapi"] ?? section["asyncapi"]);
    const lists = LISTS.filter((name) => Array.isArray(section[name]) && (section[name] as unknown[]).length > 0);
    if (own.length > 0 && lists.length === 0) entries.push({ kind: "section", files: own });
    for (const name of lists) {
      for (const child of section[name] as unknown[]) visit(child, own.length > 0 ? own : files, name === "pages");
    }
  };
  if (Array.isArray(navigation)) for (const group of navigation as unknown[]) visit(group, [], false);
  else {
    visit(navigation, [], false);
    visit((navigation as Written | undefined)?.["global"], [], false);
  }
  return entries;
}

function filesOf(written: unknown): string[] {
  if (typeof written === "string") return [written];
  if (Array.isArray(written)) return written.filter((each) => typeof each === "string");
  if (typeof written === "object" && written !== null) return filesOf((written as Written)["source"]);
  return [];
}

/** A JSON file in which `{"$ref": "./other.json"}` is resolved. */
async function readJson(file: string, folder: string, depth = 0): Promise<unknown> {
  const value = parse(await readFile(file, "utf8"), [], { allowTrailingComma: true }) as unknown;
  const expand = async (node: unknown): Promise<unknown> => {
    if (Array.isArray(node)) return Promise.all(node.map(expand));
    if (typeof node !== "object" || node === null) return node;
    const reference = (node as Written)["$ref"];
    if (typeof reference === "string" && !reference.startsWith("#") && depth < 8) {
      const from = reference.startsWith("/") ? path.join(folder, reference) : path.join(path.dirname(file), reference);
      return readJson(from, folder, depth + 1).catch(() => null);
    }
    const pairs = await Promise.all(Object.entries(node).map(async ([name, child]) => [name, await expand(child)]));
    return Object.fromEntries(pairs) as unknown;
  };
  return expand(value);
}
