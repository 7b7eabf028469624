import { type TextRange } from "#docs/nodes.ts";
import type * as es from "estree-jsx";
import type { TextEdit } from "#chores/edits/page-edits.ts";
import { lineEnd, lineStart, newlineOf, removeLines } from "./written-lines.ts";

/** The place of a node, which the parser adds to it. */
export const scriptRange = (node: es.Node): TextRange => node as unknown as TextRange;

/** The object that a module exports: in `export default` or `module.exports`, also as an argument or a constant of the file. */
export function exportedObject(program: es.Program): es.ObjectExpression | null {
  let exported: es.Node | null = null;
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration") exported = statement.declaration as es.Node;
    const assigned = statement.type === "ExpressionStatement" ? statement.expression : null;
    if (assigned?.type === "AssignmentExpression" && isModuleExports(assigned.left)) exported = assigned.right;
  }
  let value = valueOf(program, exported);
  for (let depth = 0; value?.type === "CallExpression" && depth < MAX_WRAPPERS; depth += 1)
    value = valueOf(program, value.arguments[0]);
  return value?.type === "ObjectExpression" ? value : null;
}

const MAX_WRAPPERS = 5;

const isModuleExports = (node: es.Node): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "module" &&
  node.property.type === "Identifier" &&
  node.property.name === "exports";

/** A node, or the value of the constant of the file that it names. */
export function valueOf(program: es.Program, node: es.Node | null | undefined): es.Node | null {
  if (node?.type !== "Identifier") return node ?? null;
  const declarations = program.body.flatMap((each) => (each.type === "VariableDeclaration" ? each.declarations : []));
  return declarations.find(({ id }) => id.type === "Identifier" && id.name === node.name)?.init ?? null;
}

/** The call of the default export of a package, anywhere in the exported object's lists. */
export function callOf(program: es.Program, source: string): es.SimpleCallExpression | null {
  const imported = program.body
    .flatMap((each) => (each.type === "ImportDeclaration" && each.source.value === source ? each.specifiers : []))
    .find(({ type }) => type === "ImportDefaultSpecifier")?.local.name;
  const integrations = valueOf(program, propertyOfObject(exportedObject(program) ?? undefined, "integrations"));
  const calls = integrations?.type === "ArrayExpression" ? integrations.elements : [];
  const call = calls.find(
    (each) => each?.type === "CallExpression" && each.callee.type === "Identifier" && each.callee.name === imported,
  );
  return call?.type === "CallExpression" ? call : null;
}

/** The string that a node is; null for anything else. */
export function stringOf(node: es.Node | undefined): string | null {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

/** The value of a property of an object. */
export function propertyOfObject(node: es.Node | undefined, name: string): es.Node | undefined {
  if (node?.type !== "ObjectExpression") return undefined;
  const found = node.properties.find(
    (each) =>
      each.type === "Property" &&
      !each.computed &&
      (each.key.type === "Identifier" ? each.key.name === name : stringOf(each.key) === name),
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
  const quotes = /["']/.exec(text.slice(scriptRange(list).start))?.[0] ?? "'";
  const value = write(quotes);
  if (anchor === undefined) {
    const { start, end } = scriptRange(list);
    return { start: start + 1, end: end - 1, text: value };
  }
  const { start, end } = scriptRange(anchor);
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
  const { start, end } = scriptRange(element);
  const rest = text.slice(end, lineEnd(text, end));
  const further = rest.trim().replace(/^,/, "").trimStart();
  const isAlone = text.slice(lineStart(text, start), start).trim() === "" && /^(?:\/\/|$)/.test(further);
  if (isAlone) return removeLines(text, { start: lineStart(text, start), end: lineEnd(text, end) });
  const elements = list.elements.filter((each) => each !== null);
  const index = elements.indexOf(element as (typeof elements)[number]);
  const [previous, next] = [elements[index - 1], elements[index + 1]];
  if (next !== undefined) return { start, end: scriptRange(next).start, text: "" };
  return previous === undefined ? { start, end, text: "" } : { start: scriptRange(previous).end, end, text: "" };
}
