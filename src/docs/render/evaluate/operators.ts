import type * as es from "estree-jsx";
import { type Budget, PageProblem } from "#docs/markup/budget.ts";
import { type Value, isCallable, valueText } from "#docs/markup/page-nodes.ts";

export function unaryOperation(operator: es.UnaryOperator, value: Value): Value {
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
      return isCallable(value) ? "function" : value instanceof Object || value === null ? "object" : typeof value;
    default:
      throw new PageProblem(`the operator ${operator} does not run here`);
  }
}

export function binaryOperation(operator: es.BinaryOperator, [left, right]: [Value, Value], budget: Budget): Value {
  switch (operator) {
    case "+":
      return typeof left === "string" || typeof right === "string"
        ? budget.text(asText(left) + asText(right))
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

/** A value as JavaScript concatenates it to a string. Objects are not converted: they have no text. */
export function asText(value: Value): string {
  if (typeof value === "boolean" || value === null || value === undefined) return String(value);
  return valueText(value);
}

/** Below zero, zero, above zero; NaN when the two cannot be compared. */
function order(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return toNumber(left) - toNumber(right);
}

function toNumber(value: Value): number {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return Number(value);
  return value === null ? 0 : Number.NaN;
}
