import type { Nodes, Root } from "mdast";
import type { MarkdownFormat, ParseOutcome } from "#docs/parser.ts";
import { PageLimit } from "#docs/markup/budget.ts";
import type { PageParser } from "./fast-parser.ts";
import { warnOfMisreadBlocks } from "./misread-blocks.ts";
import type { Warn } from "./page.ts";
import { nodesOf } from "#docs/nodes.ts";
import { Fences } from "#docs/fences.ts";
import { createLineIndex } from "#lib/line-index.ts";
import { isVoidTag } from "#docs/markup/allowed-html.ts";
import { fillVariables, type Variables } from "#docs/variables.ts";

const MAX_REPAIRS = 300;
const MAX_REPORTED = 20;
const REPAIR_TIME_MS = 700;

export interface ParsedPage {
  root: Root;
  degraded: "none" | "repaired" | "plain";
}

/**
 * Parses a page whatever its syntax: an MDX error is escaped and the page parsed again; as a last resort the page is read as
 * plain Markdown. Throws `PageLimit` for a page that no parser may read.
 */
export function parsePage(
  source: string,
  format: MarkdownFormat,
  { parser, warn, now }: { parser: PageParser; warn: Warn; now: () => number },
): ParsedPage {
  const first = parser.parse(source, format);
  if (first.ok) {
    warnOfMisreadBlocks(first.root, source, warn);
    return { root: first.root, degraded: "none" };
  }
  if (first.line === null || format === "md") throw new PageLimit(first.message);

  const repairs: { line: number; what: string; isShown: boolean }[] = [];
  const deadline = now() + REPAIR_TIME_MS;
  let current = source;
  let outcome: ParseOutcome & { column?: number | null } = first;
  while (!outcome.ok && repairs.length < MAX_REPAIRS && now() < deadline) {
    const repaired = repairOnce(current, outcome);
    if (repaired === null) break;
    repairs.push(repaired);
    current = repaired.source;
    outcome = parser.parse(current, format);
  }
  warn(first.line, `MDX syntax error: ${first.message}.`, "syntax");
  if (outcome.ok) {
    // A tag or brace that is shown as text appears to readers exactly as the author wrote it.
    for (const { line, what, isShown } of repairs.slice(0, MAX_REPORTED))
      warn(line, `Repaired for display: ${what}.`, isShown ? "not_rendered" : "syntax");
    if (repairs.length > MAX_REPORTED)
      warn(null, `Repaired for display: ${repairs.length - MAX_REPORTED} further places.`, "not_rendered");
    warnOfMisreadBlocks(outcome.root, current, warn);
    return { root: outcome.root, degraded: "repaired" };
  }
  const plain = parser.parse(source, "md");
  if (!plain.ok) throw new PageLimit(plain.message);
  warnOfMisreadBlocks(plain.root, source, warn);
  warn(null, "The page is shown as plain Markdown because of its syntax errors.", "not_rendered");
  return { root: plain.root, degraded: "plain" };
}

interface SyntaxProblem {
  message: string;
  line: number | null;
  column?: number | null;
}

interface Repair {
  source: string;
  line: number;
  what: string;
  /** Whether readers see the source of the repaired part. */
  isShown: boolean;
}

/**
 * One step towards a page that parses: the offending part is turned into text or into what was meant (`<!-- -->`,
 * `<https://…>`, `<br>`). No line is added or removed. Null when there is nothing left to try.
 */
function repairOnce(source: string, problem: SyntaxProblem): Repair | null {
  if (problem.line === null) return null;
  const lineStart = offsetOfLine(source, problem.line);
  const offset = lineStart + Math.max(0, (problem.column ?? 1) - 1);
  const unclosed = /Expected a closing tag for `<([^>`]*)>` \((\d+):(\d+)/.exec(problem.message);
  if (unclosed) {
    const [, name = "", line, column] = unclosed;
    const start = offsetOfLine(source, Number(line)) + Number(column) - 1;
    if (source[start] === "<") return closeOrEscape(source, start, name);
  }
  const at = offendingOffset(source, offset, lineStart);
  return at === null ? null : repairAt(source, at);
}

function closeOrEscape(source: string, start: number, name: string): Repair | null {
  const end = isVoidTag(name) ? source.indexOf(">", start) : -1;
  if (end === -1 || source[end - 1] === "/") return repairAt(source, start);
  return {
    source: `${source.slice(0, end)}/${source.slice(end)}`,
    line: createLineIndex(source)(start),
    what: `<${name}> is closed`,
    isShown: false,
  };
}

function repairAt(source: string, at: number): Repair {
  const line = createLineIndex(source)(at);
  const rest = source.slice(at, at + 2_000);
  const replace = (length: number, text: string, what: string, isShown = false) => ({
    source: source.slice(0, at) + text + source.slice(at + length),
    line,
    what,
    isShown,
  });
  if (rest.startsWith("<!--")) {
    const end = source.indexOf("-->", at + 4);
    if (end !== -1) {
      const comment = source.slice(at + 4, end).replaceAll("*/", "* /");
      return replace(end + 3 - at, `{/*${comment}*/}`, "an HTML comment is read as a comment");
    }
  }
  const link = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,1000}|[\w.+-]{1,64}@[\w.-]{1,200})>/.exec(rest);
  if (link) {
    const [whole, target = ""] = link;
    const url = /^(?:https?|mailto):/.test(target) ? target : `mailto:${target}`;
    const label = target.replace(/[\\[\]{}<>*_`]/g, String.raw`\$&`);
    return replace(
      whole.length,
      `[${label}](${url.replace(/[()\\{}]/g, encodeURIComponent)})`,
      `<${target}> is read as a link`,
    );
  }
  // MDX parses this as an expression. Once the brace is escaped, it is read as the anchor syntax of other generators.
  const anchor = /^\{#[\w\-.:\u0080-\uFFFF]{1,200}\}(?=[ \t]*\r?$)/m.exec(rest)?.[0];
  if (anchor !== undefined && /^ {0,3}#{1,6}[ \t]/.test(source.slice(source.lastIndexOf("\n", at) + 1, at)))
    return replace(0, "\\", `${anchor} is read as the anchor of its heading`);
  const tag = /^<\/?([a-z]+)\s*>/.exec(rest);
  if (tag?.[1] !== undefined && isVoidTag(tag[1]))
    return replace(tag[0].length, `<${tag[1]}/>`, `<${tag[1]}> is closed`);
  const shown = rest.split("\n", 1)[0]?.slice(0, 40) ?? "";
  return replace(0, "\\", `"${shown}" is shown as text`, true);
}

/** The brace or angle bracket of a syntax error: at its position, before it, or else later in its line. */
function offendingOffset(source: string, offset: number, lineStart: number): number | null {
  if (isOpen(source, offset)) return offset;
  for (let at = Math.min(offset, source.length) - 1; at >= Math.max(0, offset - 20_000); at -= 1)
    if (isOpen(source, at)) return at;
  const lineEnd = source.indexOf("\n", lineStart);
  for (let at = offset; at < (lineEnd === -1 ? source.length : lineEnd); at += 1) if (isOpen(source, at)) return at;
  return null;
}

function isOpen(source: string, at: number): boolean {
  if (source[at] !== "{" && source[at] !== "<") return false;
  let backslashes = 0;
  while (source[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 0;
}

function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let current = 1; current < line; current += 1) {
    const end = source.indexOf("\n", offset);
    if (end === -1) return source.length;
    offset = end + 1;
  }
  return offset;
}

/** A page's source prepared for the parser, with a map back to its own line numbers. */
interface PreparedSource {
  source: string;
  /** Line in the page's file. */
  lineOf(line: number): number;
}

/**
 * Replaces `{{name}}` for the known names, and separates `:::` lines, so that each becomes a paragraph of its own. Code
 * fences are unchanged apart from variables.
 */
export function prepareSource(source: string, variables: Variables): PreparedSource {
  return separateDirectives(fillVariables(source, variables));
}

function separateDirectives(source: string): PreparedSource {
  if (!/^[ \t]{0,8}:::/m.test(source)) return { source, lineOf: (line) => line };
  const lines = source.split("\n");
  const result: string[] = [];
  const origin: number[] = [];
  const fences = new Fences();
  const push = (line: string, index: number) => {
    result.push(line);
    origin.push(index + 1);
  };
  for (const [index, line] of lines.entries()) {
    const isDirective = !fences.covers(line) && /^[ \t]{0,8}:{3,8}(?:[ \t]*$|[ \t]*[a-z])/i.test(line);
    if (isDirective) push("", index);
    push(isDirective ? line.trim() : line, index);
    if (isDirective) push("", index);
  }
  return { source: result.join("\n"), lineOf: (line) => origin[line - 1] ?? line };
}

/**
 * The nodes of a text of one line, such as a caption; null if it is more than a line of Markdown. HTML in it is text. All nodes
 * are at `line`.
 */
export function parseLine(parser: PageParser, text: string, line: number | null): readonly Nodes[] | null {
  const outcome = parser.parse(text, "md");
  const [only, ...more] = outcome.ok ? outcome.root.children : [];
  if (only?.type !== "paragraph" || more.length > 0) return null;
  for (const node of nodesOf(only)) {
    if (node.type === "html") Object.assign(node, { type: "text" });
    delete node.position;
    if (line !== null) node.position = { start: { line, column: 1 }, end: { line, column: 1 } };
  }
  return only.children;
}
