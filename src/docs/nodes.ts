import type { Nodes } from "mdast";

/** Nodes of a tree in document order. */
export function* nodesOf(root: Nodes): Generator<Nodes> {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ("children" in node) {
      for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as Nodes);
    }
  }
}
