import { indentOf } from "#docs/fences.ts";
import { lineText, type SourceLine } from "./lines.ts";
import type { Rewriter } from "./rewriter.ts";

const ATTRIBUTE = /\smarkdown(?:="[^"]*")?/;
const OPENING = /^<([a-z]+)(?=[\s>])[^>]*\smarkdown(?:="[^"]*")?[^>]*>/;

/** The element that begins on a line, `<div markdown>`; null for other lines. `content`: what follows its tag. */
export function markdownElement(bare: string): { name: string; tag: string; content: string } | null {
  const [tag, name = ""] = OPENING.exec(bare) ?? [];
  return tag === undefined ? null : { name, tag, content: bare.slice(tag.length).trim() };
}

/** Copies a tag without its `markdown`. */
export function copyTag(text: Rewriter, { from, tag }: { from: number; tag: string }): void {
  const attribute = ATTRIBUTE.exec(tag);
  const start = attribute?.index ?? tag.length;
  text.copy(from, from + start);
  text.copy(from + start + (attribute?.[0].length ?? 0), from + tag.length);
}

/** Writes `<figcaption markdown>Text</figcaption>` with its content on lines of its own, where it is read as Markdown. */
export function writeOnLines(
  { source, text }: { source: string; text: Rewriter },
  line: SourceLine,
  { name, tag }: { name: string; tag: string },
): void {
  const from = line.end - lineText(source, line).trimStart().length;
  const end = source.lastIndexOf(`</${name}>`, line.end);
  const pad = " ".repeat(line.pad);
  text.add(`\n${pad}`, from);
  copyTag(text, { from, tag });
  text.add(`\n\n${pad}`, from);
  text.copy(from + tag.length, end);
  text.add(`\n\n${pad}`, end);
  text.copy(end, line.next);
}

/** The index of the line that closes the element of a line; -1 without one. */
export const endOfElement = (
  source: string,
  lines: readonly SourceLine[],
  { name, index, indent }: { name: string; index: number; indent: number },
): number =>
  lines.findIndex((each, at) => {
    const written = at > index ? lineText(source, each) : "";
    return written.trimStart().startsWith(`</${name}>`) && indentOf(written) <= indent;
  });

export const withoutIndent = (source: string, line: SourceLine): SourceLine => ({
  ...line,
  pad: 0,
  from: line.end - lineText(source, line).trimStart().length,
});
