import { PageLimit } from "#docs/markup/budget.ts";
import { Content, type PageNode, type Value } from "#docs/markup/page-nodes.ts";

const MAX_NODES = 250_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * Counts what printing will visit. Content can be used twice at each level, so a small page can stand for a tree that
 * no memory holds: it is counted as often as it would be printed, and refused before anything recurses into it.
 */
export function checkSize(nodes: readonly PageNode[]): void {
  let visited = 0;
  let characters = 0;
  const open: PageNode[] = [...nodes];
  const visitValue = (value: Value): void => {
    visited += 1;
    if (typeof value === "string") characters += value.length;
    else if (value instanceof Content) open.push(...value.nodes);
    else if (Array.isArray(value)) for (const item of value as readonly Value[]) visitValue(item);
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visited += 1;
    if (node.kind === "element") for (const value of node.props.values()) visitValue(value);
    else if ("value" in node.node) characters += node.node.value.length;
    open.push(...node.children);
    if (visited > MAX_NODES || characters > MAX_CHARACTERS || open.length > MAX_NODES) {
      throw new PageLimit("The page grows too large when its snippets and expressions are put in.");
    }
  }
}
