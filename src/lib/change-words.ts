import { diffLines } from "diff";
import { counted } from "./counted.ts";

const MAX_SHOWN = 80;
/** A text with more changed lines is compared no further. */
const MAX_EDITS = 2_000;

/** A change in words: both values of a short text, and the number of changed lines of a long one. */
export function changeWords(name: string, before: string, after: string): string {
  const isShort = [before, after].every((text) => text.length <= MAX_SHOWN && !text.includes("\n"));
  if (isShort) return `${name} from ${quoted(before)} to ${quoted(after)}`;
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return `${name} (many lines changed)`;
  const count = (kind: "added" | "removed") =>
    parts.reduce((sum, part) => sum + (part[kind] === true ? part.count : 0), 0);
  return `${name} (${counted(Math.max(count("added"), count("removed")), "line")} changed)`;
}

const quoted = (text: string): string => (text === "" ? "empty" : `“${text}”`);
