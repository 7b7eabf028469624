import { Parser } from "acorn";
import jsx from "acorn-jsx";
import {
  ADDRESS,
  CALLED_UNSEEN,
  type ElementAttribute,
  elementReasons,
  isAddressAttribute,
  isScriptAddress,
  SPREAD,
} from "./unsafe-element.ts";
import { isNode, type SyntaxNode } from "./unsafe-style.ts";

const JsxParser = Parser.extend(jsx());
const MAX_LENGTH = 200_000;

/** A statement in a page's code that must not be added. */
export interface UnsafeStatement {
  reason: string;
  /** The statement, verbatim. */
  statement: string;
}

/**
 * The imports and exports of a page that must not be added: those that do more than define values, and imports that
 * `mayImport` refuses. A build of another platform runs such code with its own privileges.
 */
export function unsafeModule(source: string, mayImport: (specifier: string) => boolean): UnsafeStatement[] {
  const program = parse(source);
  if (program === null) return [{ reason: UNREADABLE_CODE, statement: source }];
  const body = Array.isArray(program["body"]) ? (program["body"] as unknown[]).filter(isNode) : [];
  return body.flatMap((node) => {
    const reason = importReason(node, mayImport) ?? reasonIn(node, { source, forbidsJoining: true });
    return reason === null ? [] : [{ reason, statement: textOf(node, source) }];
  });
}

/** Why an expression in braces must not be added, or null. `isAddress` if its value is fetched or followed. */
export function unsafeExpression(source: string, { isAddress }: { isAddress: boolean }): string | null {
  const wrapped = `[${source}\n]`;
  const program = parse(wrapped);
  return program === null ? UNREADABLE_CODE : reasonIn(program, { source: wrapped, forbidsJoining: isAddress });
}

/** The same for text after an opening brace, with the end of the expression; null for words. */
export function unsafeExpressionAt(source: string): { reason: string; end: number } | null {
  try {
    const { end } = JsxParser.parseExpressionAt(source, 0, { ecmaVersion: "latest", sourceType: "module" });
    const reason = unsafeExpression(source.slice(0, end), { isAddress: false });
    return reason === null ? null : { reason, end };
  } catch {
    return null;
  }
}

export const UNREADABLE_CODE = "Code that cannot be read may not be added";
const RUNS = "Code that runs may not be added";
const FOREIGN = "An import may name only files of the docs that are there";
const JOINED = "An address put together by code may not be added";

// Nodes that only define, name or show a value. An allowlist, so that future JavaScript syntax is refused.
const HARMLESS: ReadonlySet<string> = new Set([
  "ArrayExpression", "BinaryExpression", "BlockStatement", "ChainExpression", "ConditionalExpression", "EmptyStatement", "ExportAllDeclaration",
  "ExportDefaultDeclaration", "ExportNamedDeclaration", "ExportSpecifier", "ExpressionStatement", "Identifier",
  "ImportAttribute", "ImportDeclaration", "ImportDefaultSpecifier", "ImportNamespaceSpecifier", "ImportSpecifier",
  "JSXAttribute", "JSXClosingElement", "JSXClosingFragment", "JSXElement", "JSXEmptyExpression", "JSXExpressionContainer",
  "JSXFragment", "JSXIdentifier", "JSXMemberExpression", "JSXNamespacedName", "JSXOpeningElement", "JSXOpeningFragment",
  "JSXSpreadAttribute", "JSXText", "Literal", "LogicalExpression", "MemberExpression", "ObjectExpression",
  "ParenthesizedExpression", "PrivateIdentifier", "Program", "Property", "SequenceExpression", "SpreadElement",
  "TemplateElement", "TemplateLiteral", "UnaryExpression", "VariableDeclaration", "VariableDeclarator",
]); // oxfmt-ignore

// Globals of builds and browsers: reading them can reveal secrets, and a component that is one of their functions is
// called when it is rendered.
const GLOBALS: ReadonlySet<string> = new Set([
  "alert", "arguments", "AsyncFunction", "Buffer", "Bun", "confirm", "Deno", "document", "eval", "exports", "fetch", "frames", "Function",
  "global", "globalThis", "importScripts", "localStorage", "location", "module", "navigator", "Object", "opener", "parent", "process",
  "Promise", "prompt", "Proxy", "queueMicrotask", "Reflect", "requestAnimationFrame", "require", "self", "sessionStorage",
  "setImmediate", "setInterval", "setTimeout", "Symbol", "top", "WebAssembly", "window", "Worker",
]); // oxfmt-ignore
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(["constructor", "prototype", "__proto__"]);

function parse(source: string): SyntaxNode | null {
  if (source.length > MAX_LENGTH) return null;
  try {
    return JsxParser.parse(source, { ecmaVersion: "latest", sourceType: "module" }) as unknown as SyntaxNode;
  } catch {
    return null; // not JavaScript, or nested too deeply for the stack
  }
}

function importReason(node: SyntaxNode, mayImport: (specifier: string) => boolean): string | null {
  const { source, attributes } = node;
  if (!isNode(source)) return null;
  const hasAttributes = Array.isArray(attributes) && attributes.length > 0;
  return hasAttributes || !mayImport(String(source["value"])) ? FOREIGN : null;
}

interface Code {
  source: string;
  forbidsJoining: boolean;
}

function reasonIn(start: SyntaxNode, { source, forbidsJoining }: Code): string | null {
  const open: { value: unknown; isAddress: boolean }[] = [{ value: start, isAddress: forbidsJoining }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { value, isAddress } = entry;
    if (Array.isArray(value)) for (const item of value as unknown[]) open.push({ value: item, isAddress });
    else if (isNode(value)) {
      const reason = reasonAt(value, { source, forbidsJoining: isAddress });
      if (reason !== null) return reason;
      const joins = isAddress || (value.type === "JSXAttribute" && isAddressAttribute(nameOf(value["name"])));
      for (const [name, part] of Object.entries(value)) {
        if (isNameOnly(value, name)) continue;
        if (typeof part === "object" && part !== null) open.push({ value: part, isAddress: joins });
      }
    }
  }
  return null;
}

function reasonAt(node: SyntaxNode, { source, forbidsJoining }: Code): string | null {
  if (!HARMLESS.has(node.type) || accessesGlobals(node)) return RUNS;
  if (node.type === "Literal" && typeof node["value"] === "string" && isScriptAddress(node["value"])) return ADDRESS;
  if (node.type === "TemplateLiteral" && isScriptAddress(templateText(node))) return ADDRESS;
  if (node.type === "JSXSpreadAttribute") return SPREAD;
  if (node.type === "JSXOpeningElement") return elementReason(node, source);
  if (!forbidsJoining) return null;
  const isJoined = node.type === "BinaryExpression" && node["operator"] === "+";
  const isTemplate =
    node.type === "TemplateLiteral" && Array.isArray(node["expressions"]) && node["expressions"].length > 0;
  return isJoined || isTemplate ? JOINED : null;
}

/** Whether a part of a node is a plain name and not a reference: `b` in `a.b` and in `{b: 1}`. */
const isNameOnly = (node: SyntaxNode, part: string): boolean =>
  node["computed"] !== true &&
  ((node.type === "MemberExpression" && part === "property") ||
    (node.type === "Property" && part === "key" && node["shorthand"] !== true));

/** Whether a node accesses a global, or defines a method that JavaScript calls implicitly. */
function accessesGlobals(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Identifier":
      return GLOBALS.has(nameOf(node));
    case "JSXMemberExpression":
      return GLOBALS.has(rootOf(node)) || PROTOTYPE_KEYS.has(nameOf(node["property"]));
    case "MemberExpression":
      return PROTOTYPE_KEYS.has(keyOf(node["property"]));
    case "Property":
      // The value of a computed name is unknown: `[Symbol.toPrimitive]`, `["to" + "String"]`.
      return node["computed"] === true || CALLED_UNSEEN.has(keyOf(node["key"]));
    case "JSXAttribute":
      return CALLED_UNSEEN.has(nameOf(node["name"]));
    default:
      return false;
  }
}

/** `a` of `<a.b.c>`. */
function rootOf(node: SyntaxNode): string {
  let inner: unknown = node;
  while (isNode(inner) && inner.type === "JSXMemberExpression") inner = inner["object"];
  return nameOf(inner);
}

/** The name of a property key, which may be a string literal. */
const keyOf = (node: unknown): string =>
  isNode(node) && node.type === "Literal" ? String(node["value"]) : nameOf(node);

/** A tag in code is judged like one in the page. The walk visits the expressions in its braces separately. */
function elementReason(node: SyntaxNode, source: string): string | null {
  const attributes = (Array.isArray(node["attributes"]) ? (node["attributes"] as unknown[]) : [])
    .filter(isNode)
    .filter(({ type }) => type === "JSXAttribute")
    .map((attribute): ElementAttribute => {
      const { value } = attribute;
      const isText = isNode(value) && value.type === "Literal";
      return {
        name: nameOf(attribute["name"]),
        text: isText ? String(value["value"]) : null,
        code: isNode(value) && !isText ? textOf(insideBraces(value), source) : null,
        codeReason: null,
      };
    });
  return elementReasons({ name: nameOf(node["name"]), attributes })[0]?.reason ?? null;
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "JSXNamespacedName") return `${nameOf(node["namespace"])}:${nameOf(node["name"])}`;
  // A component's own component: `Tabs.Tab`.
  return node.type === "JSXMemberExpression" ? "Member" : String(node["name"]);
}

function templateText({ quasis }: SyntaxNode): string {
  if (!Array.isArray(quasis)) return "";
  const values = (quasis as { value?: { cooked?: unknown } }[]).map(({ value }) => value?.cooked);
  return values.map((cooked) => (typeof cooked === "string" ? cooked : "")).join("");
}

const insideBraces = (value: SyntaxNode) =>
  value.type === "JSXExpressionContainer" && isNode(value["expression"]) ? value["expression"] : value;

const textOf = (node: SyntaxNode, source: string) => source.slice(Number(node["start"]), Number(node["end"]));
