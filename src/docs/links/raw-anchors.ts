import type { Nodes } from "mdast";
import { anchorSource, anchorName } from "#docs/components/anchors.ts";
import { safeId } from "#docs/markup/allowed-html.ts";
import type { Anchor } from "#docs/markup/page-nodes.ts";
import { type HtmlToken, htmlTokens } from "#docs/markup/html-tokens.ts";
import type { AnchorIds } from "./anchor-ids.ts";
import { htmlTag } from "./tags.ts";

interface OpenHeading {
  depth: number;
  text: string;
  explicit: string | null;
  line: number;
}

/**
 * The anchors of the raw HTML among a page's nodes, in document order. They get their ids after the page's Markdown, as
 * they do in print. A heading's text may stand in several nodes.
 */
export function rawAnchors(nodes: readonly Nodes[], ids: AnchorIds): Anchor[] {
  const anchors: Anchor[] = [];
  let heading: OpenHeading | null = null;
  const endHeading = () => {
    if (heading === null) return;
    const { explicit, depth, line } = heading;
    const text = heading.text.replace(/\s+/g, " ").trim();
    anchors.push({ id: ids.next(text, explicit), kind: "heading", depth, text, line });
    heading = null;
  };
  const open = (token: Extract<HtmlToken, { kind: "open" }>, line: number) => {
    const tag = htmlTag(token);
    const level = /^h([1-6])$/.exec(tag.name)?.[1];
    if (level !== undefined) {
      endHeading();
      const id = tag.text("id");
      heading = { depth: Number(level), text: "", explicit: id === null ? null : safeId(id), line };
      return;
    }
    const source = anchorSource(tag);
    const id = source === null ? null : ids.next(source.text, source.explicit);
    const name = anchorName(tag);
    if (source !== null && id !== null) anchors.push({ ...source, id, line });
    if (name !== null && name !== id) anchors.push({ id: name, kind: "element", depth: 0, text: "", line });
  };
  for (const node of nodes) {
    if (node.type === "text" || node.type === "inlineCode") {
      if (heading !== null) (heading as OpenHeading).text += node.value;
    }
    if (node.type !== "html") continue;
    for (const token of htmlTokens(node.value)) {
      if (token.kind === "open") open(token, node.position?.start.line ?? 1);
      else if (token.kind === "close" && /^h[1-6]$/i.test(token.name)) endHeading();
      else if (token.kind === "text" && heading !== null) (heading as OpenHeading).text += token.text;
    }
  }
  endHeading();
  return anchors;
}
