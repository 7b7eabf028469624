import { diffWordsWithSpace } from "diff";
import type { FileChange } from "#git/objects/objects.ts";

/** A piece of a line; `isChanged` if it differs from the counterpart line. */
export interface DiffSegment {
  text: string;
  isChanged: boolean;
}

export interface DiffLine {
  kind: "context" | "added" | "removed";
  segments: DiffSegment[];
  /** Line numbers start at 1; null on the side where the line does not exist. */
  oldNumber: number | null;
  newNumber: number | null;
  /** The file ends here without a newline. */
  isUnterminated: boolean;
}

export interface DiffHunk {
  /** Text after the numbers in the hunk's header: the nearest heading or function. */
  heading: string;
  lines: DiffLine[];
}

export interface FileDiff {
  change: FileChange;
  hunks: DiffHunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Parses git's unified diff. `changes`, which git lists in the same order, determines the file of each section, because
 * paths in the text may be unreadable. The counts in each hunk's header delimit its lines, so that content that looks
 * like a header stays content.
 */
export function parsePatch(patch: string, changes: readonly FileChange[]): FileDiff[] {
  const files: FileDiff[] = changes.map((change) => ({ change, hunks: [] }));
  const lines = patch.split("\n");
  let file = -1;
  let header = "";
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? "";
    if (text.startsWith("diff --git ")) {
      // A file that becomes a link, or the reverse, has two sections with the same header.
      if (text !== header) file += 1;
      header = text;
      continue;
    }
    const match = HUNK.exec(text);
    if (!match) continue;
    const hunk = readHunk(lines, index + 1, match);
    files[file]?.hunks.push({ heading: match[5] ?? "", lines: hunk.lines });
    index = hunk.next - 1;
  }
  return files;
}

function readHunk(
  lines: readonly string[],
  start: number,
  header: RegExpExecArray,
): { lines: DiffLine[]; next: number } {
  let oldNumber = Number(header[1]);
  let newNumber = Number(header[3]);
  const oldEnd = oldNumber + Number(header[2] ?? 1);
  const newEnd = newNumber + Number(header[4] ?? 1);
  const read: DiffLine[] = [];
  let next = start;
  for (; next < lines.length; next++) {
    const text = lines[next] ?? "";
    if (text.startsWith("\\")) {
      const last = read.at(-1);
      if (last) last.isUnterminated = true;
      continue;
    }
    if (oldNumber >= oldEnd && newNumber >= newEnd) break;
    const line = { segments: [{ text: text.slice(1), isChanged: false }], isUnterminated: false };
    if (text.startsWith("+")) read.push({ ...line, kind: "added", oldNumber: null, newNumber: newNumber++ });
    else if (text.startsWith("-")) read.push({ ...line, kind: "removed", oldNumber: oldNumber++, newNumber: null });
    else read.push({ ...line, kind: "context", oldNumber: oldNumber++, newNumber: newNumber++ });
  }
  return { lines: markChangedWords(read), next };
}

// Above these limits a comparison by words is too slow to be worth it.
const MAX_PAIRED_LINES = 40;
const MAX_COMPARED_LENGTH = 2_000;
const MAX_EDITS = 300;

/** Compares a removed block line by line with the added block after it. */
function markChangedWords(lines: DiffLine[]): DiffLine[] {
  for (let start = 0; start < lines.length;) {
    const removed = blockOf(lines, start, "removed");
    const added = blockOf(lines, start + removed.length, "added");
    const isComparable = removed.length === added.length && removed.length <= MAX_PAIRED_LINES;
    if (isComparable) {
      for (const [index, line] of removed.entries()) {
        const other = added[index];
        if (other) markPair(line, other);
      }
    }
    start += Math.max(1, removed.length + added.length);
  }
  return lines;
}

function blockOf(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}

const textOf = (line: DiffLine): string => line.segments.map((segment) => segment.text).join("");

function markPair(removed: DiffLine, added: DiffLine): void {
  const before = textOf(removed);
  const after = textOf(added);
  if (before.length > MAX_COMPARED_LENGTH || after.length > MAX_COMPARED_LENGTH) return;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!parts) return;
  const kept = parts.filter((part) => !part.added && !part.removed);
  // Two lines with almost nothing in common are different lines, not a changed line.
  const common = kept.reduce((sum, part) => sum + part.value.trim().length, 0);
  if (common * 4 < Math.max(before.trim().length, after.trim().length)) return;
  removed.segments = parts.filter((part) => !part.added).map((part) => ({ text: part.value, isChanged: part.removed }));
  added.segments = parts.filter((part) => !part.removed).map((part) => ({ text: part.value, isChanged: part.added }));
}
