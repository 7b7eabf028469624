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
