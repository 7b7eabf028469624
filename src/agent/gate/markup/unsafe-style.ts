import { Parser } from "acorn";

// The properties that pages may set: colors, sizes and text layout. None of them can move an element over another.
const PROPERTIES =
  /^(?:color|background|background-color|(?:border|outline)(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width|radius|collapse|spacing))?|border-(?:top|bottom)-(?:left|right)-radius|(?:margin|padding)(?:-(?:top|right|bottom|left|inline|block)(?:-(?:start|end))?)?|(?:max-|min-)?(?:width|height)|text-(?:align|decoration|transform|indent|wrap)|font(?:-(?:weight|size|style|family|variant))?|line-height|letter-spacing|vertical-align|display|flex(?:-(?:direction|wrap|grow|shrink|basis|flow))?|(?:row-|column-)?gap|(?:align|justify)-(?:items|content|self)|grid-template-(?:columns|rows)|grid-(?:column|row)|order|object-fit|aspect-ratio|float|clear|list-style(?:-type)?|white-space|word-break|overflow-wrap|overflow(?:-[xy])?|table-layout|columns|column-count|fill|stroke|stroke-width)$/;

const NUMBER = String.raw`\d{0,4}(?:\.\d{1,4})?(?:px|%|em|rem|ch|fr|pt|deg|s|ms)?`;
const WORD = String.raw`[a-z][a-z-]*`;
const VALUE_PART = String.raw`(?:${WORD}|#[0-9a-f]{3,8}|${NUMBER}|var\(--[\w-]+\)|'[\w -]+'|"[\w -]+"|(?:rgba?|hsla?|repeat|minmax)\([\w\s.,%/-]{1,80}\))`;
const VALUE = new RegExp(String.raw`^${VALUE_PART}(?:[ ,/]{1,3}${VALUE_PART}){0,12}$`, "i");
const MAX_PIXELS = 2_000;
const MAX_STYLE = 2_000;

/** Whether an inline style only sets allowed properties. Rejects comments, escapes, addresses and negative lengths. */
export function isPlainStyle(text: string): boolean {
  if (text.length > MAX_STYLE) return false;
  return text.split(";").every((declaration) => {
    if (declaration.trim() === "") return true;
    const colon = declaration.indexOf(":");
    return colon > 0 && isPlainDeclaration(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
  });
}

function isPlainDeclaration(property: string, value: string): boolean {
  const sizes = value.match(/\d+(?:\.\d+)?/g) ?? [];
  return (
    PROPERTIES.test(property.toLowerCase()) &&
    value.length <= 300 &&
    VALUE.test(value.replaceAll(/\s+/g, " ").replace(/ ?!important$/i, "")) &&
    !/(?:^|[\s,(])-[\d.]/.test(value) &&
    sizes.every((size) => Number(size) <= MAX_PIXELS)
  );
}

/** The same for the expression of `style={…}`: an object with literal names and values. */
export function isPlainStyleCode(code: string): boolean {
  const object = parseExpression(code);
  if (object?.type !== "ObjectExpression") return false;
  return (object["properties"] as SyntaxNode[]).every((property) => {
    const { key, value, computed } = property;
    if (property.type !== "Property" || computed === true || !isNode(key) || !isNode(value)) return false;
    const name = String(key.type === "Identifier" ? key["name"] : key["value"]);
    const text = value.type === "Literal" ? String(value["value"]) : templateText(value);
    return text !== null && isPlainDeclaration(name.replaceAll(/[A-Z]/g, "-$&"), text.trim());
  });
}

// `fixed` and similar classes in any variant; a class with CSS in brackets is judged by its property.
const POSITIONING = /^(?:fixed|absolute|sticky|inset(?:-.*)?)$/;
// Classes that draw a box over others: offsets, z-index, and large negative margins.
const SHIFTING = /^(?:(?:top|left|right|bottom|start|end|translate)-|-?z-(?!0$|auto$))/;
const LARGE_NEGATIVE = /^-m[trblxyse]?-(?:\d{3}|1[3-9]|[2-9]\d|px\d|full|screen)/;
const ARBITRARY =
  /^(?:[a-z0-9-]+:)*(?:min-w|max-w|min-h|max-h|w|h|size|text|bg|border|rounded|gap|gap-x|gap-y|p|px|py|pt|pb|pl|pr|m|mx|my|mt|mb|ml|mr|leading|tracking|basis|grid-cols|aspect)-\[(?:#[0-9a-fA-F]{3,8}|\d{1,4}(?:\.\d{1,3})?(?:px|%|em|rem|ch|fr)?|\d+\/\d+|var\(--[\w-]+\))\]$/;

/** Whether no class can cover the page. */
export function isPlainClasses(text: string): boolean {
  return text.split(/\s+/).every((name) => {
    if (/[^\w:./%@!-]/.test(name)) return ARBITRARY.test(name) && !/\d{5}/.test(name);
    const signed = (name.split(":").at(-1) ?? "").replace(/^!/, "").replace(/!$/, "");
    const utility = signed.replace(/^-+/, "");
    return !POSITIONING.test(utility) && !SHIFTING.test(utility) && !LARGE_NEGATIVE.test(signed);
  });
}

/** The same for an expression: a string, or a choice between strings. */
export function isPlainClassCode(code: string): boolean {
  const open: unknown[] = [parseExpression(code)];
  for (let at = 0; at < open.length && at < 100; at += 1) {
    const node = open[at];
    if (!isNode(node)) return false;
    if (node.type === "ConditionalExpression") open.push(node["consequent"], node["alternate"]);
    else {
      const text = node.type === "Literal" ? String(node["value"]) : templateText(node);
      if (text === null || !isPlainClasses(text)) return false;
    }
  }
  return open.length < 100;
}

/** A node of a JavaScript syntax tree. */
export type SyntaxNode = Record<string, unknown> & { type: string };

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

function parseExpression(code: string): SyntaxNode | null {
  if (code.length > MAX_STYLE) return null;
  try {
    const list = Parser.parseExpressionAt(`[${code}\n]`, 0, { ecmaVersion: "latest", sourceType: "module" });
    const items = (list as unknown as SyntaxNode)["elements"] as unknown[];
    return items.length === 1 && isNode(items[0]) ? items[0] : null;
  } catch {
    return null; // not JavaScript
  }
}

function templateText({ type, quasis }: SyntaxNode): string | null {
  if (type !== "TemplateLiteral" || !Array.isArray(quasis) || quasis.length !== 1) return null;
  const cooked = (quasis[0] as { value?: { cooked?: unknown } }).value?.cooked;
  return typeof cooked === "string" ? cooked : null;
}
