import type { Nodes, Root } from "mdast";
import { nodeRange, nodesOf } from "#docs/nodes.ts";
import type { Warn } from "./page.ts";

/** A problem on a line of a block, counted from its first. */
interface Misread {
  line: number;
  message: string;
  /** Whether readers lose words by it. */
  isLost?: boolean;
}

/**
 * Warns of blocks that a parser reads differently than their author meant: code, formulas and comments without an end, and
 * tables that are text. `source` is the text that was parsed to `root`.
 */
export function warnOfMisreadBlocks(root: Root, source: string, warn: Warn): void {
  const last = root.children.at(-1);
  for (const node of nodesOf(root)) {
    const range = nodeRange(node);
    if (range === null) continue;
    const found = misread(node, source.slice(range.start, range.end), node === last);
    if (found !== null)
      warn((node.position?.start.line ?? 1) + found.line, found.message, found.isLost ? "not_rendered" : "syntax");
  }
}

function misread(node: Nodes, written: string, isLast: boolean): Misread | null {
  // The parser's nodes for formulas are not among the types of Markdown.
  switch (node.type as string) {
    case "code":
      return unclosedFence(written, isLast, { name: "The code block", content: "code" });
    case "math":
      return unclosedFence(written, isLast, { name: "The block of $$", content: "a formula" });
    case "html":
      return unclosedComment(written, isLast) ?? markdownInHtml(written);
    case "paragraph":
      return tableAsText(written);
    default:
      return null;
  }
}

const withoutPrefix = (line: string): string => line.replace(/^[ \t>]*/, "");

function unclosedFence(
  written: string,
  isLast: boolean,
  { name, content }: { name: string; content: string },
): Misread | null {
  const lines = written.trimEnd().split("\n");
  const marker = /^(?:`{3,}|~{3,}|\${2,})/.exec(lines[0] ?? "")?.[0];
  if (marker === undefined) return null;
  const last = withoutPrefix(lines.at(-1) ?? "").trimEnd();
  // A formula may begin and end on the lines of its dollars.
  const isClosed = marker.startsWith("$")
    ? last.endsWith(marker) && (lines.length > 1 || last.length > marker.length)
    : last.startsWith(marker) && lines.length > 1;
  if (isClosed) return null;
  const rest = isLast ? `the rest of the page is ${content}` : "it ends with the list item, quote or tag around it";
  return { line: 0, message: `${name} is not closed, so ${rest}.` };
}

function unclosedComment(written: string, isLast: boolean): Misread | null {
  const start = written.lastIndexOf("<!--");
  if (start === -1 || written.includes("-->", start)) return null;
  const effect = isLast
    ? "the rest of the page is left out"
    : "it ends with its block of HTML, and what follows is shown";
  return { line: linesBefore(written, start), message: `The comment is not closed, so ${effect}.`, isLost: isLast };
}

const linesBefore = (text: string, end: number): number => text.slice(0, end).split("\n").length - 1;

/** A table needs a separator row with as many cells as its header; without it, its rows are one paragraph. */
function tableAsText(written: string): Misread | null {
  if (!written.includes("|")) return null;
  const rows = written.split("\n").map((line) => withoutPrefix(line).trim());
  const separator = rows.findIndex(isSeparator);
  if (separator !== -1) return misreadSeparator(rows, separator);
  const first = rows.findIndex((row, index) => isRow(row) && isRow(rows[index + 1] ?? ""));
  if (first === -1) return null;
  return {
    line: first,
    message: "A table is shown as text: its second row has to be a separator, such as | --- | --- |.",
  };
}

function misreadSeparator(rows: readonly string[], at: number): Misread | null {
  const header = rows[at - 1] ?? "";
  const [found, expected] = [cellsOf(rows[at] ?? "").length, cellsOf(header).length];
  if (!header.includes("|")) {
    if (found === 1 || rows.length === 1) return null;
    return { line: at, message: "A table is shown as text: it has no header row directly above its separator row." };
  }
  if (found === expected) return null;
  return {
    line: at,
    message: `A table is shown as text: its separator row has ${columns(found)}, and its header ${columns(expected)}.`,
  };
}

/** Markdown does not begin on the line below a tag. */
function markdownInHtml(written: string): Misread | null {
  if (/<(?:!--|pre|code|script|style|textarea)/i.test(written)) return null;
  const rows = written.split("\n").map((line) => withoutPrefix(line).trim());
  const inHtml = (line: number, what: string): Misread => ({
    line,
    message: `A ${what} is shown as text: it needs an empty line between it and the tag above it.`,
  });
  const heading = rows.findIndex((row) => /^#{2,6} \S/.test(row));
  const fence = rows.findIndex((row, index) => {
    const [marker] = /^(?:`{3,}|~{3,})/.exec(row) ?? [];
    return marker !== undefined && rows.includes(marker, index + 1);
  });
  if (fence !== -1 && (heading === -1 || fence < heading)) return inHtml(fence, "code block");
  if (heading !== -1) return inHtml(heading, "heading");
  const separator = rows.findIndex((row, index) => {
    const header = rows[index - 1] ?? "";
    return isSeparator(row) && header.includes("|") && cellsOf(header).length === cellsOf(row).length;
  });
  return separator === -1 ? null : inHtml(separator - 1, "table");
}

const columns = (count: number): string => (count === 1 ? "1 column" : `${count} columns`);

const isSeparator = (row: string): boolean => row.includes("|") && cellsOf(row).every((cell) => /^:?-+:?$/.test(cell));

/** A line that begins and ends with a pipe and has at least two cells. */
const isRow = (row: string): boolean => row.startsWith("|") && row.endsWith("|") && cellsOf(row).length > 1;

function cellsOf(row: string): string[] {
  const start = row.startsWith("|") ? 1 : 0;
  const end = row.length > start && row.endsWith("|") && !row.endsWith(String.raw`\|`) ? row.length - 1 : row.length;
  return row
    .slice(start, end)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
