import { nodesOf } from "#docs/nodes.ts";
import type { Nodes, Root } from "mdast";

declare module "mdast" {
  interface ImageData {
    /** As written after the image: `300`, `50%`. */
    size?: { width?: string; height?: string };
  }
  interface LinkData {
    /** The classes of a link that looks like a button. */
    button?: string;
  }
}

const SIZE = /(?:^|[\s{:;"'])(width|height)[=:][ \t]?["']?(\d{1,5}(?:\.\d{1,3})?%?)(?:px)?(?=["'\s;}])/g;
const BUTTON = /(?:^|[\s{])\.md-button(--primary)?(?=[\s}])/;
const LIST = /^[ \t]{0,4}\{[^{}\n]{1,1000}\}/;
/** The address of an image or a link, behind its text. */
const ADDRESS = /^\]\([^()\n]{1,1000}\)$/;

/** Whether a list of attributes after `line` has a meaning for an image or a link. The parsed text keeps it for `readLists`. */
export const isForPart = (line: string, attributes: string): boolean =>
  line.endsWith(")") && hasMeaning(attributes) && ADDRESS.test(line.slice(Math.max(0, line.lastIndexOf("]("))));

const hasMeaning = (list: string): boolean => list.search(SIZE) !== -1 || BUTTON.test(list);

/** Gives images the size in the list of attributes behind them, `![A](a.png){ width="300" }`, and links the look of a button. */
export function readLists(root: Root): void {
  for (const node of nodesOf(root)) {
    if (!("children" in node)) continue;
    const children = node.children as Nodes[];
    for (const [index, part] of children.entries()) {
      const after = children[index + 1];
      if ((part.type !== "image" && part.type !== "link") || after?.type !== "text") continue;
      const list = LIST.exec(after.value)?.[0] ?? "";
      if (!hasMeaning(list)) continue;
      after.value = after.value.slice(list.length);
      if (part.type === "image") part.data = { ...part.data, size: sizeIn(list) };
      else if (BUTTON.test(list)) part.data = { ...part.data, button: buttonIn(list) };
    }
  }
}

function sizeIn(list: string): { width?: string; height?: string } {
  const size: { width?: string; height?: string } = {};
  for (const [, name, value = ""] of list.matchAll(SIZE)) size[name === "width" ? "width" : "height"] = value;
  return size;
}

const buttonIn = (list: string): string =>
  /\.md-button--primary\b/.test(list) ? "link-button link-button-primary" : "link-button";
