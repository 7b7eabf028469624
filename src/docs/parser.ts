import type { Root } from "mdast";
import type { DialectName } from "./dialect.ts";
import type { PageRules } from "./page-rules.ts";

export type MarkdownFormat = "md" | "mdx";

/** The format for a path's extension; null for anything that is not a page. */
export function markdownFormat(path: string): MarkdownFormat | null {
  const extension = /\.(md|mdx|markdown)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return extension === "mdx" ? "mdx" : "md";
}

/** `line` counts from 1; null when it is unknown. */
export type ParseOutcome = { ok: true; root: Root } | { ok: false; message: string; line: number | null };

/**
 * Parses Markdown or MDX to a standard mdast with `position.offset` in UTF-16 units of the source. Hostile input results in
 * `ok: false` (too large, too deep, too slow, crashed), never in a stalled or dead server, because the work runs in a
 * process that can be killed. The syntax of another tool's dialect becomes our components, with their places in the source.
 */
export interface MarkdownParser {
  parse(source: string, format: MarkdownFormat, dialect?: DialectName): Promise<ParseOutcome>;
}

/** A parser for the pages of a repository by its configuration, unless a call names another dialect. */
export const parserOf = (
  parser: MarkdownParser,
  { dialect, rules }: { dialect: DialectName; rules?: Pick<PageRules, "headingIds"> },
): MarkdownParser => ({
  async parse(source, format, named = dialect) {
    const outcome = await parser.parse(source, format, named);
    const headingIds = rules?.headingIds ?? null;
    if (!outcome.ok || headingIds === null || named !== dialect) return outcome;
    // The parser may return the same tree for the same text of another site.
    const { root } = outcome;
    return { ok: true, root: { ...root, data: { ...root.data, headingIds } } };
  },
});

/** Largest page that is parsed; real ones have up to 726 KB (measured over 16,426 pages). */
const MAX_PAGE_CHARACTERS = 1_000_000;

const MAX_BRACKET_DEPTH = 500;
const MAX_CONTAINERS = 100;

/**
 * Why a page must not be passed to a Markdown parser; null when it may. Linear and cheap. satteri 0.10.5 segfaults on
 * 5,000 to 20,000 nested brackets in an expression; micromark 4 takes seconds for deep lists, quotes and `[a](` runs.
 */
export function parseProblem(source: string): string | null {
  if (source.length > MAX_PAGE_CHARACTERS) return "The page is larger than 1 MB.";
  if (hasDeepBrackets(source)) return `The page nests brackets more than ${MAX_BRACKET_DEPTH} deep.`;
  if (hasDeepContainers(source)) return `The page nests lists or quotes more than ${MAX_CONTAINERS} deep.`;
  return null;
}

// Code fences are skipped: logs and regular expressions in them leave brackets open, and are not parsed.
function hasDeepBrackets(source: string): boolean {
  let depth = 0;
  let fence = "";
  let atLineStart = true;
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (code === 0x0a || code === 0x0d) {
      atLineStart = true;
      continue;
    }
    if (atLineStart && (code === 0x60 || code === 0x7e)) {
      const marker = fenceAt(source, index);
      if (fence === "" && marker.length >= 3) fence = marker;
      else if (fence !== "" && marker.startsWith(fence)) fence = "";
      index += marker.length - 1;
    }
    if (code !== 0x20 && code !== 0x09) atLineStart = false;
    if (fence !== "") continue;
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    if (depth > MAX_BRACKET_DEPTH) return true;
  }
  return false;
}

function fenceAt(source: string, start: number): string {
  let end = start;
  while (source[end] === source[start]) end += 1;
  return source.slice(start, end);
}

function hasDeepContainers(source: string): boolean {
  let markers = 0;
  let atStart = true;
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (code === 0x0a || code === 0x0d) {
      markers = 0;
      atStart = true;
    } else if (atStart && code !== 0x20 && code !== 0x09) {
      const next = source.charCodeAt(index + 1);
      const isMarker =
        code === 0x3e || ((code === 0x2d || code === 0x2b || code === 0x2a) && (next === 0x20 || next === 0x09));
      if (isMarker) markers += 1;
      else atStart = false;
      if (markers > MAX_CONTAINERS) return true;
    }
  }
  return false;
}
