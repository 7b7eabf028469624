import type { Nodes, Root } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import { nodesOf } from "#docs/nodes.ts";
import { decodeReferences } from "#docs/links/url-ranges.ts";
import { type HtmlToken, readHtml } from "#docs/markup/html-tokens.ts";
import { inspectFrontMatter, MAX_TEXT, type UnsafeMarkup } from "./unsafe-text.ts";
import { unsafeExpression, unsafeModule } from "./unsafe-code.ts";
import {
  ADDRESS,
  ASKS,
  type ElementAttribute,
  elementReasons,
  EMBEDDING,
  holdsWords,
  isAddressAttribute,
  isScriptAddress,
  type MarkupElement,
  SCRIPT,
  SPREAD,
  UNKNOWN_ATTRIBUTE,
  UNKNOWN_ELEMENT,
} from "./unsafe-element.ts";

const TAKES_IN = "Text that takes in another file may not be added";

/**
 * Markup of a parsed page that could run code in a reader's browser or in the build of a site. Docent's own renderer
 * drops all of it; another renderer of the same repository might not.
 */
export function inspectMarkup(root: Root, source: string, mayImport: (specifier: string) => boolean): UnsafeMarkup[] {
  const unsafe = inspectFrontMatter(source);
  for (const node of nodesOf(root)) {
    const { start, end } = node.position ?? {};
    const whole = () => source.slice(start?.offset ?? 0, end?.offset ?? 0);
    for (const { reason, part } of reasonsFor(node, mayImport)) {
      const key = `${reason}\n${part ?? whole()}`;
      unsafe.push({ line: start?.line ?? 1, reason, text: whole().slice(0, MAX_TEXT), key });
    }
  }
  return unsafe;
}

/** Addresses of links, images, definitions and attributes, as a browser would read them. */
export function addressesIn(root: Root): string[] {
  const addresses: string[] = [];
  for (const node of nodesOf(root)) {
    if (node.type === "link" || node.type === "image" || node.type === "definition") addresses.push(node.url);
    const elements =
      node.type === "html"
        ? tagsOf(readHtml(node.value, { readsAll: true }).tokens)
        : isJsx(node)
          ? [elementOf(node)]
          : [];
    for (const { attributes } of elements) for (const { text } of attributes) if (text !== null) addresses.push(text);
  }
  return addresses;
}

const isJsx = (node: Nodes): node is MdxJsxFlowElement | MdxJsxTextElement =>
  node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";

/** `part` is the piece of the markup at fault; null for all of it. */
interface Reason {
  reason: string;
  part: string | null;
}

function reasonsFor(node: Nodes, mayImport: (specifier: string) => boolean): Reason[] {
  switch (node.type) {
    case "link":
    case "image":
    case "definition":
      return isScriptAddress(node.url) ? [{ reason: ADDRESS, part: null }] : [];
    case "html":
      return [...htmlReasons(node.value), ...(TAKING_IN.test(node.value) ? [{ reason: TAKES_IN, part: null }] : [])];
    case "text":
      return TAKING_IN.test(node.value) ? [{ reason: TAKES_IN, part: node.value.trim() }] : [];
    case "code":
      // The code that draws a diagram follows its addresses.
      return node.lang === "mermaid" && /(?:javascript|vbscript)\s*:|\bclick\s+\S+\s+call\b/i.test(node.value)
        ? [{ reason: ADDRESS, part: null }]
        : [];
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return jsxReasons(node);
    case "mdxjsEsm":
      return unsafeModule(node.value, mayImport).map(({ reason, statement }) => ({ reason, part: statement }));
    case "mdxFlowExpression":
    case "mdxTextExpression": {
      const reason = unsafeExpression(node.value, { isAddress: false });
      return reason === null ? [] : [{ reason, part: null }];
    }
    default:
      return [];
  }
}

// Syntax with which VitePress, MkDocs, Jekyll and Markdown preprocessors include other files in a build, even `.env`.
const TAKING_IN =
  /^[ \t]*<<<[ \t]*[@./~]|@include:|^[ \t]*-{1,5}8<-{1,5}|\{%-?\s*(?:include|include_relative|import|extends|render)\s|^[ \t]*!?\[\[?@include|^\.\. (?:literal)?include::/m;

/** An attribute whose value readers see or hear. */
const LABEL = /^(?:title|alt|aria-label)$/i;

const withoutLabelNames = (attributes: readonly ElementAttribute[]) =>
  attributes.filter(({ name }) => !LABEL.test(name));

/** The key of an attribute for comparing tags: text for readers in a custom element does not count. */
function compared(element: string, attribute: ElementAttribute, reason: string): string {
  const { name, text, code } = attribute;
  const isUnknown = reason === UNKNOWN_ELEMENT || reason === UNKNOWN_ATTRIBUTE;
  if (isUnknown && holdsWords(element, attribute)) return name;
  // An attribute without a value has an empty one in HTML.
  return `${name}=${code === null ? JSON.stringify(text ?? "") : `{${code}}`}`;
}

type JsxAttribute = MdxJsxFlowElement["attributes"][number];

function elementOf({ name, attributes }: MdxJsxFlowElement | MdxJsxTextElement): MarkupElement {
  const named = attributes.filter((attribute) => attribute.type === "mdxJsxAttribute");
  return {
    name: name ?? "",
    attributes: named.map(({ name: attribute, value }): ElementAttribute => {
      const code = typeof value === "object" && value !== null ? value.value : null;
      return {
        name: attribute,
        text: typeof value === "string" ? decoded(value) : null,
        code,
        codeReason: code === null ? null : unsafeExpression(code, { isAddress: isAddressAttribute(attribute) }),
      };
    }),
  };
}

function jsxReasons(node: MdxJsxFlowElement | MdxJsxTextElement): Reason[] {
  const element = elementOf(node);
  const spreads = node.attributes.filter((attribute) => attribute.type === "mdxJsxExpressionAttribute");
  const reasons = spreads.map((spread): Reason => ({ reason: SPREAD, part: `${element.name} ${written(spread)}` }));
  for (const { reason, attribute } of elementReasons(element)) {
    // The content between its tags may matter (style), except in a frame.
    const part = attribute
      ? `${element.name} ${compared(element.name, attribute, reason)}`
      : reason === UNKNOWN_ELEMENT
        ? `${element.name} ${[...withoutLabelNames(element.attributes).map((each) => compared(element.name, each, reason)), ...spreads.map(written)].join(" ")}`
        : element.name === "iframe" || reason === ASKS
          ? `${element.name} ${withoutLabels(node)}`
          : null;
    reasons.push({ reason, part });
  }
  return reasons;
}

function written(attribute: JsxAttribute): string {
  if (attribute.type === "mdxJsxExpressionAttribute") return `{${attribute.value}}`;
  const { name, value } = attribute;
  return typeof value === "object" && value !== null ? `${name}={${value.value}}` : JSON.stringify([name, value]);
}

function withoutLabels({ attributes }: MdxJsxFlowElement | MdxJsxTextElement): string {
  const isLabel = (attribute: JsxAttribute) =>
    attribute.type === "mdxJsxAttribute" && LABEL.test(attribute.name) && typeof attribute.value === "string";
  return attributes
    .filter((attribute) => !isLabel(attribute))
    .map(written)
    .join(" ");
}

const UNCLEAR = "Markup that parsers read in different ways may not be added";
// Parsers agree on these: a slash in a tag is white space, `a < b` is text, a character reference is resolved or kept.
const CLEAR =
  /solidus-in-tag|invalid-first-character-of-tag-name|character-reference|control-character|noncharacter|null-character/;

const tagsOf = (tokens: readonly HtmlToken[]): (MarkupElement & { isComponent: boolean })[] =>
  tokens
    .filter((token) => token.kind === "open")
    .map(({ name, attributes }) => ({
      name: name.toLowerCase(),
      isComponent: /^[A-Z][\w.]*$/.test(name),
      attributes: attributes.map((attribute) => ({
        name: attribute.name.toLowerCase(),
        text: attribute.value ?? "",
        code: null,
        codeReason: null,
      })),
    }));

/** Reasons why raw HTML must not be added. An element whose content matters, such as a script, counts as a whole. */
function htmlReasons(value: string): Reason[] {
  // Elements that contain no tags, such as scripts and titles, are refused as a whole, by name.
  const { tokens, faults } = readHtml(value, { readsAll: true });
  const isClear = [...faults].every((fault) => CLEAR.test(fault));
  const reasons: Reason[] = isClear ? [] : [{ reason: UNCLEAR, part: null }];
  for (const tag of tagsOf(tokens)) {
    for (const { reason, attribute } of elementReasons(tag)) {
      const isWhole = attribute === null && (reason === SCRIPT || (reason === EMBEDDING && tag.name !== "iframe"));
      const shown = attribute === null ? withoutLabelNames(tag.attributes) : [attribute];
      const part = shown.map((each) => compared(tag.name, each, reason)).join(" ");
      reasons.push({ reason, part: isWhole ? null : `${tag.name} ${part}` });
    }
  }
  // One finding per reason and place.
  return [...new Map(reasons.map((found) => [`${found.reason}\n${found.part}`, found])).values()];
}

/** Decodes like an HTML parser: numeric references need no semicolon. */
const decoded = (text: string) =>
  decodeReferences(text.replace(/&#(x[0-9a-f]+(?![0-9a-f;])|\d+(?![0-9;]))/gi, "&#$1;"));
