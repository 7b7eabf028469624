import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

/**
 * One line of HTML in a tool's configuration, such as a copyright, as inline Markdown: text, links and bold words. Null if
 * it has no text.
 */
export function htmlLine(html: string | null): string | null {
  if (html === null) return null;
  return linesOf(parseFragment(html).childNodes).replaceAll(/\s+/g, " ").trim() || null;
}

/** The first link in HTML with its text; null if there is none. */
export function htmlLink(html: string | null): { label: string; href: string } | null {
  const [, label, href] = /\[([^\]]+)\]\(([^()\s]+)\)/.exec(htmlLine(html) ?? "") ?? [];
  return label === undefined || href === undefined ? null : { label, href };
}

function linesOf(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): string {
  return nodes.map(textOf).join("");
}

function textOf(node: DefaultTreeAdapterTypes.ChildNode): string {
  if ("value" in node) return node.value;
  if (!("childNodes" in node) || /^(?:script|style|template)$/.test(node.tagName)) return "";
  if (node.tagName === "br") return " ";
  const text = linesOf(node.childNodes);
  const words = text.trim();
  if (words === "") return text;
  const href = node.tagName === "a" ? node.attrs.find(({ name }) => name === "href")?.value : undefined;
  if (href !== undefined)
    return `[${words.replaceAll(/[[\]*]/g, "")}](${href.replaceAll(/\s/g, encodeURIComponent).replaceAll("(", "%28").replaceAll(")", "%29")})`;
  return /^(?:b|strong)$/.test(node.tagName) && !words.includes("](") ? `**${words.replaceAll("*", "")}**` : text;
}
