import { type Budget, PageProblem } from "#docs/markup/budget.ts";
import { type Value, ValueMap, valueText } from "#docs/markup/page-nodes.ts";

interface Invocation {
  name: string;
  args: Value[];
  budget: Budget;
  /** Calls a function of the page. */
  call(callback: Value, args: Value[]): Value;
}

const MAX_ITEMS = 10_000;

/**
 * The methods that an expression may call, by the type of their receiver. Excluded are methods that can grow a string
 * (`repeat`, `padStart`), that take a regular expression, or that change their receiver.
 */
export function callMethod(receiver: Value, invocation: Invocation): Value {
  invocation.budget.step();
  if (typeof receiver === "string") return stringMethod(receiver, invocation);
  if (typeof receiver === "number") return numberMethod(receiver, invocation);
  if (Array.isArray(receiver)) return arrayMethod(receiver as readonly Value[], invocation);
  throw new PageProblem(`${invocation.name.slice(0, 40)}() cannot be called here`);
}

function stringMethod(text: string, { name, args, budget }: Invocation): Value {
  const [first, second] = args.map((value) => (typeof value === "string" ? value : valueText(value)));
  const at = (index: number) => (typeof args[index] === "number" ? args[index] : undefined);
  switch (name) {
    case "toUpperCase":
    case "toLocaleUpperCase":
      return budget.text(text.toUpperCase());
    case "toLowerCase":
    case "toLocaleLowerCase":
      return budget.text(text.toLowerCase());
    case "trim":
      return text.trim();
    case "trimStart":
      return text.trimStart();
    case "trimEnd":
      return text.trimEnd();
    case "toString":
      return text;
    case "slice":
      return budget.text(text.slice(at(0), at(1)));
    case "substring":
      return budget.text(text.substring(at(0) ?? 0, at(1)));
    case "charAt":
      return text.charAt(at(0) ?? 0);
    case "at":
      return text.at(at(0) ?? 0);
    case "includes":
      return text.includes(first ?? "");
    case "startsWith":
      return text.startsWith(first ?? "");
    case "endsWith":
      return text.endsWith(first ?? "");
    case "indexOf":
      return text.indexOf(first ?? "");
    case "replace":
      return budget.text(text.replace(first ?? "", () => second ?? ""));
    case "replaceAll":
      return budget.text(replaceAll(text, first ?? "", second ?? ""));
    case "split":
      return args[0] === undefined ? [text] : text.split(first ?? "", MAX_ITEMS);
    case "concat":
      return budget.text(text + args.map((value) => valueText(value)).join(""));
    default:
      throw new PageProblem(`${name.slice(0, 40)}() is not available for texts`);
  }
}

function replaceAll(text: string, from: string, to: string): string {
  const parts = text.split(from, MAX_ITEMS);
  const size = text.length + parts.length * to.length;
  if (size > 100_000) throw new PageProblem("a text grows beyond 100,000 characters");
  return parts.join(to);
}

function numberMethod(value: number, { name, args }: Invocation): Value {
  const digits = typeof args[0] === "number" ? args[0] : 0;
  if (name === "toFixed" && digits >= 0 && digits <= 20) return value.toFixed(digits);
  if (name === "toString" && args.length === 0) return String(value);
  if (name === "toLocaleString") return value.toLocaleString("en-US");
  throw new PageProblem(`${name.slice(0, 40)}() is not available for numbers`);
}

function arrayMethod(items: readonly Value[], { name, args, budget, call }: Invocation): Value {
  const [first] = args;
  const each = (item: Value, index: number) => {
    budget.step();
    return call(first, [item, index]);
  };
  switch (name) {
    case "map":
      return items.map(each);
    case "flatMap":
      return bounded(items.flatMap((item, index) => each(item, index)));
    case "filter":
      return items.filter((item, index) => isTruthy(each(item, index)));
    case "find":
      return items.find((item, index) => isTruthy(each(item, index)));
    case "findIndex":
      return items.findIndex((item, index) => isTruthy(each(item, index)));
    case "some":
      return items.some((item, index) => isTruthy(each(item, index)));
    case "every":
      return items.every((item, index) => isTruthy(each(item, index)));
    case "join":
      return budget.text(joinItems(items, first === undefined ? "," : valueText(first)));
    case "slice":
      return items.slice(typeof first === "number" ? first : 0, typeof args[1] === "number" ? args[1] : undefined);
    case "concat":
      return bounded(items.concat(...args.map((value) => (Array.isArray(value) ? (value as Value[]) : [value]))));
    case "includes":
      return items.includes(first);
    case "indexOf":
      return items.indexOf(first);
    case "at":
      return items.at(typeof first === "number" ? first : 0);
    case "reverse":
    case "toReversed":
      return items.toReversed();
    default:
      throw new PageProblem(`${name.slice(0, 40)}() is not available for lists`);
  }
}

function joinItems(items: readonly Value[], separator: string): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    text += (index === 0 ? "" : separator) + valueText(item);
    if (text.length > 100_000) throw new PageProblem("a text grows beyond 100,000 characters");
  }
  return text;
}

function bounded(items: Value[]): Value[] {
  if (items.length > MAX_ITEMS) throw new PageProblem(`a list grows beyond ${MAX_ITEMS} items`);
  return items;
}

/** `Object.keys(x)`, `Math.max(1, 2)` and a few more; undefined for any other function. */
export function safeFunction(path: string): ((args: Value[]) => Value) | undefined {
  return Object.hasOwn(FUNCTIONS, path) ? FUNCTIONS[path] : undefined;
}

// A component is shown as on its first render: with its initial state.
const firstState = ([initial]: Value[]): Value => [initial, undefined];

const FUNCTIONS: Record<string, (args: Value[]) => Value> = {
  useState: firstState,
  "React.useState": firstState,
  useCallback: ([callback]) => callback,
  "React.useCallback": ([callback]) => callback,
  useId: () => "id",
  useRef: ([initial]) => new ValueMap([["current", initial]]),
  "React.useRef": ([initial]) => new ValueMap([["current", initial]]),
  "Object.keys": ([map]) => entriesOf(map).map(([key]) => key),
  "Object.values": ([map]) => entriesOf(map).map(([, value]) => value),
  "Object.entries": ([map]) => entriesOf(map).map(([key, value]) => [key, value]),
  "Array.isArray": ([value]) => Array.isArray(value),
  "Math.max": (args) => Math.max(...args.map(Number)),
  "Math.min": (args) => Math.min(...args.map(Number)),
  "Math.round": ([value]) => Math.round(Number(value)),
  "Math.floor": ([value]) => Math.floor(Number(value)),
  "Math.ceil": ([value]) => Math.ceil(Number(value)),
  "Math.abs": ([value]) => Math.abs(Number(value)),
  String: ([value]) => (typeof value === "boolean" ? String(value) : valueText(value)),
  Number: ([value]) => (typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN),
  Boolean: ([value]) => isTruthy(value),
};

function entriesOf(value: Value): [string, Value][] {
  return value instanceof ValueMap ? [...value.entries] : [];
}

export function isTruthy(value: Value): boolean {
  return Boolean(value);
}
