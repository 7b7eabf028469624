import type { Root } from "mdast";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";

/** A text with its syntax tree; without one where it is no page, where it is empty, and where it does not parse. */
export interface ParsedText {
  source: string;
  root: Root | null;
  failure: { line: number | null; message: string } | null;
}

export async function parseText(parser: MarkdownParser, path: string, source: string): Promise<ParsedText> {
  const format = markdownFormat(path);
  if (format === null || source === "") return { source, root: null, failure: null };
  const outcome = await parser.parse(source, format);
  return outcome.ok
    ? { source, root: outcome.root, failure: null }
    : { source, root: null, failure: { line: outcome.line, message: outcome.message } };
}
