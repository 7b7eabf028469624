import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";

export function unaryOperation(operator: es.UnaryOperator, value: unknown): unknown {
  switch (operator) {
    case "!":
      return !value;
    case "-":
      return -toNumber(value);
    case "+":
      return toNumber(value);
    case "void":
      return undefined;
    case "typeof":
      return value === null ? "object" : typeof value;
    default:
      throw new PageProblem(`the operator ${operator} does not run here`);
  }
}

export function binaryOperation(
  operator: es.BinaryOperator,
  [left, right]: [unknown, unknown],
  text: (value: unknown) => string,
): unknown {
  switch (operator) {
    case "+":
      return typeof left === "string" || typeof right === "string"
        ? text(left) + text(right)
        : toNumber(left) + toNumber(right);
    case "-":
      return toNumber(left) - toNumber(right);
    case "*":
      return toNumber(left) * toNumber(right);
    case "/":
      return toNumber(left) / toNumber(right);
    case "%":
      return toNumber(left) % toNumber(right);
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "==":
      return left === right || ((left ?? null) === null && (right ?? null) === null);
    case "!=":
      return left !== right && !((left ?? null) === null && (right ?? null) === null);
    case "<":
      return order(left, right) < 0;
    case ">":
      return order(left, right) > 0;
    case "<=":
      return order(left, right) <= 0;
    case ">=":
      return order(left, right) >= 0;
    default:
      throw new PageProblem(`the operator ${operator} does not run here`);
  }
}

/** Below zero, zero, above zero; NaN when the two cannot be compared. */
function order(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return toNumber(left) - toNumber(right);
}

/** As JavaScript converts it; objects are not converted. */
export function toNumber(value: unknown): number {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return Number(value);
  return value === null ? 0 : Number.NaN;
}
