import type { Nodes, Root } from "mdast";

const MARK = "\uFEFF";

export const withoutByteOrderMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/** Parsers drop a byte order mark before they count; offsets are made to count it, as everybody else does. */
export function countByteOrderMark(root: Root, source: string): void {
  if (!source.startsWith(MARK)) return;
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const point of [node.position?.start, node.position?.end]) {
      if (point?.offset !== undefined) point.offset += 1;
    }
    if ("children" in node) open.push(...node.children);
  }
  if (root.position) root.position.start.offset = 0;
}
