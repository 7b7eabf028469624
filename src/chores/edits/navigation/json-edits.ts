import { lineStart, newlineOf } from "./written-lines.ts";
import type { Node } from "jsonc-parser";
import type { TextEdit } from "#chores/edits/page-edits.ts";

/** Inserts a value into an array, after the child at `after` (the last one when absent), in the layout of the array. */
export function insertElement(
  text: string,
  array: Node,
  { value, after }: { value: unknown; after?: number },
): TextEdit {
  const children = array.children ?? [];
  const first = children[0];
  if (first === undefined) {
    const inner = { start: array.offset + 1, end: array.offset + array.length - 1 };
    const indent = lineIndent(text, array.offset);
    const isObject = typeof value === "object";
    const literal = isObject
      ? `${newlineOf(text)}${indent}${unit(text)}${inline(value, true)}${newlineOf(text)}${indent}`
      : inline(value, true);
    return { ...inner, text: literal };
  }
  const anchor = children[after ?? children.length - 1] ?? first;
  const lead = text.slice(array.offset + 1, first.offset);
  const isMultiline = lead.includes("\n");
  const indent = isMultiline ? lineIndent(text, first.offset) : "";
  const at = anchor.offset + anchor.length;
  const separator = isMultiline ? `${newlineOf(text)}${indent}` : " ";
  return { start: at, end: at, text: `,${separator}${likeSibling(text, { sibling: first, value, indent })}` };
}

/** Removes a child of an array with its comma and white space. */
export function removeElement(text: string, array: Node, child: Node): TextEdit {
  const children = array.children ?? [];
  const index = children.indexOf(child);
  const next = children[index + 1];
  const previous = children[index - 1];
  if (next) return { start: child.offset, end: next.offset, text: "" };
  if (previous) return { start: previous.offset + previous.length, end: child.offset + child.length, text: "" };
  return { start: array.offset + 1, end: array.offset + array.length - 1, text: "" };
}

/** Reorders the children of an array. Their own text, and the text between them, stays unchanged. */
export function permuteElements(text: string, array: Node, order: readonly Node[]): TextEdit[] {
  return (array.children ?? []).flatMap((place, index) => {
    const child = order[index];
    if (child === undefined || child === place) return [];
    const written = text.slice(child.offset, child.offset + child.length);
    return [{ start: place.offset, end: place.offset + place.length, text: written }];
  });
}

/** Adds a property at the end of an object, in the layout of the object. */
export function addProperty(
  text: string,
  object: Node,
  { name, value }: { name: string; value: readonly object[] },
): TextEdit {
  const properties = object.children ?? [];
  const last = properties.at(-1);
  const indent = last ? lineIndent(text, last.offset) : unit(text);
  const inner = indent + unit(text);
  const end = newlineOf(text);
  const items = value.map((item) => `${inner}${inline(item, true)}`).join(`,${end}`);
  const property = `${JSON.stringify(name)}: [${end}${items}${end}${indent}]`;
  if (!last) {
    return { start: object.offset, end: object.offset + object.length, text: `{${end}${indent}${property}${end}}` };
  }
  const at = last.offset + last.length;
  return { start: at, end: at, text: `,${end}${indent}${property}` };
}

function likeSibling(
  text: string,
  { sibling, value, indent }: { sibling: Node; value: unknown; indent: string },
): string {
  if (sibling.type !== "object" || typeof value !== "object" || value === null) return inline(value, true);
  const written = text.slice(sibling.offset, sibling.offset + sibling.length);
  if (!written.includes("\n")) return inline(value, /^\{\s/.test(written));
  const first = sibling.children?.[0];
  const inner = first ? lineIndent(text, first.offset) : indent + unit(text);
  const end = newlineOf(text);
  const properties = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${JSON.stringify(each)}`,
  );
  return `{${end}${properties.join(`,${end}`)}${end}${indent}}`;
}

function inline(value: unknown, isPadded: boolean): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const space = isPadded ? " " : "";
  const properties = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inline(each, isPadded)}`);
  return `{${space}${properties.join(", ")}${space}}`;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function unit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
