import type { ArrowFunctionExpression, FunctionExpression, MaybeNamedFunctionDeclaration } from "estree-jsx";
import type { Nodes } from "mdast";
import { PageProblem } from "./budget.ts";

/** A place in a page that `#id` refers to. */
export interface Anchor {
  id: string;
  /** A second id of the same place. */
  alias?: string | null;
  /** `heading` is in the page's outline; `component` is a titled Step, Tab and so on; `element` an explicit `id`. */
  kind: "heading" | "component" | "element";
  /** 1 to 6 for headings, 0 for the rest. */
  depth: number;
  text: string;
  /** From 1. */
  line: number;
}

/** A component or an HTML tag whose attributes are already evaluated. */
export interface ElementNode {
  kind: "element";
  name: string;
  props: ReadonlyMap<string, Value>;
  children: PageNode[];
  anchor: Anchor | null;
  line: number | null;
}

/** A Markdown node. `children` replaces the children of `node` and contains no more expressions. */
export interface MarkdownNode {
  kind: "markdown";
  node: Nodes;
  children: PageNode[];
  anchor: Anchor | null;
  line: number | null;
}

/** A page with snippets, variables and expressions resolved, ready to be printed. */
export type PageNode = ElementNode | MarkdownNode;

export function textNode(value: string): MarkdownNode {
  return { kind: "markdown", node: { type: "text", value }, children: [], anchor: null, line: null };
}

export function elementNode(name: string, children: PageNode[], props: Iterable<[string, Value]> = []): ElementNode {
  return { kind: "element", name, props: new Map(props), children, anchor: null, line: null };
}

/**
 * The possible values of an expression in a page. Markup is never a string: content is a class instance, which no expression
 * can forge with an object literal.
 */
export type Value = undefined | null | boolean | number | string | readonly Value[] | ValueMap | Content | Callable;

/** An object of the page. It has no prototype, so no key is special. */
export class ValueMap {
  readonly entries: ReadonlyMap<string, Value>;

  constructor(entries: Iterable<readonly [string, Value]>) {
    this.entries = new Map(entries);
  }
}

/** Evaluated JSX, or the children passed to a component. */
export class Content {
  readonly nodes: readonly PageNode[];

  constructor(nodes: readonly PageNode[]) {
    this.nodes = nodes;
  }
}

/** A function defined in the page. */
export class Closure {
  readonly node: ArrowFunctionExpression | FunctionExpression | MaybeNamedFunctionDeclaration;
  readonly scope: Scope;

  constructor(node: Closure["node"], scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** A snippet used as a component. */
export class SnippetComponent {
  readonly render: (props: ValueMap) => PageNode[];

  constructor(render: (props: ValueMap) => PageNode[]) {
    this.render = render;
  }
}

export type Callable = Closure | SnippetComponent;

export class Scope {
  readonly #names = new Map<string, Value>();
  readonly #parent: Scope | null;

  constructor(parent: Scope | null, names: Iterable<readonly [string, Value]> = []) {
    this.#parent = parent;
    for (const [name, value] of names) this.#names.set(name, value);
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#parent?.has(name) ?? false);
  }

  get(name: string): Value {
    return this.#names.has(name) ? this.#names.get(name) : this.#parent?.get(name);
  }

  set(name: string, value: Value): void {
    this.#names.set(name, value);
  }
}

export function isCallable(value: Value): value is Callable {
  return value instanceof Closure || value instanceof SnippetComponent;
}

/** The text of a value as React would print it: nothing for booleans and absent values. */
export function valueText(value: Value): string {
  let text = "";
  let items = 0;
  const open: Value[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    items += 1;
    if (items > 10_000 || text.length > 100_000) throw new PageProblem("a text grows beyond 100,000 characters");
    if (typeof next === "string") text += next;
    else if (typeof next === "number") text += String(next);
    else if (Array.isArray(next)) open.push(...(next as readonly Value[]).toReversed());
  }
  return text;
}
