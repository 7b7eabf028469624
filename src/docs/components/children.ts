import type { PageNode } from "#docs/markup/page-nodes.ts";

/** The content of a component that shows its items in a way of its own, and the rest before the first item and after it. */
export interface Parted {
  items: PageNode[];
  before: PageNode[];
  after: PageNode[];
}

/** Finds the items among the children, also within `isWrapper` nodes, whose other content belongs to the rest. */
export function partChildren(
  nodes: readonly PageNode[],
  isItem: (node: PageNode) => boolean,
  isWrapper: (node: PageNode) => boolean,
): Parted {
  const parted: Parted = { items: [], before: [], after: [] };
  const holdsItem = (node: PageNode): boolean => isItem(node) || (isWrapper(node) && node.children.some(holdsItem));
  const visit = (node: PageNode): void => {
    if (isItem(node)) parted.items.push(node);
    else if (isWrapper(node) && node.children.some(holdsItem)) node.children.forEach(visit);
    else (parted.items.length === 0 ? parted.before : parted.after).push(node);
  };
  nodes.forEach(visit);
  return parted;
}
