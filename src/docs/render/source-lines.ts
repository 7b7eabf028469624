import { nodesOf } from "#docs/nodes.ts";
import type { Root } from "mdast";

/**
 * Line numbers for all files of a page in one number space: those of the page come first, and each further file has a range
 * of its own. So any node can name its file wherever it ends up in the page.
 */
export interface SourceLines {
  /** Moves the lines of a file's tree into their own range; returns the number that was added to each. */
  add(path: string, root: Root | null): number;
  /** `path` is null for the page itself, `line` is null when unknown. */
  place(line: number | null): { path: string | null; line: number | null };
}

// A file has at most a million characters.
const STRETCH = 10_000_000;

export function createSourceLines(): SourceLines {
  const files: string[] = [];
  return {
    add(path, root) {
      files.push(path);
      const start = files.length * STRETCH;
      if (root !== null) moveLines(root, (line) => line + start);
      return start;
    },
    place(line) {
      if (line === null) return { path: null, line };
      const file = files[Math.floor(line / STRETCH) - 1] ?? null;
      const within = line % STRETCH;
      return { path: file, line: within === 0 ? null : within };
    },
  };
}

/** Changes the lines of all nodes of a tree. */
export function moveLines(root: Root, lineOf: (line: number) => number): void {
  for (const { position } of nodesOf(root)) {
    if (position) for (const point of [position.start, position.end]) point.line = lineOf(point.line);
  }
}
