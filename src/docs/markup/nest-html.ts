import { isKnownTag, isSvgTag, isVoidTag } from "./allowed-html.ts";
import { type ElementNode, type PageNode, type Value, textNode } from "./page-nodes.ts";
import type { HtmlToken } from "./html-tokens.ts";

/** Either a finished node or a piece of raw HTML between its siblings. */
export type HtmlItem = PageNode | { token: HtmlToken; written: string; line: number | null };

/** Tags that an opening tag closes implicitly, up to their list or table. */
const ENDS: Record<string, readonly string[]> = {
  li: ["li"],
  dt: ["dt", "dd"],
  dd: ["dt", "dd"],
  td: ["td", "th"],
  th: ["td", "th"],
  tr: ["tr"],
  p: ["p"],
};
const BOUNDARIES = new Set(["ul", "ol", "dl", "table", "div", "details", "blockquote", "section"]);

/** Tags whose missing end is visible in what follows them; components have names in upper case. */
const BLOCKS = new Set(["details", "summary", "table", "div", "center", "section", "blockquote", "ul", "ol"]);

/**
 * Moves siblings between `<div>` and `</div>` inside the element. A closing tag without an opening one is ignored; an
 * unclosed tag ends with its parent, so raw HTML never extends past its list or paragraph, and `onUnclosed` is called for a
 * block. An unclosed tag with a name that HTML does not know is text: the `<token>` of `Bearer <token>`.
 */
export function nestHtml(
  items: readonly HtmlItem[],
  onUnclosed: (line: number | null, message: string) => void = () => undefined,
): PageNode[] {
  const result: PageNode[] = [];
  const open: ElementNode[] = [];
  const closed = new Set<string>();
  for (const item of items) if ("token" in item && item.token.kind === "close") closed.add(tagName(item.token.name));
  const add = (node: PageNode) => (open.at(-1)?.children ?? result).push(node);
  for (const item of items) {
    if ("kind" in item) {
      add(item);
      continue;
    }
    const { token, line } = item;
    if (token.kind === "text") add(textNode(token.text));
    else if (token.kind === "close") closeTag(open, token.name);
    else {
      const name = tagName(token.name);
      if (!isKnownTag(name) && !token.selfClosing && !closed.has(name)) {
        add(textNode(item.written));
        continue;
      }
      endImplied(open, name);
      const element: ElementNode = {
        kind: "element",
        name,
        props: propsOf(token),
        children: [],
        anchor: null,
        line,
      };
      add(element);
      if (!token.selfClosing && !isVoidTag(name) && open.length < 200) open.push(element);
    }
  }
  for (const { name, line } of open)
    if (BLOCKS.has(name) || /^[A-Z]/.test(name))
      onUnclosed(
        line,
        `<${name}> is not closed, so everything after it on the page, or in its list item or quote, is inside it.`,
      );
  return result;
}

function closeTag(open: ElementNode[], written: string): void {
  const name = tagName(written);
  const index = open.findLastIndex((element) => element.name === name);
  if (index !== -1) open.length = index;
}

function endImplied(open: ElementNode[], name: string): void {
  const ended = Object.hasOwn(ENDS, name) ? ENDS[name] : undefined;
  if (!ended) return;
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const candidate = open[index]?.name ?? "";
    if (BOUNDARIES.has(candidate)) return;
    if (ended.includes(candidate)) {
      open.length = index;
      return;
    }
  }
}

/** The name of a raw HTML tag: components keep their case, HTML tags are in lower case, some SVG tags are in mixed case. */
export function tagName(written: string): string {
  return /^[A-Z][^]*[a-z]/.test(written) || isSvgTag(written) ? written : written.toLowerCase();
}

/** The attributes of a tag. In Markdown, a component's `cols={2}` is a text; a plain literal in braces is read as a value. */
export function propsOf(token: Extract<HtmlToken, { kind: "open" }>): Map<string, Value> {
  return new Map(token.attributes.map(({ name, value }) => [name, value === null ? true : plainValue(value)]));
}

function plainValue(written: string): Value {
  const literal = /^\{\s*(?:(\d{1,9})|(true|false)|"([^"]*)"|'([^']*)')\s*\}$/.exec(written);
  if (!literal) return written;
  const [, digits, flag, double, single] = literal;
  return digits !== undefined ? Number(digits) : flag !== undefined ? flag === "true" : (double ?? single);
}
