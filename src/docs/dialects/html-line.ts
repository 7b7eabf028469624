import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * One line of HTML in a tool's configuration, such as a copyright, as inline Markdown: text, links and bold words. Null if
 * it has no text.
 */
export function htmlLine(html: string | null): string | null {
  if (html === null) return null;
  return linesOf(nodesOf(html)).replaceAll(/\s+/g, " ").trim() || null;
}

/** The parser takes quadratic time for nested elements: 2 s for 100 KB. A longer line is too long for a site as well. */
const MAX_CHARACTERS = 5_000;
const nodesOf = (html: string): ChildNode[] => parseFragment(html.slice(0, MAX_CHARACTERS)).childNodes;

/** The first link with a text in a piece of HTML, or null. */
export function htmlLink(html: string | null): { label: string; href: string } | null {
  return html === null ? null : linkIn(nodesOf(html));
}

function linkIn(nodes: readonly ChildNode[]): { label: string; href: string } | null {
  for (const node of nodes) {
    if (!("childNodes" in node)) continue;
    const href = hrefOf(node);
    const label = linesOf(node.childNodes).trim();
    if (href !== undefined && label !== "") return { label, href };
    const inside = linkIn(node.childNodes);
    if (inside !== null) return inside;
  }
  return null;
}

const hrefOf = ({ tagName, attrs }: Element): string | undefined =>
  tagName === "a" ? attrs.find(({ name }) => name === "href")?.value : undefined;

function linesOf(nodes: readonly ChildNode[]): string {
  return nodes.map(textOf).join("");
}

function textOf(node: ChildNode): string {
  if ("value" in node) return node.value;
  if (!("childNodes" in node) || /^(?:script|style|template)$/.test(node.tagName)) return "";
  if (node.tagName === "br") return " ";
  const text = linesOf(node.childNodes);
  const words = text.trim();
  if (words === "") return text;
  const href = hrefOf(node);
  if (href !== undefined)
    return `[${words.replaceAll(/[[\]*]/g, "")}](${href.replaceAll(/\s/g, encodeURIComponent).replaceAll("(", "%28").replaceAll(")", "%29")})`;
  return /^(?:b|strong)$/.test(node.tagName) && !words.includes("](") ? `**${words.replaceAll("*", "")}**` : text;
}
