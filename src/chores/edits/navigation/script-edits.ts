import type * as es from "estree-jsx";
import type { TextEdit } from "#chores/edits/page-edits.ts";
import { lineEnd, lineStart, newlineOf, removeLines, type TextRange } from "./written-lines.ts";

const positionOf = (node: es.Node): TextRange => node as unknown as TextRange;

/** The object that a module exports: written in `export default` or `module.exports`, or in a constant named there. */
export function exportedObject(program: es.Program): es.ObjectExpression | null {
  const constants = new Map<string, es.Node | null | undefined>();
  let exported: es.Node | null = null;
  for (const statement of program.body) {
    if (statement.type === "VariableDeclaration")
      for (const { id, init } of statement.declarations) if (id.type === "Identifier") constants.set(id.name, init);
    if (statement.type === "ExportDefaultDeclaration") exported = statement.declaration;
    const assigned = statement.type === "ExpressionStatement" ? statement.expression : null;
    if (assigned?.type === "AssignmentExpression" && isModuleExports(assigned.left)) exported = assigned.right;
  }
  const value = exported?.type === "Identifier" ? constants.get(exported.name) : exported;
  return value?.type === "ObjectExpression" ? value : null;
}

const isModuleExports = (node: es.Node): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "module" &&
  node.property.type === "Identifier" &&
  node.property.name === "exports";

/** The string that a node is; null for anything else. */
export function textOf(node: es.Node | undefined): string | null {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/** The value of a property of an object. */
export function propertyOfObject(node: es.Node | undefined, name: string): es.Node | undefined {
  if (node?.type !== "ObjectExpression") return undefined;
  const found = node.properties.find(
    (each) =>
      each.type === "Property" &&
      !each.computed &&
      (each.key.type === "Identifier" ? each.key.name === name : textOf(each.key) === name),
  );
  return found?.type === "Property" ? found.value : undefined;
}

/** A string in the quotes of another one; single quotes in place of a name without quotes. */
export function rewriteString(value: string, written: string): string {
  const quoted = JSON.stringify(value);
  return written.startsWith('"') ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Adds an element to an array, in its layout. `write` gets the text of an element or list, for its kind of quotes. */
export function insertInArray(
  text: string,
  list: es.ArrayExpression,
  { after, write }: { after: es.Node | null; write: (like: string) => string },
): TextEdit {
  const elements = list.elements.filter((each) => each !== null);
  const anchor = after ?? elements.at(-1);
  const quotes = /["']/.exec(text.slice(positionOf(list).start))?.[0] ?? "'";
  const value = write(quotes);
  if (anchor === undefined) {
    const { start, end } = positionOf(list);
    return { start: start + 1, end: end - 1, text: value };
  }
  const { start, end } = positionOf(anchor);
  const indent = text.slice(lineStart(text, start), start);
  if (indent.trim() !== "") return { start: end, end, text: `, ${value}` };
  // A comment after the comma belongs to the element before it.
  const rest = /^[ \t]*,[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*\*\/[ \t]*)?$/.exec(text.slice(end, lineEnd(text, end)));
  if (rest === null) return { start: end, end, text: `,${newlineOf(text)}${indent}${value}` };
  const at = lineEnd(text, end);
  return { start: at, end: at, text: `${newlineOf(text)}${indent}${value},` };
}

/** Removes an element of an array with its comma, and with its lines if nothing else is on them. */
export function removeFromArray(text: string, list: es.ArrayExpression, element: es.Node): TextEdit {
  const { start, end } = positionOf(element);
  const rest = text.slice(end, lineEnd(text, end));
  const isAlone = text.slice(lineStart(text, start), start).trim() === "" && /^[ \t]*,?[ \t]*(?:\/\/.*)?$/.test(rest);
  if (isAlone) return removeLines(text, { start: lineStart(text, start), end: lineEnd(text, end) });
  const elements = list.elements.filter((each) => each !== null);
  const index = elements.indexOf(element as (typeof elements)[number]);
  const [previous, next] = [elements[index - 1], elements[index + 1]];
  if (next !== undefined) return { start, end: positionOf(next).start, text: "" };
  return previous === undefined ? { start, end, text: "" } : { start: positionOf(previous).end, end, text: "" };
}
