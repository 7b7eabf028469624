import type { Html, Nodes, Root } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import { decodeReferences } from "#content/url-ranges.ts";
import { isScriptAddress, unsafeExpression, unsafeModule } from "./unsafe-code.ts";

export interface UnsafeMarkup {
  line: number;
  reason: string;
  /** The whole piece of markup, at most 2,000 characters. */
  text: string;
  /** Two findings with the same key are the same: the words around and inside of what could run may differ. */
  key: string;
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
    const { start, end } = node.position ?? {};
    const whole = () => source.slice(start?.offset ?? 0, end?.offset ?? 0);
    for (const { reason, part } of reasonsFor(node, found.urls)) {
      const key = `${reason}\n${part ?? whole()}`;
      found.unsafe.push({ line: start?.line ?? 1, reason, text: whole().slice(0, MAX_TEXT), key });
    }
    if ("children" in node) open.push(...(node.children as Nodes[]).toReversed());
  }
  return found;
}

/** `part` is what of the markup the reason lies in; null when it is all of it. */
interface Reason {
  reason: string;
  part: string | null;
}

function reasonsFor(node: Nodes, urls: string[]): Reason[] {
  switch (node.type) {
    case "link":
    case "image":
    case "definition":
      urls.push(node.url);
      return isScriptAddress(node.url) ? [{ reason: ADDRESS, part: null }] : [];
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

const maybe = (reason: string | null, part: string | null = null): Reason[] =>
  reason === null ? [] : [{ reason, part }];

/** An attribute that readers see or hear as text. */
const LABEL = /^(?:title|alt|aria-label)$/i;

function elementReasons(node: MdxJsxFlowElement | MdxJsxTextElement, urls: string[]): Reason[] {
  const name = node.name ?? "";
  const reasons: Reason[] = [];
  if (/^script$/i.test(name)) reasons.push({ reason: SCRIPT, part: null });
  // A component may be called Link or Frame; an element may not. What stands between its tags may count (style).
  if (EMBEDDING_ELEMENTS.test(name)) {
    reasons.push({ reason: EMBEDDING, part: name === "iframe" ? `iframe ${withoutLabels(node)}` : null });
  }
  for (const attribute of node.attributes) {
    const part = `${name} ${written(attribute)}`;
    if (attribute.type === "mdxJsxExpressionAttribute") {
      reasons.push({ reason: SPREAD, part });
      continue;
    }
    const { value } = attribute;
    const isElement = /^[a-z]/.test(name);
    if (isElement ? /^on/i.test(attribute.name) : /^on[A-Z]/.test(attribute.name))
      reasons.push({ reason: HANDLER, part });
    if (/^(?:dangerouslySetInnerHTML|srcdoc)$/i.test(attribute.name)) reasons.push({ reason: RAW, part });
    if (typeof value === "string") {
      urls.push(decoded(value));
      if (isScriptAddress(decoded(value))) reasons.push({ reason: ADDRESS, part });
    } else if (value) {
      const reason = unsafeExpression(value.value, { isAddress: ADDRESS_ATTRIBUTES.test(attribute.name) });
      reasons.push(...maybe(reason, part));
    }
  }
  return reasons;
}

type Attribute = MdxJsxFlowElement["attributes"][number];

function written(attribute: Attribute): string {
  if (attribute.type === "mdxJsxExpressionAttribute") return `{${attribute.value}}`;
  const { name, value } = attribute;
  return typeof value === "object" && value !== null ? `${name}={${value.value}}` : JSON.stringify([name, value]);
}

function withoutLabels({ attributes }: MdxJsxFlowElement | MdxJsxTextElement): string {
  const isLabel = (attribute: Attribute) =>
    attribute.type === "mdxJsxAttribute" && LABEL.test(attribute.name) && typeof attribute.value === "string";
  return attributes
    .filter((attribute) => !isLabel(attribute))
    .map(written)
    .join(" ");
}

const TAG = /<([a-z][\w:-]*)/gi;
const HANDLER_ATTRIBUTE = /[\s"'/]on[a-z]{3,}\s*=/i;
const ATTRIBUTE_VALUE = /=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/g;

/** Raw HTML, as a browser would read it: tolerant, so the patterns are too. */
function htmlReasons({ value }: Html, urls: string[]): Reason[] {
  const reasons = new Set<string>();
  let embedded = "";
  for (const [, name = ""] of value.matchAll(TAG)) {
    if (name.toLowerCase() === "script") reasons.add(SCRIPT);
    if (!EMBEDDING_ELEMENTS.test(name.toLowerCase())) continue;
    reasons.add(EMBEDDING);
    embedded = embedded === "" || embedded === name.toLowerCase() ? name.toLowerCase() : "several";
  }
  if (HANDLER_ATTRIBUTE.test(value)) reasons.add(HANDLER);
  if (/\ssrcdoc\s*=/i.test(value)) reasons.add(RAW);
  for (const [, double, single, bare] of value.matchAll(ATTRIBUTE_VALUE)) {
    const address = decoded(double ?? single ?? bare ?? "");
    urls.push(address);
    if (isScriptAddress(address)) reasons.add(ADDRESS);
  }
  // With nothing else in it that could run, an iframe is the same whatever it is called.
  const isFrame = reasons.size === 1 && embedded === "iframe";
  const part = isFrame ? value.replaceAll(/\s(?:title|alt|aria-label)="[^"<>]*"/gi, "") : null;
  return [...reasons].map((reason) => ({ reason, part }));
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
    return reasons.map((reason) => ({
      line: index + 1,
      reason,
      text: text.slice(0, MAX_TEXT),
      key: `${reason}\n${text}`,
    }));
  });
}
