import { type Anchor, type ElementNode, type PageNode, elementNode, textNode } from "#docs/markup/page-nodes.ts";

/** Replaces tables of contents in the text by links to the headings of levels 2 and 3, which VitePress lists there. */
export function putOutlinesIn(nodes: readonly PageNode[], anchors: Iterable<Anchor>): PageNode[] {
  let made: PageNode[] | null = null;
  const put = (node: PageNode): PageNode[] => {
    if (node.kind === "element" && node.name === "TOCInline") return (made ??= outlineOf([...anchors]));
    if (node.children.length === 0) return [node];
    return [{ ...node, children: node.children.flatMap(put) }];
  };
  return nodes.flatMap(put);
}

function outlineOf(anchors: readonly Anchor[]): PageNode[] {
  const top: ElementNode[] = [];
  for (const { kind, depth, id, text } of anchors) {
    if (kind !== "heading" || depth < 2 || depth > 3) continue;
    const href = `#${encodeURIComponent(id)}`;
    const item = elementNode("li", [elementNode("a", [textNode(text)], [["href", href]])]);
    const last = top.at(-1);
    if (depth === 2 || last === undefined) top.push(item);
    else innerList(last).children.push(item);
  }
  return top.length === 0 ? [] : [elementNode("ul", top)];
}

function innerList(item: ElementNode): PageNode {
  const [, list] = item.children;
  if (list !== undefined) return list;
  const made = elementNode("ul", []);
  item.children.push(made);
  return made;
}
