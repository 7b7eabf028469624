import { nodesOf } from "#docs/nodes.ts";
import type { Nodes, Root } from "mdast";

declare module "mdast" {
  interface ImageData {
    /** As written after the image: `300`, `50%`. */
    size?: { width?: string; height?: string };
  }
}

const SIZE = /(?:^|[\s{:;"'])(width|height)[=:][ \t]?["']?(\d{1,5}(?:\.\d{1,3})?%?)(?:px)?(?=["'\s;}])/g;
const LIST = /^[ \t]{0,4}\{[^{}\n]{1,1000}\}/;
const IMAGE_BEFORE = /!\[[^\n]{0,1000}?\]\([^()\n]{1,1000}\)$/;

/** Whether a list of attributes after `line` sets the size of an image. The parsed text keeps it for `sizePictures`. */
export const setsSize = (line: string, attributes: string): boolean =>
  attributes.search(SIZE) !== -1 && IMAGE_BEFORE.test(line.slice(-2_500));

/** Gives images the size in the list of attributes behind them: `![A](a.png){ width="300" }`. */
export function sizePictures(root: Root): void {
  for (const node of nodesOf(root)) {
    if (!("children" in node)) continue;
    const children = node.children as Nodes[];
    for (const [index, image] of children.entries()) {
      const after = children[index + 1];
      if (image.type !== "image" || after?.type !== "text") continue;
      const list = LIST.exec(after.value)?.[0] ?? "";
      const size: { width?: string; height?: string } = {};
      for (const [, name, value = ""] of list.matchAll(SIZE)) size[name === "width" ? "width" : "height"] = value;
      if (Object.keys(size).length === 0) continue;
      image.data = { ...image.data, size };
      after.value = after.value.slice(list.length);
    }
  }
}
