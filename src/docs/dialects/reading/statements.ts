import type * as es from "estree-jsx";
import { Computed } from "./computed.ts";

/** Declarations are read beforehand; the others have no result. A configuration that builds does not throw. */
const WITHOUT_RESULT = new Set([
  "VariableDeclaration",
  "FunctionDeclaration",
  "ClassDeclaration",
  "ExpressionStatement",
  "EmptyStatement",
  "ThrowStatement",
]);

/** The statements that run as part of another; null where only running it would decide: loops, `switch`. */
export function innerStatements(node: es.Statement, value: (node: es.Node) => unknown): readonly es.Statement[] | null {
  if (node.type === "BlockStatement") return node.body;
  if (node.type === "TryStatement") return node.block.body;
  if (node.type !== "IfStatement") return WITHOUT_RESULT.has(node.type) ? [] : null;
  const test = value(node.test);
  const branch = test instanceof Computed || !test ? node.alternate : node.consequent;
  return branch ? [branch] : [];
}
