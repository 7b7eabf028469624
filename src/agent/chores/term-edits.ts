import type { Nodes, Root } from "mdast";
import { parseDocument } from "yaml";
import type { MarkdownFormat } from "#content/parser.ts";
import type { TextEdit } from "./page-edits.ts";
import type { TermMatch, TermMatcher } from "./term-matcher.ts";
import { visibleText, type TextSpan } from "./visible-text.ts";

/** Occurrences that were not replaced, by the kind of place in which they stand. */
export interface LeftTerm {
  offset: number;
  place: "code" | "address" | "import" | "expression" | "attribute" | "front matter" | "comment" | "markup" | "name";
}

export interface TermEdits {
  edits: TextEdit[];
  replaced: number;
  left: LeftTerm[];
}

interface PageSource {
  source: string;
  root: Root;
  format: MarkdownFormat;
}

/** The edits that replace a term in one page where readers see it, and the occurrences that stay. */
export function termEdits({ source, root, format }: PageSource, matcher: TermMatcher, includeCode: boolean): TermEdits {
  const spans = visibleText(source, root, { code: includeCode });
  const edits: TextEdit[] = [];
  const left: LeftTerm[] = [];
  const inFrontMatter = new Map<TextSpan, TermMatch[]>();
  let replaced = 0;
  let index = 0;
  for (const match of matcher.matches(source)) {
    while ((spans[index]?.end ?? Infinity) <= match.start) index += 1;
    const span = spans[index];
    if (span === undefined || match.start < span.start || match.wordEnd > span.end) {
      left.push({ offset: match.start, place: placeAt(source, root, match) });
    } else if (span.place !== "code" && isAddress(source, match, span)) {
      left.push({ offset: match.start, place: "address" });
    } else if (span.place !== "code" && matcher.isPartOfName(source, match)) {
      left.push({ offset: match.start, place: "name" });
    } else if (span.place === "front-matter") {
      inFrontMatter.set(span, [...(inFrontMatter.get(span) ?? []), match]);
      replaced += 1;
    } else {
      const text = writeIn(span, match.replacement, { source, format });
      if (text === null) left.push({ offset: match.start, place: "attribute" });
      else {
        edits.push({ start: match.start, end: match.end <= span.end ? match.end : match.wordEnd, text });
        replaced += 1;
      }
    }
  }
  for (const [span, matches] of inFrontMatter) edits.push(frontMatterEdit(source, span, matches));
  return { edits: edits.sort((a, b) => a.start - b.start), replaced, left };
}

/** The new words as they must be written at their place; null when they cannot be written there. */
function writeIn(
  span: TextSpan,
  text: string,
  { source, format }: { source: string; format: MarkdownFormat },
): string | null {
  switch (span.place) {
    case "prose":
      return text.replaceAll(format === "mdx" ? /[<{}|]/g : /[<|]/g, "\\$&");
    case "html":
      return text.replaceAll("<", "&lt;");
    case "image-alt":
      return text.replaceAll(/[[\]]/g, "\\$&");
    case "link-title":
      return text.replaceAll(/["'()]/g, "\\$&");
    case "attribute": {
      const isString = source[span.start - 1] === '"' || source[span.start - 1] === "'";
      const isLiteral = !/=\s*["']$/.test(source.slice(Math.max(0, span.start - 20), span.start));
      if (isLiteral) return /["'`\\$\n]/.test(text) ? null : text;
      return isString ? text.replaceAll('"', "&quot;").replaceAll("'", "&apos;") : null;
    }
    case "code":
    case "front-matter":
      return text;
  }
}

/** YAML values keep their style where the new text allows it; else the value is quoted. */
function frontMatterEdit(source: string, span: TextSpan, matches: readonly TermMatch[]): TextEdit {
  const raw = source.slice(span.start, span.end);
  let changed = "";
  let at = 0;
  for (const { start, wordEnd, replacement } of matches) {
    changed += raw.slice(at, start - span.start) + replacement;
    at = wordEnd - span.start;
  }
  changed += raw.slice(at);
  const before = readScalar(raw);
  const after = readScalar(changed);
  const isKept = typeof after === "string" && typeof before === "string" && sameButFor(before, after, matches);
  if (isKept) return { start: span.start, end: span.end, text: changed };
  const value = replaceInValue(String(before), matches);
  const lineEnd = raw.endsWith("\n") ? "\n" : "";
  return { start: span.start, end: span.end, text: JSON.stringify(value) + lineEnd };
}

function readScalar(raw: string): unknown {
  const document = parseDocument(`key: ${raw}`, { logLevel: "silent", prettyErrors: false });
  if (document.errors.length > 0) return null;
  const value: unknown = document.get("key");
  return value;
}

function sameButFor(before: string, after: string, matches: readonly TermMatch[]): boolean {
  return replaceInValue(before, matches) === after;
}

// In the value, folded lines are spaces, so that the words of each match can be told from the raw match.
function replaceInValue(value: string, matches: readonly TermMatch[]): string {
  let result = "";
  let rest = value;
  for (const match of matches) {
    const words = match.found.replaceAll(/\s+/g, " ");
    const at = rest.indexOf(words);
    if (at === -1) continue;
    result += rest.slice(0, at) + match.replacement.replaceAll(/\s+/g, " ");
    rest = rest.slice(at + words.length);
  }
  return result + rest;
}

/** Whether the word around the match is an address, a domain or a path, which are no prose. */
function isAddress(source: string, match: TermMatch, span: TextSpan): boolean {
  let from = match.start;
  let to = match.wordEnd;
  const isEnd = (character: string) => /[\s"'`<>()[\]{}|*,;]/.test(character);
  while (from > span.start && match.start - from < 300 && !isEnd(source[from - 1] ?? " ")) from -= 1;
  while (to < span.end && to - match.wordEnd < 300 && !isEnd(source[to] ?? " ")) to += 1;
  if (from === match.start && to === match.wordEnd) return /^[\w.-]+@[\w-]+\.\w+$/.test(source.slice(from, to));
  const token = source.slice(from, to).replace(/[.:!?]+$/, "");
  if (token.length <= match.wordEnd - from) return false;
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(token) ||
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(token) ||
    /^(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[:/]\S*)?$/.test(token) ||
    /^(?:\.{0,2}\/|~\/)[\w./-]+$/.test(token) ||
    /\/[\w-]+\.\w{1,5}$/.test(token)
  );
}

function placeAt(source: string, root: Root, match: TermMatch): LeftTerm["place"] {
  let node: Nodes = root;
  for (;;) {
    const children: readonly Nodes[] = "children" in node ? node.children : [];
    const inner = children.find(
      (child) =>
        (child.position?.start.offset ?? Infinity) <= match.start && (child.position?.end.offset ?? 0) >= match.wordEnd,
    );
    if (inner === undefined) break;
    node = inner;
  }
  switch (node.type) {
    case "code":
    case "inlineCode":
    case "math":
    case "inlineMath":
      return "code";
    case "yaml":
      return "front matter";
    case "mdxjsEsm":
      return "import";
    case "mdxFlowExpression":
    case "mdxTextExpression":
      return node.value.trim().startsWith("/*") ? "comment" : "expression";
    case "link":
    case "image":
    case "definition":
      return "address";
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return node.name !== null && /^(?:code|pre|script|style)$/i.test(node.name) ? "code" : "attribute";
    case "html":
      return source.lastIndexOf("<!--", match.start) > source.lastIndexOf("-->", match.start) ? "comment" : "attribute";
    default:
      return /\{#[^\s{}]*$/.test(source.slice(Math.max(0, match.start - 200), match.start)) ? "address" : "markup";
  }
}
