import MagicString from "magic-string";
import { createLineIndex } from "#lib/line-index.ts";

/** A replacement of raw text by offsets. Edits of one page do not overlap. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits; everything outside of them stays as it is, byte for byte. */
export function editText(source: string, edits: readonly TextEdit[]): string {
  if (edits.length === 0) return source;
  const target = new MagicString(source);
  for (const { start, end, text } of edits) {
    if (start === end) target.appendLeft(start, text);
    else target.update(start, end, text);
  }
  return target.toString();
}

/** Places in one file as `path:line`, for reports. */
export function placesIn(path: string, source: string): (offset: number) => string {
  const lineOf = createLineIndex(source);
  return (offset) => `${path}:${lineOf(offset)}`;
}
