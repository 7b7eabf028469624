import { PageProblem } from "#docs/markup/budget.ts";
import { toNumber } from "./operators.ts";

/** What the methods need of the evaluation that calls them. */
export interface Calling {
  call(callback: unknown, args: readonly unknown[]): unknown;
  /** The value; refused where it is not known. */
  known<T>(value: T): T;
  text(value: unknown): string;
  spend<T>(made: T): T;
  entriesOf(value: unknown): Iterable<readonly [string, unknown]>;
}

interface Method {
  name: string;
  args: readonly unknown[];
}

const MAX_ITEMS = 10_000;

/**
 * The methods that an expression may call, by the type of their receiver. Excluded are methods that can grow a string
 * (`repeat`, `padStart`), that take a regular expression, or that change their receiver.
 */
export function callMethod(receiver: unknown, method: Method, calling: Calling): unknown {
  if (typeof receiver === "string") return stringMethod(receiver, method, calling);
  if (typeof receiver === "number") return numberMethod(receiver, method);
  if (Array.isArray(receiver)) return arrayMethod(calling.spend(receiver as unknown[]), method, calling);
  throw new PageProblem(`${method.name.slice(0, 40)}() cannot be called here`);
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

function stringMethod(text: string, { name, args }: Method, { spend, text: textOf }: Calling): unknown {
  const [first, second] = args.map(textOf);
  const [from = 0, to] = args.map(numberOf);
  switch (name) {
    case "toUpperCase":
    case "toLocaleUpperCase":
      return spend(text.toUpperCase());
    case "toLowerCase":
    case "toLocaleLowerCase":
      return spend(text.toLowerCase());
    case "trim":
      return text.trim();
    case "trimStart":
      return text.trimStart();
    case "trimEnd":
      return text.trimEnd();
    case "toString":
      return text;
    case "slice":
      return spend(text.slice(from, to));
    case "substring":
      return spend(text.substring(from, to));
    case "charAt":
      return text.charAt(from);
    case "at":
      return text.at(from);
    case "includes":
      return text.includes(first ?? "");
    case "startsWith":
      return text.startsWith(first ?? "");
    case "endsWith":
      return text.endsWith(first ?? "");
    case "indexOf":
      return text.indexOf(first ?? "");
    case "replace":
      return spend(text.replace(first ?? "", () => second ?? ""));
    case "replaceAll":
      return spend(replaceAll(text, first ?? "", second ?? ""));
    case "split":
      return first === undefined ? [text] : text.split(first, MAX_ITEMS);
    case "concat":
      return spend(text + args.map(textOf).join(""));
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

function numberMethod(value: number, { name, args }: Method): string {
  const digits = numberOf(args[0]) ?? 0;
  if (name === "toFixed" && digits >= 0 && digits <= 20) return value.toFixed(digits);
  if (name === "toString" && args.length === 0) return String(value);
  if (name === "toLocaleString") return value.toLocaleString("en-US");
  throw new PageProblem(`${name.slice(0, 40)}() is not available for numbers`);
}

function arrayMethod(items: readonly unknown[], { name, args }: Method, calling: Calling): unknown {
  const { known, spend } = calling;
  const [first] = args;
  const each = (item: unknown, index: number) => calling.call(first, [item, index]);
  const isMatch = (item: unknown, index: number) => Boolean(known(each(item, index)));
  switch (name) {
    case "map":
      return items.map(each);
    case "flatMap":
      return items.flatMap((item, index) => spend(each(item, index)));
    case "filter":
      return items.filter((item, index) => Boolean(each(item, index)));
    case "find":
      return items.find(isMatch);
    case "findIndex":
      return items.findIndex(isMatch);
    case "some":
      return items.some(isMatch);
    case "every":
      return items.every(isMatch);
    case "join":
      return spend(joinItems(items, first === undefined ? "," : calling.text(first), calling));
    case "slice":
      return items.slice(numberOf(first) ?? 0, numberOf(args[1]));
    case "concat":
      return items.concat(...args.map((value) => spend(Array.isArray(value) ? (value as unknown[]) : [value])));
    case "includes":
      return items.map(known).includes(known(first));
    case "indexOf":
      return items.map(known).indexOf(known(first));
    case "at":
      return items.at(numberOf(first) ?? 0);
    case "reverse":
    case "toReversed":
      return items.toReversed();
    default:
      throw new PageProblem(`${name.slice(0, 40)}() is not available for lists`);
  }
}

function joinItems(items: readonly unknown[], separator: string, { text: textOf }: Calling): string {
  let text = "";
  for (const [index, item] of items.entries()) {
    text += (index === 0 ? "" : separator) + textOf(item ?? "");
    if (text.length > 100_000) throw new PageProblem("a text grows beyond 100,000 characters");
  }
  return text;
}

type Func = (args: readonly unknown[], calling: Calling) => unknown;

/** `Object.keys(x)`, `Math.max(1, 2)` and a few more; undefined for any other function. */
export function safeFunction(path: string): Func | undefined {
  return Object.hasOwn(FUNCTIONS, path) ? FUNCTIONS[path] : undefined;
}

const FUNCTIONS: Record<string, Func> = {
  "Object.keys": ([map], { entriesOf }) => Array.from(entriesOf(map), ([key]) => key),
  "Object.values": ([map], { entriesOf }) => Array.from(entriesOf(map), ([, value]) => value),
  "Object.entries": ([map], { entriesOf }) => Array.from(entriesOf(map), ([key, value]) => [key, value]),
  "Array.isArray": ([value]) => Array.isArray(value),
  "Math.max": (args) => Math.max(...args.map(toNumber)),
  "Math.min": (args) => Math.min(...args.map(toNumber)),
  "Math.round": ([value]) => Math.round(toNumber(value)),
  "Math.floor": ([value]) => Math.floor(toNumber(value)),
  "Math.ceil": ([value]) => Math.ceil(toNumber(value)),
  "Math.abs": ([value]) => Math.abs(toNumber(value)),
  String: ([value], { text }) => text(value),
  Number: ([value]) => (typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN),
  Boolean: ([value]) => Boolean(value),
};
