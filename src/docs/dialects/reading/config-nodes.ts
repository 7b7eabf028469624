import type * as es from "estree-jsx";
import { nameOf, staticPath } from "#docs/evaluate/parse.ts";
import { Computed } from "./computed.ts";
import { ExportName, type NameScope, PackageName } from "./scope.ts";

/** Defines the names that an import declares. */
export function declareImport(node: es.ImportDeclaration, scope: NameScope): void {
  const source = String(node.source.value);
  const path = scope.imports.get(source);
  for (const specifier of node.specifiers) {
    const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
    const value =
      path === undefined
        ? new PackageName(computedAt(node, scope).place, { source, name })
        : new ExportName(path, name);
    scope.names.set(specifier.local.name, { value });
  }
}

export const computedAt = (node: es.Node, { path }: NameScope): Computed =>
  new Computed({ path, line: node.loc?.start.line ?? null });

export function keyOf(node: es.Node): string | null {
  return node.type === "Identifier" || node.type === "Literal" ? nameOf(node) : null;
}

export const isFixed = ({ computed, property }: es.MemberExpression): boolean =>
  !computed || property.type === "Literal";

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

/** `!text` */
export const isNegatedName = (node: es.Expression): boolean =>
  node.type === "UnaryExpression" && node.operator === "!" && node.argument.type === "Identifier";

/** `new Date().getFullYear()`, which is how copyrights name the year of the build. */
export const isThisYear = (node: es.Node): boolean =>
  node.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  keyOf(node.callee.property) === "getFullYear" &&
  node.callee.object.type === "NewExpression" &&
  node.callee.object.arguments.length === 0 &&
  staticPath(node.callee.object.callee) === "Date";
