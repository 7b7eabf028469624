import type { Code, InlineCode, Nodes, Root, Text } from "mdast";
import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { TITLE } from "#docs/syntax/markers.ts";

const MARK = /^\uE100\d{1,6}\uE101/;

/** An element, most often one that stands for the marks of a tool's own syntax. */
export type MarkedElement = Extract<Nodes, { type: "mdxJsxFlowElement" }>;

/** A page in a tool's syntax, read: marks are elements, settings of code are native. */
export interface ReadBlocks {
  dialect: DialectName;
  /** The text that the positions of the tree refer to. */
  source: string;
  root: Root;
  /** The format that the text was parsed in. */
  format: MarkdownFormat;
  /** Blocks of code as they were written. */
  codes: ReadonlyMap<Code, WrittenCode>;
  /** Texts as they were written, which the tool may show without a part. */
  texts: ReadonlyMap<Text | InlineCode, string>;
  /** Definitions of links that the tool ignores, which are no longer in the tree. */
  redefined: Iterable<Nodes>;
}

/** How a page is written. `hasDirectives`: callouts are `:::` where that is enough. */
export interface NativeForm {
  format: MarkdownFormat;
  hasDirectives: boolean;
}

export interface WrittenCode {
  lang: string | null;
  meta: string | null;
  value: string;
}

/** Where the element's end is marked, or the end of its content if the mark is missing. */
export function closeOf(source: string, node: MarkedElement): number {
  const end = endOf(node);
  const line = source.lastIndexOf("\n", end - 1) + 1;
  const mark = source.slice(line, end).search(/\uE100\d{1,6}\uE101$/);
  if (mark !== -1 && line + mark > startOf(node)) return line + mark;
  const last = node.children.at(-1);
  const lastEnd = last === undefined ? 0 : afterClose(source, last);
  return Math.max(markedLineEnd(source, startOf(node)), lastEnd);
}

function afterClose(source: string, node: Nodes): number {
  const marked = markedElement(source, node);
  if (marked === null) return endOf(node);
  const at = closeOf(source, marked);
  return source.startsWith("\uE100", at) ? markedLineEnd(source, at) : at;
}

/** The element if it stands for marks; null for everything else. */
export function markedElement(source: string, node: Nodes): MarkedElement | null {
  if (node.type !== "mdxJsxFlowElement" || node.name === TITLE || isTabGroup(source, node)) return null;
  return markLength(source, startOf(node)) > 0 ? node : null;
}

/** The length of the mark at `start`; 0 without a mark. */
export const markLength = (source: string, start: number): number =>
  MARK.exec(source.slice(start, start + 10))?.[0].length ?? 0;

/** A group without a mark of its own, which tabs are put into: it starts where its first tab does. */
export const isTabGroup = (source: string, node: Nodes): node is MarkedElement =>
  node.type === "mdxJsxFlowElement" &&
  node.name === "Tabs" &&
  markLength(source, startOf(node)) > 0 &&
  node.children.some((child) => startOf(child) === startOf(node));

/** What the containers put in front of a line. */
export function prefixAt(source: string, at: number): string {
  const line = source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t>]*/.exec(line)?.[0] ?? "";
}

/** A text of several lines with what its containers put in front of each. */
export const indentedLike = (text: string, prefix: string): string => text.replaceAll("\n", `\n${prefix}`);

/** Whether a node holds the title of the block that it is in. */
export const isTitle = (node: Nodes | undefined): boolean => node?.type === "mdxJsxFlowElement" && node.name === TITLE;

/** The text of an attribute. */
export function attribute(node: MarkedElement, name: string): string | null {
  const found = node.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name === name);
  return typeof found?.value === "string" ? found.value : null;
}

/** The text of a comment in MDX. */
export function commentIn(node: Nodes): string | null {
  if (node.type !== "mdxFlowExpression" && node.type !== "mdxTextExpression") return null;
  return /^\s*\/\*([^]*)\*\/\s*$/.exec(node.value)?.[1] ?? null;
}

export const startOf = (node: Nodes): number => node.position?.start.offset ?? 0;
export const endOf = (node: Nodes): number => node.position?.end.offset ?? 0;

export function markedLineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}
