import { nodeRange } from "#docs/nodes.ts";
import type { Nodes, Parent, Root } from "mdast";
import { isMap, isScalar, parseDocument } from "yaml";
import { componentNamed } from "#docs/components/registry.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { type DollarFormulas, type FormulaRange, formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import { headingWordsEnd } from "#chores/edits/markdown-text.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { scanTag, textRange } from "#docs/markup/jsx-tag.ts";
import { tagName } from "#docs/markup/nest-html.ts";

/** The kind of place of a visible text, which decides how new text must be written there. */
export type TextPlace =
  | "prose"
  | "attribute"
  | "link-title"
  | "image-alt"
  | "front-matter"
  | "html"
  | "code"
  | "mail-target";

/** A range of the raw source, `end` excluded, with visible words. */
export interface TextSpan {
  start: number;
  end: number;
  place: TextPlace;
}

export const FRONT_MATTER_KEYS = ["title", "description", "sidebarTitle", "og:title", "og:description"];
/** Attributes with visible text in HTML tags and in a page's own components. */
const ATTRIBUTES = new Set(
  "title label alt description caption tip headline heading subtitle tooltip cta header summary aria-label aria-description".split(
    " ",
  ),
);
const OPAQUE_HTML = /^(?:script|style|pre|code|kbd|samp|svg|math|textarea)$/i;

interface SpanOptions {
  code?: boolean;
  /** How this site treats single dollars. */
  formulas?: DollarFormulas | undefined;
}

/**
 * The parts of a page that readers see as words: prose, image texts, link titles, the visible attributes of components and
 * the descriptive values of the front matter. With `code`, also code blocks and inline code. Spans do not overlap and are in
 * the order of the source.
 */
export function shownSpans(source: string, root: Root, options: SpanOptions = {}): TextSpan[] {
  const spans: TextSpan[] = [];
  const visit = (node: Nodes): void => {
    const range = nodeRange(node);
    if (range === null) return;
    const { start, end } = range;
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
    if ("children" in node) visitAll(node.children);
    if (node.type === "heading") {
      const wordsEnd = headingWordsEnd(source, node) ?? end;
      for (const span of spans.splice(before)) spans.push({ ...span, end: Math.min(span.end, wordsEnd) });
    }
    if (node.type === "link" && node.title) spans.push(...titleSpan(source, lastChildEnd(node) ?? start, end));
    if (node.type === "definition" && node.title) spans.push(...titleSpan(source, start, end));
  };
  /** In plain Markdown `<kbd>` and `</kbd>` are siblings of the nodes between them. */
  const visitAll = (nodes: readonly Nodes[]): void => {
    const lastClose = new Map<string, number>();
    for (const [index, node] of nodes.entries())
      if (node.type === "html" && node.value.startsWith("</")) lastClose.set(node.value.toLowerCase(), index);
    let opaque: string | null = null;
    for (const [index, node] of nodes.entries()) {
      const tag = node.type === "html" ? /^<(\/?)([a-z]+)(?:[^a-z>][^>]*)?>$/i.exec(node.value) : null;
      const name = tag?.[2]?.toLowerCase() ?? "";
      if (opaque === null) visit(node);
      else if (options.code && node.type === "text") visitCode(node);
      if (tag?.[1] === "/" && name === opaque) opaque = null;
      else if (tag?.[1] === "" && opaque === null && OPAQUE_HTML.test(name))
        opaque = (lastClose.get(`</${name}>`) ?? -1) > index ? name : null;
    }
  };
  const visitCode = ({ position }: Nodes): void => {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (start !== undefined && end !== undefined) spans.push({ start, end, place: "code" });
  };
  visit(root);
  return withoutFormulas(source, withoutOverlaps(spans), options.formulas);
}

/** The letters of a formula are not words. */
function withoutFormulas(source: string, spans: TextSpan[], dollars: DollarFormulas = "likely"): TextSpan[] {
  const formulas = formulasIn(source, dollars);
  if (formulas.length === 0) return spans;
  let index = 0;
  return spans.flatMap((span) => {
    while ((formulas[index]?.end ?? Infinity) <= span.start) index += 1;
    const parts: TextSpan[] = [];
    let { start } = span;
    for (let at = index; (formulas[at]?.start ?? Infinity) < span.end; at += 1) {
      const formula = formulas[at] as FormulaRange;
      if (formula.start > start) parts.push({ ...span, start, end: formula.start });
      start = formula.end;
    }
    return start < span.end ? [...parts, { ...span, start }] : parts;
  });
}

/** The string values of these keys in the front matter. */
export function frontMatterSpans(source: string, keys: readonly string[] = FRONT_MATTER_KEYS): TextSpan[] {
  const { range, problem } = readFrontMatter(source);
  if (range === null || problem !== null) return [];
  const document = parseDocument(source.slice(range.start, range.end), { logLevel: "silent", prettyErrors: false });
  if (!isMap(document.contents)) return [];
  const spans: TextSpan[] = [];
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !keys.includes(String(key.value))) continue;
    if (!isScalar(value) || typeof value.value !== "string" || !value.range) continue;
    spans.push({ start: range.start + value.range[0], end: range.start + value.range[1], place: "front-matter" });
  }
  return spans;
}

function hasWords(tag: string, attribute: string): boolean {
  const component = componentNamed(tag);
  return component === undefined ? ATTRIBUTES.has(attribute) : component.attributes?.[attribute]?.kind === "words";
}

function attributeSpans(source: string, start: number): TextSpan[] {
  const tag = scanTag(source, start);
  return (tag?.attributes ?? [])
    .filter(({ name, value }) => value?.kind !== "bare" && hasWords(tag?.name ?? "", name))
    .flatMap((attribute) => textRange(source, attribute) ?? [])
    .map((range) => ({ ...range, place: "attribute" }));
}

function imageSpans(source: string, { start, end }: { start: number; end: number }, title: string | null): TextSpan[] {
  const close = closingBracket(source, start + 1, end);
  if (!source.startsWith("![", start) || close === null) return [];
  const alt: TextSpan = { start: start + 2, end: close, place: "image-alt" };
  return [alt, ...(title === null ? [] : titleSpan(source, close, end))].filter((span) => span.start < span.end);
}

/** The quoted title at the end of `](address "title")` or `[id]: address "title"`, searched for between two offsets. */
function titleSpan(source: string, from: number, end: number): TextSpan[] {
  const raw = source.slice(from, end).trimEnd().replace(/\)$/, "").trimEnd();
  const quote = raw.at(-1) ?? "";
  const open = raw.lastIndexOf(quote === ")" ? "(" : quote, raw.length - 2);
  if (!/["')]/.test(quote) || open < 1 || !/\s/.test(raw[open - 1] ?? "")) return [];
  return [{ start: from + open + 1, end: from + raw.length - 1, place: "link-title" }];
}

/** Offset of the `]` that matches the `[` at `open`; escapes are skipped. */
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
function htmlSpans(source: string, { start: from, end }: { start: number; end: number }): TextSpan[] {
  const spans: TextSpan[] = [];
  let opaque: string | null = null;
  for (const token of htmlTokens(source.slice(from, end))) {
    const place = { start: from + token.start, end: from + token.end };
    if (token.kind === "text" && token.isTag) break; // not a tag that can be understood: the rest stays as it is
    if (token.kind === "close") opaque = token.name.toLowerCase() === opaque ? null : opaque;
    else if (opaque !== null) continue;
    else if (token.kind === "text") spans.push(...outsideBackticks(source, place));
    else {
      for (const { name, value, start, end: stop } of token.attributes)
        if (value !== null && /["']/.test(source[from + start - 1] ?? "") && hasWords(tagName(token.name), name))
          spans.push({ start: from + start, end: from + stop, place: "attribute" });
      if (OPAQUE_HTML.test(token.name) && !token.selfClosing) opaque = token.name.toLowerCase();
    }
  }
  return spans;
}

/** Between tags Markdown does not read backticks as code, but their author meant code. */
function outsideBackticks(source: string, { start, end }: { start: number; end: number }): TextSpan[] {
  const runs = [...source.slice(start, end).matchAll(/`+/g)].map(({ 0: run, index }) => ({ at: start + index, run }));
  const closing = new Map<number, number>();
  const latest = new Map<string, number>();
  for (const [index, { run }] of [...runs.entries()].reverse()) {
    const next = latest.get(run);
    if (next !== undefined) closing.set(index, next);
    latest.set(run, index);
  }
  const spans: TextSpan[] = [];
  let last = start;
  for (let index = 0; index < runs.length; index += 1) {
    const close = closing.get(index);
    if (close === undefined) continue;
    spans.push({ start: last, end: runs[index]?.at ?? last, place: "html" });
    last = (runs[close]?.at ?? last) + (runs[close]?.run.length ?? 0);
    index = close;
  }
  return [...spans, { start: last, end, place: "html" }];
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
