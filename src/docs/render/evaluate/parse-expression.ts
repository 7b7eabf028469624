import { Parser } from "acorn";
import jsx from "acorn-jsx";
import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";

const JsxParser = Parser.extend(jsx());

/** Null if there are only comments. Throws `PageProblem` unless it is a single JavaScript expression, JSX allowed. */
export function parseExpression(source: string): es.Expression | null {
  const [statement] = parse(`[${source}\n]`).body;
  const list = statement?.type === "ExpressionStatement" ? statement.expression : null;
  if (list?.type !== "ArrayExpression" || list.elements.length > 1) throw new PageProblem("it is not one expression");
  const [expression] = list.elements;
  if (expression === undefined) return null;
  if (expression === null || expression.type === "SpreadElement") throw new PageProblem("it is not an expression");
  return expression;
}

export function parseModule(source: string): es.Program {
  return parse(source);
}

function parse(source: string): es.Program {
  try {
    return JsxParser.parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
    }) as unknown as es.Program;
  } catch (error) {
    throw new PageProblem(error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, "") : "it cannot be read");
  }
}
