import type * as es from "estree-jsx";
import { PageProblem } from "#docs/markup/budget.ts";
import { type Scope, type Value, ValueMap } from "#docs/markup/page-nodes.ts";

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** Rejects the names that give access to JavaScript's own objects, wherever they are used. */
export function checkName(name: string): void {
  if (FORBIDDEN.has(name)) throw new PageProblem(`the name ${name} is not allowed`);
}

/** A name that the page defined. */
export function lookUp(name: string, scope: Scope): Value {
  if (scope.has(name)) return scope.get(name);
  if (name === "undefined") return undefined;
  throw new PageProblem(`${name.slice(0, 60)} is not defined in this page`);
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

/** `a` or `a.b` as a string; null for anything else. */
export function staticPath(node: es.Expression | es.Super): string | null {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  return node.property.type === "Identifier" ? `${node.object.name}.${node.property.name}` : null;
}
