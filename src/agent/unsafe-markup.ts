import type { Html, Nodes, Root } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import { decodeReferences } from "#content/url-ranges.ts";
import { isScriptAddress, unsafeExpression, unsafeModule } from "./unsafe-code.ts";

export interface UnsafeMarkup {
  line: number;
  reason: string;
  /** The whole piece of markup, at most 2,000 characters: two findings with the same text are the same. */
  text: string;
}

export interface MarkupInspection {
  unsafe: UnsafeMarkup[];
  /** Addresses as a browser would read them: of links, images, definitions and attributes. */
  urls: string[];
}

const SCRIPT = "A script element may not be added";
const EMBEDDING = "An embedding element may not be added";
const HANDLER = "An event handler may not be added";
const ADDRESS = "A script address may not be added";
const RAW = "Raw markup may not be added";
const SPREAD = "Attributes put together by code may not be added";

const EMBEDDING_ELEMENTS =
  /^(?:iframe|object|embed|applet|portal|frame|frameset|base|meta|link|form|style|template|noscript|foreignobject)$/;
const ADDRESS_ATTRIBUTES =
  /^(?:href|src|srcset|to|url|action|formaction|poster|data|cite|background|xlink:href|img|image)$/i;
const MAX_TEXT = 2_000;

/**
 * Markup of a parsed page that could run something in a reader's browser or in the build of a site. Docent's own
 * renderer drops all of it; another renderer of the same repository might not.
 */
export function inspectMarkup(root: Root, source: string): MarkupInspection {
  const found: MarkupInspection = { unsafe: [], urls: [] };
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const reason of reasonsFor(node, found.urls)) {
      const { start, end } = node.position ?? {};
      const text = source.slice(start?.offset ?? 0, end?.offset ?? 0).slice(0, MAX_TEXT);
      found.unsafe.push({ line: start?.line ?? 1, reason, text });
    }
    if ("children" in node) open.push(...(node.children as Nodes[]).toReversed());
  }
  return found;
}

function reasonsFor(node: Nodes, urls: string[]): string[] {
  switch (node.type) {
    case "link":
    case "image":
    case "definition":
      urls.push(node.url);
      return isScriptAddress(node.url) ? [ADDRESS] : [];
    case "html":
      return htmlReasons(node, urls);
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return elementReasons(node, urls);
    case "mdxjsEsm":
      return maybe(unsafeModule(node.value));
    case "mdxFlowExpression":
    case "mdxTextExpression":
      return maybe(unsafeExpression(node.value, { isAddress: false }));
    default:
      return [];
  }
}

const maybe = (reason: string | null): string[] => (reason === null ? [] : [reason]);

function elementReasons(node: MdxJsxFlowElement | MdxJsxTextElement, urls: string[]): string[] {
  const name = node.name ?? "";
  const reasons: string[] = [];
  if (/^script$/i.test(name)) reasons.push(SCRIPT);
  // A component may be called Link or Frame; an element may not.
  if (EMBEDDING_ELEMENTS.test(name)) reasons.push(EMBEDDING);
  for (const attribute of node.attributes) {
    if (attribute.type === "mdxJsxExpressionAttribute") {
      reasons.push(SPREAD);
      continue;
    }
    const { value } = attribute;
    const isElement = /^[a-z]/.test(name);
    if (isElement ? /^on/i.test(attribute.name) : /^on[A-Z]/.test(attribute.name)) reasons.push(HANDLER);
    if (/^(?:dangerouslySetInnerHTML|srcdoc)$/i.test(attribute.name)) reasons.push(RAW);
    if (typeof value === "string") {
      urls.push(decoded(value));
      if (isScriptAddress(decoded(value))) reasons.push(ADDRESS);
    } else if (value) {
      reasons.push(...maybe(unsafeExpression(value.value, { isAddress: ADDRESS_ATTRIBUTES.test(attribute.name) })));
    }
  }
  return reasons;
}

const TAG = /<([a-z][\w:-]*)/gi;
const HANDLER_ATTRIBUTE = /[\s"'/]on[a-z]{3,}\s*=/i;
const ATTRIBUTE_VALUE = /=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/g;

/** Raw HTML, as a browser would read it: tolerant, so the patterns are too. */
function htmlReasons({ value }: Html, urls: string[]): string[] {
  const reasons = new Set<string>();
  for (const [, name = ""] of value.matchAll(TAG)) {
    if (name.toLowerCase() === "script") reasons.add(SCRIPT);
    if (EMBEDDING_ELEMENTS.test(name.toLowerCase())) reasons.add(EMBEDDING);
  }
  if (HANDLER_ATTRIBUTE.test(value)) reasons.add(HANDLER);
  if (/\ssrcdoc\s*=/i.test(value)) reasons.add(RAW);
  for (const [, double, single, bare] of value.matchAll(ATTRIBUTE_VALUE)) {
    const address = decoded(double ?? single ?? bare ?? "");
    urls.push(address);
    if (isScriptAddress(address)) reasons.add(ADDRESS);
  }
  return [...reasons];
}

/** As an HTML parser does it: a number needs no semicolon. */
const decoded = (text: string) =>
  decodeReferences(text.replace(/&#(x[0-9a-f]+(?![0-9a-f;])|\d+(?![0-9;]))/gi, "&#$1;"));

// For pages that no parser reads, before and after: everything counts, code blocks too.
const PATTERNS: readonly [RegExp, string][] = [
  [/<\s*script\b/i, SCRIPT],
  [/<\s*(?:iframe|object|embed|base|meta|link|form|style)\b/i, EMBEDDING],
  [/<[^>]{0,500}[\s/"']on[a-z]{3,20}\s*=/i, HANDLER],
  [/(?:javascript|vbscript)\s*:|data:text\/html/i, ADDRESS],
  [/\bdangerouslySetInnerHTML\b|\bsrcDoc\s*=/i, RAW],
  [/^\s*(?:import|export)\b/, "Code in a page that cannot be read may not be added"],
];
const MAX_LINE = 20_000;

/** The same of a page that cannot be parsed, line by line. It errs on the side of finding. */
export function inspectLines(source: string): UnsafeMarkup[] {
  return source.split("\n").flatMap((full, index) => {
    const text = full.slice(0, MAX_LINE).trim();
    const reasons = PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, reason]) => reason);
    return reasons.map((reason) => ({ line: index + 1, reason, text: text.slice(0, MAX_TEXT) }));
  });
}
