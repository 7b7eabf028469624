import { type TextRange } from "#docs/nodes.ts";
import type { TextEdit } from "#chores/edits/page-edits.ts";

export const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;

/** The end of the line that contains an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return text[end - 1] === "\r" ? Math.max(offset, end - 1) : end;
}

export const newlineOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Adds a line below the line that contains an offset. */
export function addLine(text: string, offset: number, line: string): TextEdit {
  const at = lineEnd(text, offset);
  return { start: at, end: at, text: newlineOf(text) + line };
}

/** Removes whole lines with the line break after them, or the one before them at the end of the text. */
export function removeLines(text: string, { start, end }: TextRange): TextEdit {
  const next = text.indexOf("\n", end);
  if (next !== -1) return { start, end: next + 1, text: "" };
  return { start: start === 0 ? 0 : lineEnd(text, lineStart(text, start - 1)), end: text.length, text: "" };
}
