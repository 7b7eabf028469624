import { posix } from "node:path";
import type * as es from "estree-jsx";
import { Computed } from "./computed.ts";
import { LocalFunction } from "./scope.ts";

type Operation = es.UnaryExpression | es.BinaryExpression | es.LogicalExpression;

/** Operators whose result depends only on strings, numbers and booleans. */
export function operate(
  node: Operation,
  { value, computed }: { value(node: es.Node): unknown; computed(): Computed },
): unknown {
  if (node.type === "UnaryExpression") {
    const operand = value(node.argument);
    if (operand instanceof Computed) return computed();
    if (node.operator === "!") return !operand;
    if (node.operator === "-" && typeof operand === "number") return -operand;
    return node.operator === "void" ? undefined : computed();
  }
  const left = value(node.left);
  if (node.type === "LogicalExpression") {
    if (left instanceof Computed) return node.operator === "&&" ? computed() : left;
    const isLeft =
      node.operator === "&&" ? !left : node.operator === "||" ? Boolean(left) : left !== null && left !== undefined;
    return isLeft ? left : value(node.right);
  }
  const right = value(node.right);
  if (left instanceof Computed || right instanceof Computed) return computed();
  if (node.operator === "===" || node.operator === "==") return left === right;
  if (node.operator === "!==" || node.operator === "!=") return left !== right;
  const isPlain = [left, right].every((each) => typeof each === "string" || typeof each === "number");
  if (node.operator !== "+" || !isPlain) return computed();
  return typeof left === "number" && typeof right === "number"
    ? left + right
    : `${String(left)}${String(right)}`.slice(0, 100_000);
}

/** The size of a value, in steps of the evaluation, for copying it. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return value.length / 20;
  return typeof value === "object" && value !== null && !(value instanceof Computed) ? Object.keys(value).length : 1;
}

interface Means {
  affords(values: readonly unknown[]): boolean;
  computed(): Computed;
}

export function templateText(
  node: es.TemplateLiteral,
  values: readonly unknown[],
  { affords, computed }: Means,
): unknown {
  // A value that is undefined here, mostly an environment variable, is defined where the site is built.
  const isPlain = values.every((value) => ["string", "number", "boolean"].includes(typeof value));
  if (!isPlain || !affords(values)) return computed();
  return node.quasis
    .map(({ value: { cooked, raw } }, index) => (cooked ?? raw) + (index < values.length ? String(values[index]) : ""))
    .join("");
}

interface MethodCall {
  object: unknown;
  name: string;
  args: readonly unknown[];
}

/** Methods that configurations use to build lists, texts and paths. */
export function callKnownMethod(
  { object, name, args }: MethodCall,
  { call, affords, computed }: Means & { call(target: LocalFunction, args: readonly unknown[]): unknown },
): unknown {
  const [first] = args;
  if (Array.isArray(object)) {
    const list = object as unknown[];
    if (!affords([list, ...list, ...args])) return computed();
    if (name === "concat") return list.concat(...(args as unknown[]));
    if (name === "join" && list.every((each) => typeof each === "string"))
      return list.join(typeof first === "string" ? first : ",");
    if (name === "filter" && !(first instanceof LocalFunction))
      return list.filter((each) => each instanceof Computed || Boolean(each));
    if (first instanceof LocalFunction) {
      if (name === "map") return list.map((each, index) => call(first, [each, index]));
      if (name === "flatMap") {
        return list.flatMap((each, index) => {
          const made = call(first, [each, index]);
          return affords([made]) ? made : [];
        });
      }
      if (name === "filter") return list.filter((each, index) => Boolean(call(first, [each, index])));
    }
    return computed();
  }
  // `path.join(__dirname, "docs")`, whatever the local name of the module.
  const isPath = object instanceof Computed && (name === "join" || name === "resolve");
  return isPath && args.every((each) => typeof each === "string") ? posix.join(...(args as string[])) : computed();
}
