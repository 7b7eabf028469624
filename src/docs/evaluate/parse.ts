import { Parser } from "acorn";
import jsx from "acorn-jsx";
import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";

const JsxParser = Parser.extend(jsx());

/** Null if there are only comments. Throws `PageProblem` unless it is a single JavaScript expression, JSX allowed. */
export function parseExpression(source: string): es.Expression | null {
  const [statement] = parseModule(`[${source}\n]`).body;
  const list = statement?.type === "ExpressionStatement" ? statement.expression : null;
  if (list?.type !== "ArrayExpression" || list.elements.length > 1) throw new PageProblem("it is not one expression");
  const [expression] = list.elements;
  if (expression === undefined) return null;
  if (expression === null || expression.type === "SpreadElement") throw new PageProblem("it is not an expression");
  return expression;
}

/** Throws `PageProblem`. */
export function parseModule(source: string): es.Program {
  try {
    return parseProgram(source);
  } catch (error) {
    throw new PageProblem(error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, "") : "it cannot be read");
  }
}

/** Throws `SyntaxError` with its place. */
export function parseProgram(source: string, { allowReturnOutsideFunction = false } = {}): es.Program {
  const options = { ecmaVersion: "latest", sourceType: "module", locations: true, allowReturnOutsideFunction } as const;
  return JsxParser.parse(source, options) as unknown as es.Program;
}

/** `a` or `a.b` as a string; null for anything else. */
export function staticPath(node: es.Node): string | null {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  return node.property.type === "Identifier" ? `${node.object.name}.${node.property.name}` : null;
}

export const nameOf = (node: es.Identifier | es.Literal): string =>
  node.type === "Identifier" ? node.name : String(node.value);
