import type { Root } from "mdast";

export type MarkdownFormat = "md" | "mdx";

/** The format that a path's extension says; null for anything that is not a page. */
export function markdownFormat(path: string): MarkdownFormat | null {
  const extension = /\.(md|mdx|markdown)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return extension === "mdx" ? "mdx" : "md";
}

/** `line` counts from 1; null when the parser cannot say. */
export type ParseOutcome = { ok: true; root: Root } | { ok: false; message: string; line: number | null };

/**
 * Markdown or MDX to a standard mdast with `position.offset` in UTF-16 units of the source. Hostile input ends in
 * `ok: false` (too large, too deep, too slow, crashed), never in a stalled or dead server: the work is done in a
 * process that can be killed.
 */
export interface MarkdownParser {
  parse(source: string, format: MarkdownFormat): Promise<ParseOutcome>;
}
