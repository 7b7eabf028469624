import { isDroppedTag } from "./allowed-html.ts";
import { isBlock } from "./block-level.ts";
import { type PageNode, valueText } from "./page-tree.ts";

const MAX_CHARACTERS = 1_000_000;
const SHOWN_ATTRIBUTES = [
  "title",
  "label",
  "caption",
  "description",
  "path",
  "query",
  "body",
  "header",
  "name",
  "type",
  "tip",
];

/** What a reader sees, for search and outlines: a line per block, titles of components included. */
export function plainText(nodes: readonly PageNode[]): string {
  const parts: string[] = [];
  let size = 0;
  const add = (text: string) => {
    if (size < MAX_CHARACTERS) parts.push(text);
    size += text.length;
  };
  const visit = (node: PageNode): void => {
    if (node.kind === "element" && isDroppedTag(node.name)) return;
    const block = isBlock(node);
    if (block) add("\n");
    if (node.kind === "element" && node.name === "br") add(" ");
    else if (node.kind === "element") addAttributes(node.props, node.name, add);
    else if (node.node.type === "text" || node.node.type === "inlineCode" || node.node.type === "code")
      add(node.node.value);
    else if (node.node.type === "break" || node.node.type === "tableCell") add(" ");
    else if (node.node.type === "image" && node.node.alt) add(node.node.alt);
    for (const child of node.children) visit(child);
    if (block) add("\n");
  };
  for (const node of nodes) visit(node);
  return parts
    .join("")
    .slice(0, MAX_CHARACTERS)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n")
    .trim();
}

function addAttributes(props: ReadonlyMap<string, unknown>, name: string, add: (text: string) => void): void {
  if (!/^[A-Z]/.test(name)) return;
  for (const attribute of SHOWN_ATTRIBUTES) {
    const value = props.get(attribute);
    if (typeof value === "string" && value !== "") add(`${valueText(value)}\n`);
  }
}
