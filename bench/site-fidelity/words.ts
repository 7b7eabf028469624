import type { Nodes } from "mdast";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import type { MarkdownFormat } from "#docs/parser.ts";

/** Attributes whose text a reader sees, by component. */
const SHOWN: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ["Card", "Step", "Tab", "Accordion", "Expandable", "CodeBlock"].map((name) => [name, ["title"]]),
  ),
  Frame: ["caption"],
  Update: ["label", "description"],
  Tooltip: ["tip"],
  ParamField: ["path", "query", "body", "header"],
  ResponseField: ["name"],
  img: ["alt"],
};
const HIDDEN = new Set(["script", "style"]);

/**
 * The texts of a page's own source (between two pieces of markup), reduced to their letters and digits; null when the source does
 * not parse.
 */
export function textsOfSource(source: string, format: MarkdownFormat): string[] | null {
  const parsed = parseWithMicromark(source, format);
  if (!parsed.ok) return null;
  const texts: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") {
      if (HIDDEN.has(node.name ?? "")) return;
      if (node.name === "Visibility" && attribute(node, "for") === "agents") return;
      const shown = SHOWN[node.name ?? ""] ?? [];
      for (const each of node.attributes) {
        if (each.type !== "mdxJsxAttribute" || typeof each.value !== "string") continue;
        if (shown.includes(each.name)) texts.push(squeezed(each.value));
      }
    }
    if (node.type === "text" || node.type === "inlineCode") texts.push(squeezed(node.value));
    else if (node.type === "code") texts.push(squeezed(node.value.replaceAll(/\[!code[^\]\n]*\]/g, "")));
    else if (node.type === "image" && node.alt) texts.push(squeezed(node.alt));
    else if (node.type === "html") texts.push(squeezed(textOfHtml(node.value.replaceAll(/<!--[^]*?-->/g, ""))));
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(parsed.root);
  return texts.filter((text) => text !== "");
}

function attribute(node: Nodes, name: string): unknown {
  if (!("attributes" in node) || !Array.isArray(node.attributes)) return null;
  return node.attributes.find((each) => "name" in each && each.name === name)?.value;
}

// Shorter texts occur in others by chance.
const COUNTED_FROM = 12;

/** Texts of the source that the printed page lacks, or has less often. */
export function lostTexts(texts: readonly string[], html: string): string[] {
  const shown = squeezed(textOfHtml(html));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .filter(([text, count]) =>
      text.length < COUNTED_FROM ? !shown.includes(text) : shown.split(text).length - 1 < count,
    )
    .map(([text]) => text.slice(0, 80));
}

function textOfHtml(html: string): string {
  let text = "";
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value;
    if (defaultTreeAdapter.isElementNode(node)) {
      for (const { name, value } of node.attrs) {
        if (["alt", "title", "alttext", "placeholder", "aria-label", "data-label"].includes(name))
          attributes += ` ${value}`;
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  let attributes = "";
  visit(parseFragment(html));
  return text + attributes;
}

function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
