import type { Nodes } from "mdast";

/** Nodes of a tree in document order, with those below a node if it is entered. */
export function* nodesOf(root: Nodes, isEntered = (_node: Nodes): boolean => true): Generator<Nodes> {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if (!("children" in node) || !isEntered(node)) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as Nodes);
  }
}

/** A part of a text, by offsets. */
export interface TextRange {
  start: number;
  end: number;
}

/** Where a node stands in the source; null for a node that was made. */
export function nodeRange({ position }: Nodes): TextRange | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? null : { start, end };
}
