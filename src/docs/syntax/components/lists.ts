import { type ElementNode, type PageNode, elementNode } from "#docs/markup/page-nodes.ts";
import { isBlank, isItem, isList, shownWords } from "./reader.ts";

/** The items of a numbered list as steps. */
export function stepsOfList(element: ElementNode): PageNode[] {
  const steps = element.children.flatMap((node): PageNode[] => {
    if (!isList(node)) return [node];
    return node.children.map((item) => ({ ...elementNode("Step", item.children), line: item.line }));
  });
  return [{ ...element, children: steps }];
}

/** Splits content into steps at the headings of the highest rank. */
export function stepsOfHeadings(element: ElementNode): PageNode[] {
  const depths = element.children.flatMap((node) => depthOf(node) ?? []);
  if (depths.length === 0) return [element];
  const depth = Math.min(...depths);
  const steps: PageNode[] = [];
  let open: ElementNode | null = null;
  for (const node of element.children) {
    if (depthOf(node) === depth) {
      open = { ...elementNode("Step", [node]), line: node.line };
      steps.push(open);
    } else if (open === null) steps.push(node);
    else open.children.push(node);
  }
  return [{ ...element, children: steps }];
}

const depthOf = (node: PageNode): number | null =>
  node.kind === "markdown" && node.node.type === "heading" ? node.node.depth : null;

/** Nested lists of names as folders and files. */
export function treeOfList(element: ElementNode): PageNode[] {
  if (!element.children.some(isList)) return [element];
  const children = element.children.flatMap((node) => (isList(node) ? node.children.filter(isItem).map(entryOf) : []));
  return [{ ...element, name: "Tree", children }];
}

function entryOf(item: PageNode): PageNode {
  const inside = item.children.filter(isList).flatMap((list) => list.children.filter(isItem));
  const label = item.children.filter((node) => !isList(node) && !isBlank(node));
  const name = shownWords(label).replace(/\s+/g, " ");
  const isFolder = inside.length > 0 || name.endsWith("/");
  if (!isFolder) return elementNode("Tree.File", [], [["name", name]]);
  return elementNode("Tree.Folder", inside.map(entryOf), [["name", name], ["open", inside.length > 0]]); // oxfmt-ignore
}
