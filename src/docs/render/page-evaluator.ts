import type * as es from "estree-jsx";
import { type Budget, PageProblem } from "#docs/markup/budget.ts";
import { Interpreter } from "#docs/evaluate/interpreter.ts";
import { staticPath } from "#docs/evaluate/parse.ts";
import { Closure, Scope, type Value, ValueMap, valueText } from "#docs/markup/page-nodes.ts";

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** Turns JSX inside an expression into content; provided by the expander. */
type EvaluateJsx = (element: es.JSXElement | es.JSXFragment, scope: Scope) => Value;

/** Evaluates expressions of a page: all that it does not define is refused, and what it builds is counted. */
export class PageEvaluator extends Interpreter<Scope> {
  readonly #budget: Budget;
  readonly #jsx: EvaluateJsx;

  constructor(budget: Budget, evaluateJsx: EvaluateJsx) {
    super();
    this.#budget = budget;
    this.#jsx = evaluateJsx;
  }

  override evaluate(node: es.Node, scope: Scope): Value {
    if (node.type === "Literal" && typeof node.value === "number" && isRounded(node.raw ?? "", node.value))
      throw new PageProblem(`JavaScript rounds the number ${node.raw}: write it in quotation marks`);
    const tested = node.type === "UnaryExpression" && node.operator === "typeof" ? node.argument : null;
    if (tested?.type === "Identifier" && !scope.has(tested.name)) return "undefined";
    return super.evaluate(node, scope) as Value;
  }

  override call(callee: unknown, args: readonly unknown[]): Value {
    // A page may pass on functions for later, such as handlers of events.
    if (callee instanceof Closure && (callee.node.async === true || callee.node.generator === true))
      throw new PageProblem("async functions and generators do not run here");
    return super.call(callee, args) as Value;
  }

  override step(): void {
    this.#budget.step();
  }

  override spend<T>(made: T): T {
    if (typeof made === "string") this.#budget.text(made);
    if (Array.isArray(made)) for (const _item of made) this.#budget.step();
    return made;
  }

  override isKnown(): boolean {
    return true;
  }

  override text(value: unknown): string {
    if (typeof value === "boolean" || value === null || value === undefined) return String(value);
    return valueText(value as Value);
  }

  override isDefined(name: string, scope: Scope): boolean {
    return scope.has(name);
  }

  override lookUp({ name }: es.Identifier, scope: Scope): Value {
    if (scope.has(name)) return scope.get(name);
    if (name === "undefined") return undefined;
    throw new PageProblem(`${name.slice(0, 60)} is not defined in this page`);
  }

  override define(name: string, compute: () => unknown, scope: Scope): void {
    scope.set(name, compute() as Value);
  }

  override innerScope(scope: Scope): Scope {
    return new Scope(scope);
  }

  override object(entries: Iterable<readonly [string, unknown]>): ValueMap {
    const map = new ValueMap(entries as Iterable<readonly [string, Value]>);
    for (const name of map.entries.keys()) checkName(name);
    return map;
  }

  override entriesOf(value: unknown): Iterable<readonly [string, unknown]> {
    return value instanceof ValueMap ? value.entries : [];
  }

  override itemsOf(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) throw new PageProblem("only lists can be spread here");
    return value as unknown[];
  }

  override own(value: unknown, name: string): Value {
    return ownProperty(value as Value, name);
  }

  override closure(node: Closure["node"], scope: Scope): Closure {
    return new Closure(node, scope);
  }

  override functionOf(value: unknown): Closure | null {
    return value instanceof Closure ? value : null;
  }

  override element(node: es.JSXElement | es.JSXFragment, scope: Scope): Value {
    return this.#jsx(node, scope);
  }

  // Effects run after a page is shown, and are the only statements whose value is unused.
  override isWithoutResult(node: es.Statement): boolean {
    if (node.type !== "ExpressionStatement") return node.type === "EmptyStatement";
    const path = node.expression.type === "CallExpression" ? staticPath(node.expression.callee) : null;
    return /^(?:React\.)?use(?:Layout)?Effect$/.test(path ?? "");
  }

  // A component is shown as on its first render.
  override builtIn(path: string): ReturnType<Interpreter<Scope>["builtIn"]> {
    switch (path.replace(/^React\./, "")) {
      case "useState":
        return ([initial]) => [initial, undefined];
      case "useCallback":
        return ([callback]) => callback;
      case "useMemo":
        return ([make]) => this.call(make, []);
      case "useId":
        return () => "id";
      case "useRef":
        return ([initial]) => this.object([["current", initial]]);
      default:
        return super.builtIn(path);
    }
  }
}

/** Whether a whole number is shown with other digits than its author wrote, or as 1e+21. */
function isRounded(written: string, value: number): boolean {
  const digits = written.replaceAll("_", "");
  if (!/^(?:[1-9]\d*|0[box][\da-f]+)$/i.test(digits)) return false;
  // BigInt is slow with very many digits, whose number is infinite.
  return !Number.isFinite(value) || BigInt(digits).toString() !== String(value);
}

/** Rejects the names that give access to JavaScript's own objects, wherever they are used. */
function checkName(name: string): void {
  if (FORBIDDEN.has(name)) throw new PageProblem(`the name ${name} is not allowed`);
}

/** Properties that the page defines; nothing that JavaScript adds. */
export function ownProperty(object: Value, name: string): Value {
  checkName(name);
  if (object instanceof ValueMap) return object.entries.get(name);
  if (typeof object === "string" || Array.isArray(object)) {
    const list = object as string | readonly Value[];
    if (name === "length") return list.length;
    return /^\d{1,6}$/.test(name) ? list[Number(name)] : undefined;
  }
  return undefined;
}
