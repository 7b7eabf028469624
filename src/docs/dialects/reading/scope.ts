import type * as es from "estree-jsx";
import { Computed, memberOf } from "./computed.ts";

/** A name of a program. Its value is computed on first use, once. */
export type Binding = { value: unknown } | { compute(): unknown; isOpen?: boolean };

export interface NameScope {
  path: string;
  names: Map<string, Binding>;
  parent: NameScope | null;
  imports: ReadonlyMap<string, string>;
}

/** A function of the configuration's own files. */
export class LocalFunction extends Computed {
  readonly node: es.MaybeNamedFunctionDeclaration | es.FunctionExpression | es.ArrowFunctionExpression;
  readonly scope: NameScope;

  constructor(node: LocalFunction["node"], scope: NameScope) {
    super({ path: scope.path, line: node.loc?.start.line ?? null });
    this.node = node;
    this.scope = scope;
  }
}

/** A name that is imported from a package. */
export class PackageName extends Computed {
  readonly source: string;
  readonly name: string;

  constructor(place: Computed["place"], { source, name }: { source: string; name: string }) {
    super(place);
    this.source = source;
    this.name = name;
  }
}

/** A name that another file exports, looked up on use because files may import each other. */
export class ExportName {
  readonly path: string;
  readonly name: string;

  constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
  }
}

/** Declares the names of a pattern, each of which has its part of one value. */
export function bindPattern(pattern: es.Pattern, names: NameScope["names"], compute: () => unknown): void {
  if (pattern.type === "Identifier") names.set(pattern.name, { compute });
  if (pattern.type === "AssignmentPattern") bindPattern(pattern.left, names, compute);
  if (pattern.type !== "ObjectPattern") return;
  for (const property of pattern.properties) {
    if (property.type !== "Property") continue;
    const key = keyOf(property.key) ?? "";
    bindPattern(property.value, names, () => memberOf(compute(), key));
  }
}

export const nameOf = (node: es.Identifier | es.Literal): string =>
  node.type === "Identifier" ? node.name : String(node.value);

export function keyOf(node: es.Node): string | null {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" ? String(node.value) : null;
}

/** The text of a title that is written as JSX: `<b>Start</b>`. */
export function elementText(node: es.JSXElement | es.JSXFragment, value: (node: es.Node) => unknown): string {
  const parts = node.children.map((child) => {
    if (child.type === "JSXText") return child.value;
    if (child.type === "JSXElement" || child.type === "JSXFragment") return elementText(child, value);
    const inner = child.type === "JSXExpressionContainer" ? value(child.expression) : null;
    return typeof inner === "string" ? inner : "";
  });
  return parts.join("").replaceAll(/\s+/g, " ").replaceAll(/&\w+;/g, "").trim();
}

/** The name of an environment variable in `process.env.NAME`; null for every other member. */
export function environmentName({ object, property }: es.MemberExpression): string | null {
  const isEnvironment =
    object.type === "MemberExpression" &&
    object.object.type === "Identifier" &&
    object.object.name === "process" &&
    keyOf(object.property) === "env";
  return isEnvironment ? keyOf(property) : null;
}
