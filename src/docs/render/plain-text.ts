import { isInlineTag } from "#docs/markup/allowed-html.ts";
import type { PageNode } from "#docs/markup/page-nodes.ts";

const MAX_CHARACTERS = 1_000_000;
/** Printed parts that are not text: controls, links for navigation, code derived from other code; with start and end. */
const CONTROLS = [
  ["<button ", "</button>"],
  ['<details class="api-try"', "</details>"],
  ['<nav class="api-outline"', "</nav>"],
  ['<aside class="api-samples"', "</aside>"],
  ['<a class="footnote-back"', "</a>"],
  ['<sup class="footnote-reference"', "</sup>"],
] as const;
const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/**
 * The visible text of a printed page, for search: one line per block. It is derived from the HTML, so the two cannot differ.
 * The printer escapes every `<` and `>` of a text or a value, so each remaining one belongs to a tag.
 */
export function htmlText(html: string): string {
  let shown = html;
  // A formula is read as its source: its parts alone have no meaning.
  shown = shown.replace(/<math alttext="([^"]*)"[^]*?<\/math>/g, "$1");
  return withoutControls(shown)
    .replace(/<[^<>]*>/g, (tag) => {
      const name = /^<\/?([a-zA-Z0-9]+)/.exec(tag)?.[1] ?? "";
      if (name === "img") return / alt="([^"]*)"/.exec(tag)?.[1] ?? "";
      return name === "br" ? " " : isInlineTag(name) ? "" : "\n";
    })
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n")
    .trim()
    .slice(0, MAX_CHARACTERS)
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** A printed page without controls and without code that is derived from other code. */
export function withoutControls(html: string): string {
  let shown = html;
  for (const [start, end] of CONTROLS) shown = without(shown, start, end);
  return shown;
}

function without(html: string, start: string, end: string): string {
  const [first = "", ...rest] = html.split(start);
  return first + rest.map((part) => part.slice(part.indexOf(end) + end.length)).join("");
}

/** The text of a heading without what its components add, as the link checker reads it. */
export function headingWords(nodes: readonly PageNode[]): string {
  let text = "";
  const visit = (node: PageNode): void => {
    if (node.kind === "markdown") {
      if (node.node.type === "text" || node.node.type === "inlineCode") text += node.node.value;
      else if (node.node.type === "break") text += " ";
    }
    for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  return text.replace(/\s+/g, " ").trim();
}
