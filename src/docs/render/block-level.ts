import { componentNamed } from "#docs/components/registry.ts";
import { isAllowedTag, isDroppedTag, isInlineTag } from "#docs/markup/allowed-html.ts";
import type { PageNode } from "#docs/markup/page-nodes.ts";

const INLINE_MARKDOWN = new Set([
  "text", "emphasis", "strong", "delete", "inlineCode", "break", "link", "linkReference", "image", "imageReference",
  "footnoteReference", "inlineMath",
]); // oxfmt-ignore

/** Whether a node cannot stand in a `<p>`. */
export function isBlock(node: PageNode): boolean {
  if (node.kind === "markdown") return !INLINE_MARKDOWN.has(node.node.type) || node.children.some(isBlock);
  if (isDroppedTag(node.name)) return false;
  const flow = componentNamed(node.name)?.flow;
  if (flow !== undefined) return flow === "block";
  if (isInlineTag(node.name)) return node.children.some(isBlock);
  return isAllowedTag(node.name) || /^[A-Z]/.test(node.name);
}
