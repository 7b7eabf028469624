import { isInlineTag } from "#docs/markup/allowed-html.ts";
import type { PageNode } from "#docs/markup/page-nodes.ts";

const MAX_CHARACTERS = 1_000_000;
/** Printed for the mouse, for jumping to and fro, and as code that is made of what stands beside it; not to be read: where it starts and ends. */
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
 * What a reader sees of a printed page, for search: a line per block. It is read off the HTML, so it cannot say
 * anything else; the printer escapes every `<` and `>` of a text or a value, so each that is left belongs to a tag.
 */
export function htmlText(html: string): string {
  let shown = html;
  // A formula reads as its source: its parts by themselves say nothing.
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

/** A printed page without what is there for the mouse, and without code that is made of what stands beside it. */
export function withoutControls(html: string): string {
  let shown = html;
  for (const [start, end] of CONTROLS) shown = without(shown, start, end);
  return shown;
}

function without(html: string, start: string, end: string): string {
  const [first = "", ...rest] = html.split(start);
  return first + rest.map((part) => part.slice(part.indexOf(end) + end.length)).join("");
}

/** The words of a heading without what its components add to them, as the link checker reads it. */
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
