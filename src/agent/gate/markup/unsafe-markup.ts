import type { Nodes, Root } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";
import { readFrontMatter } from "#docs/front-matter.ts";
import { decodeReferences } from "#docs/links/url-ranges.ts";
import { readHtmlTags } from "./html-tags.ts";
import { namedStringsIn } from "./linked-hosts.ts";
import { unsafeExpression, unsafeModule } from "./unsafe-code.ts";
import {
  ADDRESS,
  ASKS,
  type ElementAttribute,
  elementReasons,
  EMBEDDING,
  HANDLER,
  isAddressAttribute,
  isScriptAddress,
  type MarkupElement,
  RAW,
  SCRIPT,
  SPREAD,
  UNKNOWN_ELEMENT,
} from "./unsafe-element.ts";

export interface UnsafeMarkup {
  line: number;
  reason: string;
  /** The whole piece of markup, at most 2,000 characters. */
  text: string;
  /** Two findings with the same key are the same: the words around and inside of what could run may differ. */
  key: string;
}

const TAKES_IN = "Text that takes in another file may not be added";
const MAX_TEXT = 2_000;

/**
 * Markup of a parsed page that could run something in a reader's browser or in the build of a site. Docent's own
 * renderer drops all of it; another renderer of the same repository might not.
 */
export function inspectMarkup(root: Root, source: string, mayImport: (specifier: string) => boolean): UnsafeMarkup[] {
  const unsafe = inspectFrontMatter(source);
  for (const node of walk(root)) {
    const { start, end } = node.position ?? {};
    const whole = () => source.slice(start?.offset ?? 0, end?.offset ?? 0);
    for (const { reason, part } of reasonsFor(node, mayImport)) {
      const key = `${reason}\n${part ?? whole()}`;
      unsafe.push({ line: start?.line ?? 1, reason, text: whole().slice(0, MAX_TEXT), key });
    }
  }
  return unsafe;
}

/** Addresses as a browser would read them: of links, images, definitions and attributes. */
export function addressesIn(root: Root): string[] {
  const addresses: string[] = [];
  for (const node of walk(root)) {
    if (node.type === "link" || node.type === "image" || node.type === "definition") addresses.push(node.url);
    const elements = node.type === "html" ? readHtmlTags(node.value).tags : isJsx(node) ? [elementOf(node)] : [];
    for (const { attributes } of elements) for (const { text } of attributes) if (text !== null) addresses.push(text);
  }
  return addresses;
}

function* walk(root: Root): Iterable<Nodes> {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ("children" in node) open.push(...(node.children as Nodes[]).toReversed());
  }
}

const isJsx = (node: Nodes): node is MdxJsxFlowElement | MdxJsxTextElement =>
  node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";

/** `part` is the piece of the markup that is at fault; null when all of it is. */
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
      // A diagram is drawn by code that follows its addresses.
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

// How VitePress, MkDocs, Jekyll and Markdown preprocessors take in other files while they build, `.env` too.
const TAKING_IN =
  /^[ \t]*<<<[ \t]*[@./~]|@include:|^[ \t]*-{1,5}8<-{1,5}|\{%-?\s*(?:include|include_relative|import|extends|render)\s|^[ \t]*!?\[\[?@include|^\.\. (?:literal)?include::/m;

/** An attribute that readers see or hear as text. */
const LABEL = /^(?:title|alt|aria-label)$/i;

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
    // What stands between its tags may count (style), but for a frame.
    const part = attribute
      ? `${element.name} ${attribute.name}=${attribute.code === null ? JSON.stringify(attribute.text) : `{${attribute.code}}`}`
      : element.name === "iframe" || reason === ASKS || reason === UNKNOWN_ELEMENT
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

/** What of raw HTML may not be added. What runs by the text between its tags counts as a whole. */
function htmlReasons(value: string): Reason[] {
  const { tags, unclear } = readHtmlTags(value);
  const reasons: Reason[] = unclear === null ? [] : [{ reason: UNCLEAR, part: null }];
  for (const tag of tags) {
    for (const { reason, attribute } of elementReasons(tag)) {
      const isWhole = attribute === null && (reason === SCRIPT || (reason === EMBEDDING && tag.name !== "iframe"));
      const shown = attribute === null ? tag.attributes.filter(({ name }) => !LABEL.test(name)) : [attribute];
      const part = shown.map(({ name, text }) => `${name}=${JSON.stringify(text)}`).join(" ");
      reasons.push({ reason, part: isWhole ? null : `${tag.name} ${part}` });
    }
  }
  // Once for each reason and place.
  return [...new Map(reasons.map((found) => [`${found.reason}\n${found.part}`, found])).values()];
}

/** As an HTML parser does it: a number needs no semicolon. */
const decoded = (text: string) =>
  decodeReferences(text.replace(/&#(x[0-9a-f]+(?![0-9a-f;])|\d+(?![0-9;]))/gi, "&#$1;"));

/** Values that a theme or another renderer may print as they are, or follow. */
function inspectFrontMatter(source: string): UnsafeMarkup[] {
  // Builds look for it after a byte order mark and blank lines too.
  const text = source.trimStart();
  const other = OTHER_LANGUAGE.exec(text);
  if (other) return [frontMatterFinding(IN_OTHER_LANGUAGE, other[0])];
  const { attributes } = readFrontMatter(text);
  const values = Object.entries(attributes).filter(([name, value]) => !isPlainValue(name, value));
  return [
    ...unsafeTexts(namedStringsIn(attributes)).map(({ reason, text: value }) => frontMatterFinding(reason, value)),
    ...values.map(([name, value]) => frontMatterFinding(LOADS, `${name}: ${JSON.stringify(value)}`)),
  ];
}

const frontMatterFinding = (reason: string, text: string): UnsafeMarkup => ({
  line: 1,
  reason,
  text: text.slice(0, MAX_TEXT),
  key: `${reason}\n${text}`,
});

const IN_OTHER_LANGUAGE = "Front matter in another language than YAML may not be added";
// `---js` is run by builds that read front matter by the language after the dashes.
const OTHER_LANGUAGE = /^(?:---+[ \t]*[^\s-][^\n]{0,200}|\+\+\+|;;;)/;
const LOADS =
  "Front matter that a generator may load code or tags from may not be added (take it out; a page gets its address by its place or a redirect)";
// What generators load or print as code. A word without a dot or slash names a layout of theirs.
const LOADING =
  /^(?:head|heads|scripts?|styles?|css|js|layout|template|component|components|import|imports|aside|meta|extra.*|plugins?|render.*|eval.*|data|pagination|permalink|computed|eleventy.*)$/i;
// Nested values of these are texts and addresses, judged one by one.
const NESTED =
  /^(?:tags?|keywords?|categories|authors?|sidebar|hero|features|actions|seo|og|twitter|openapi|api|asyncapi|groups|related|links|prev|next|toc|outline|contextual|aliases|redirect_from|search|metadata|banner|badge|icon)$/i;

function isPlainValue(name: string, value: unknown): boolean {
  if (LOADING.test(name)) {
    return value === null || typeof value === "boolean" || (typeof value === "string" && /^[\w-]*$/.test(value));
  }
  if (typeof value !== "object" || value === null || NESTED.test(name)) return true;
  return namedStringsIn(value).every((inner) => !LOADING.test(inner.name) && /^[^<>{}:/\\]*$/.test(inner.text));
}

// "JavaScript: the basics" is a title, and never followed.
const LABEL_NAMES =
  /(?:title|description|name|group|tab|tags|anchor|dropdown|label|text|content|keywords?|summary|header)$/i;

/** Texts of a configuration that would run if they were printed or followed. `name`: the property that each stands in. */
export function unsafeTexts(texts: readonly { name: string; text: string }[]): { reason: string; text: string }[] {
  return texts.flatMap(({ name, text }) => {
    if (!LABEL_NAMES.test(name) && isScriptAddress(text)) return [{ reason: ADDRESS, text }];
    return PRINTED.filter(([pattern]) => pattern.test(text)).map(([, reason]) => ({ reason, text }));
  });
}

const PRINTED: readonly [RegExp, string][] = [
  [/<\s*script\b/i, SCRIPT],
  [/<\s*(?:iframe|object|embed|base|meta|link|form|style)\b/i, EMBEDDING],
  [/<[^>]{0,500}[\s/"']on[a-z]{3,20}\s*=/i, HANDLER],
  [/\]\(\s*(?:javascript|vbscript)\s*:/i, ADDRESS],
];

// For pages that no parser reads, before and after: everything counts, code blocks too.
const PATTERNS: readonly [RegExp, string][] = [
  ...PRINTED,
  [/(?:javascript|vbscript)\s*:|data:text\/html/i, ADDRESS],
  [/\bdangerouslySetInnerHTML\b|\bsrcDoc\s*=/i, RAW],
  [/<\s*(?:input|textarea)\b|\bformaction\s*=/i, ASKS],
  [/^\s*(?:import|export)\b/, "Code in a page that cannot be read may not be added"],
];
const MAX_LINE = 20_000;

/** The same of a page that cannot be parsed, line by line. It errs on the side of finding. */
export function inspectLines(source: string): UnsafeMarkup[] {
  return source.split("\n").flatMap((full, index) => {
    const text = full.slice(0, MAX_LINE).trim();
    const reasons = new Set(PATTERNS.filter(([pattern]) => pattern.test(text)).map(([, reason]) => reason));
    return [...reasons].map((reason) => ({
      line: index + 1,
      reason,
      text: text.slice(0, MAX_TEXT),
      key: `${reason}\n${text}`,
    }));
  });
}
