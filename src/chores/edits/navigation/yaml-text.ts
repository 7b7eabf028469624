import { type TextRange } from "#docs/nodes.ts";
import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  stringify,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import { placesIn } from "#chores/edits/page-edits.ts";
import { BrokenConfiguration } from "./config-document.ts";

/**
 * A YAML file with the mapping at its top; offsets are those of the text. Throws `BrokenConfiguration` if it cannot be
 * edited.
 */
export function openYaml({ path, text }: { path: string; text: string }): { contents: YAMLMap; document: Document } {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  const { errors, contents } = document;
  const [error] = errors;
  if (error === undefined && isMap(contents)) return { contents, document };
  const reason = error === undefined ? "it has no keys" : error.message.slice(0, 200);
  throw new BrokenConfiguration(`\`${placesIn(path, text)(error?.pos[0] ?? 0)}\` is not valid YAML (${reason})`);
}

/** The pair with a key in a mapping; null for another node, and without such a key. */
export function pairOf(node: unknown, key: string): Pair | null {
  if (!isMap(node)) return null;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key) ?? null;
}

/** The text of a node, without what follows it. */
export function yamlRange(node: unknown): TextRange | null {
  const range = isNode(node) ? node.range : null;
  return range ? { start: range[0], end: range[1] } : null;
}

/** The end of the last scalar in a node: what follows are comments and empty lines. */
export function lastOffset(node: unknown): number {
  if (isPair(node)) return Math.max(lastOffset(node.key), lastOffset(node.value));
  if (isCollection(node) && node.items.length > 0 && node.flow !== true) return lastOffset(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** A text as one line of YAML. MkDocs reads YAML 1.1, in which `Yes` and `1:30` without quotes are no texts. */
export function yamlText(value: string): string {
  const written = stringify(value, { lineWidth: 0, version: "1.1" }).trimEnd();
  return written.includes("\n") ? JSON.stringify(value) : written;
}

/** A scalar in place of another, in its kind of quotes. */
export function rewriteScalar(value: string, written: string): string {
  if (written.startsWith('"')) return JSON.stringify(value);
  return written.startsWith("'") ? `'${value.replaceAll("'", "''")}'` : yamlText(value);
}
