import type { Nodes, Parent, Root } from "mdast";
import { isMap, isScalar, parseDocument } from "yaml";
import { readFrontMatter } from "#content/front-matter.ts";
import { headingWordsEnd } from "./markdown-text.ts";
import { scanTag } from "./tag-scanner.ts";

/** Where a reader meets a piece of text, which decides how new text must be written there. */
export type TextPlace = "prose" | "attribute" | "link-title" | "image-alt" | "front-matter" | "html" | "code";

/** A range of the raw source, `end` excluded, in which readers' words stand. */
export interface TextSpan {
  start: number;
  end: number;
  place: TextPlace;
}

export const FRONT_MATTER_KEYS = ["title", "description", "sidebarTitle", "og:title", "og:description"];
const ATTRIBUTES = new Set([
  'title', 'label', 'alt', 'description', 'caption', 'tip', 'headline', 'heading', 'subtitle', 'tooltip', 'cta',
  'header', 'summary', 'aria-label', 'aria-description',
]); // prettier-ignore
/** Their `header` names a field of an interface, not a heading. */
const FIELD_COMPONENTS = new Set(["ParamField", "ResponseField", "Param"]);
const OPAQUE_HTML = /^(?:script|style|pre|code|kbd|samp|svg|math|textarea)$/i;

/**
 * The parts of a page that a reader sees as words: prose, image texts, link titles, the visible attributes of
 * components and the describing values of the front matter. With `code`, also code blocks and inline code.
 * Spans do not overlap and come in the order of the source.
 */
export function visibleText(source: string, root: Root, options: { code?: boolean } = {}): TextSpan[] {
  const spans: TextSpan[] = [];
  const visit = (node: Nodes): void => {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    switch (node.type) {
      case "yaml":
        spans.push(...frontMatterSpans(source));
        return;
      case "text":
        spans.push({ start, end, place: "prose" });
        return;
      case "inlineCode":
      case "code":
        if (options.code) spans.push({ start, end, place: "code" });
        return;
      case "html":
        spans.push(...htmlSpans(source, { start, end }));
        return;
      case "image":
      case "imageReference":
        spans.push(...imageSpans(source, { start, end }, node.type === "image" ? (node.title ?? null) : null));
        return;
      case "link":
        if (source[start] !== "[") return; // an address that is its own text
        break;
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement": {
        spans.push(...attributeSpans(source, start));
        if (node.name !== null && OPAQUE_HTML.test(node.name)) {
          if (options.code) spans.push({ start, end, place: "code" });
          return;
        }
        break;
      }
      default:
    }
    const before = spans.length;
    if ("children" in node) for (const child of node.children) visit(child);
    if (node.type === "heading") {
      const wordsEnd = headingWordsEnd(source, node) ?? end;
      for (const span of spans.splice(before)) spans.push({ ...span, end: Math.min(span.end, wordsEnd) });
    }
    if (node.type === "link" && node.title) spans.push(...titleSpan(source, lastChildEnd(node) ?? start, end));
    if (node.type === "definition" && node.title) spans.push(...titleSpan(source, start, end));
  };
  visit(root);
  return withoutOverlaps(spans);
}

function frontMatterSpans(source: string): TextSpan[] {
  const { range, problem } = readFrontMatter(source);
  if (range === null || problem !== null) return [];
  const document = parseDocument(source.slice(range.start, range.end), { logLevel: "silent", prettyErrors: false });
  if (!isMap(document.contents)) return [];
  const spans: TextSpan[] = [];
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !FRONT_MATTER_KEYS.includes(String(key.value))) continue;
    if (!isScalar(value) || typeof value.value !== "string" || !value.range) continue;
    spans.push({ start: range.start + value.range[0], end: range.start + value.range[1], place: "front-matter" });
  }
  return spans;
}

function attributeSpans(source: string, start: number): TextSpan[] {
  const tag = scanTag(source, start);
  if (tag === null) return [];
  const isField = FIELD_COMPONENTS.has(tag.name);
  const spans: TextSpan[] = [];
  for (const { name, value } of tag.attributes) {
    if (value === null || !ATTRIBUTES.has(name) || (isField && name === "header")) continue;
    if (value.kind === "string") spans.push({ start: value.start, end: value.end, place: "attribute" });
    if (value.kind !== "expression") continue;
    const raw = source.slice(value.start, value.end);
    const literal = /^\s*(["'`])([^"'`\\$\n]*)\1\s*$/.exec(raw);
    if (literal === null) continue;
    const from = value.start + raw.indexOf(literal[1] ?? "") + 1;
    spans.push({ start: from, end: from + (literal[2] ?? "").length, place: "attribute" });
  }
  return spans;
}

function imageSpans(source: string, { start, end }: { start: number; end: number }, title: string | null): TextSpan[] {
  const close = closingBracket(source, start + 1, end);
  if (!source.startsWith("![", start) || close === null) return [];
  const alt: TextSpan = { start: start + 2, end: close, place: "image-alt" };
  return [alt, ...(title === null ? [] : titleSpan(source, close, end))].filter((span) => span.start < span.end);
}

/** The quoted title at the end of `](address "title")` or `[id]: address "title"`, searched for between two offsets. */
function titleSpan(source: string, from: number, end: number): TextSpan[] {
  const raw = source.slice(from, end).replace(/\s*\)?\s*$/, "");
  const quote = raw.at(-1) ?? "";
  const open = raw.lastIndexOf(quote === ")" ? "(" : quote, raw.length - 2);
  if (!/["')]/.test(quote) || open < 1 || !/\s/.test(raw[open - 1] ?? "")) return [];
  return [{ start: from + open + 1, end: from + raw.length - 1, place: "link-title" }];
}

/** Offset of the `]` that matches the `[` at `open`; escapes are stepped over. */
export function closingBracket(source: string, open: number, end: number): number | null {
  let depth = 0;
  for (let at = open; at < end; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (character === "[") depth += 1;
    else if (character === "]") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return null;
}

// A block of HTML in plain Markdown is one node, with its texts and tags inside.
function htmlSpans(source: string, { start, end }: { start: number; end: number }): TextSpan[] {
  const spans: TextSpan[] = [];
  let opaque: string | null = null;
  let at = start;
  while (at < end) {
    const open = source.indexOf("<", at);
    const textEnd = open === -1 || open > end ? end : open;
    if (opaque === null && textEnd > at) spans.push({ start: at, end: textEnd, place: "html" });
    if (textEnd === end) break;
    if (source.startsWith("<!--", open)) {
      const close = source.indexOf("-->", open + 4);
      if (close === -1 || close > end) break;
      at = close + 3;
      continue;
    }
    const closing = /^<\/([A-Za-z][\w-]*)\s*>/.exec(source.slice(open, Math.min(end, open + 100)));
    if (closing) {
      if (closing[1]?.toLowerCase() === opaque) opaque = null;
      at = open + closing[0].length;
      continue;
    }
    const tag = /[A-Za-z]/.test(source[open + 1] ?? "") ? scanTag(source, open) : null;
    if (tag === null || tag.end > end) break; // not a tag that can be understood: the rest stays as it is
    if (opaque === null) {
      spans.push(...attributeSpans(source, open));
      if (OPAQUE_HTML.test(tag.name) && source[tag.end - 2] !== "/") opaque = tag.name.toLowerCase();
    }
    at = tag.end;
  }
  return spans;
}

function lastChildEnd(node: Parent): number | undefined {
  return node.children.at(-1)?.position?.end.offset;
}

function withoutOverlaps(spans: TextSpan[]): TextSpan[] {
  const sorted = spans.filter((span) => span.start < span.end).sort((a, b) => a.start - b.start);
  let last = -1;
  return sorted.filter((span) => {
    if (span.start < last) return false;
    last = span.end;
    return true;
  });
}
