import { isAllowedTag, isDroppedTag, isInlineTag } from "./allowed-html.ts";
import type { PageNode } from "./page-tree.ts";

const INLINE_COMPONENTS = new Set([
  "Icon",
  "Badge",
  "Tooltip",
  "Link",
  "Image",
  "img",
  "Latex",
  "Color.Item",
  "VersionBadge",
]);
const INLINE_MARKDOWN = new Set([
  "text", "emphasis", "strong", "delete", "inlineCode", "break", "link", "linkReference", "image", "imageReference",
  "footnoteReference", "inlineMath",
]); // oxfmt-ignore

/** Whether a node cannot stand in a `<p>`. A component that is unknown is judged by what it contains. */
export function isBlock(node: PageNode): boolean {
  if (node.kind === "markdown") return !INLINE_MARKDOWN.has(node.node.type) || node.children.some(isBlock);
  if (INLINE_COMPONENTS.has(node.name) || isDroppedTag(node.name)) return false;
  if (isInlineTag(node.name)) return node.children.some(isBlock);
  return isAllowedTag(node.name) || /^[A-Z]/.test(node.name);
}
