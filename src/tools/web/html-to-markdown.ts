import type { Element, Nodes, Root, RootContent } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { parse } from "parse5";

/** Elements around the content of a page. A header inside an article contains its title, so it stays. */
const SURROUNDINGS: ReadonlySet<string> = new Set([
  "nav",
  "footer",
  "aside",
  "form",
  "dialog",
  "iframe",
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "canvas",
]);

/**
 * The content of an HTML page as Markdown: of its `main` or `article` if it has one, without menus, forms and scripts. Links
 * become absolute. Null for a page whose elements are nested too deeply.
 */
export function htmlToMarkdown(html: string, address: URL): { title: string | null; markdown: string } | null {
  try {
    const tree = fromParse5(parse(html)) as Root;
    const title = find(tree, ({ tagName }) => tagName === "title");
    const content =
      find(tree, ({ tagName, properties }) => tagName === "main" || properties["role"] === "main") ??
      find(tree, ({ tagName }) => tagName === "article") ??
      find(tree, ({ tagName }) => tagName === "body");
    const base = find(tree, ({ tagName }) => tagName === "base")?.properties["href"];
    const href = URL.parse(typeof base === "string" ? base : "", address.href)?.href ?? address.href;
    const children: RootContent[] = [
      { type: "element", tagName: "base", properties: { href }, children: [] },
      ...(content ? withoutSurroundings(content).children : []),
    ];
    const markdown = toMarkdown(toMdast({ type: "root", children }), { extensions: [gfmToMarkdown()], bullet: "-" });
    return { title: title ? textOf(title).replaceAll(/\s+/g, " ").trim() || null : null, markdown: markdown.trim() };
  } catch (error) {
    if (error instanceof RangeError) return null; // The libraries recurse for each level.
    throw error;
  }
}

function find(node: Nodes, isWanted: (element: Element) => boolean): Element | null {
  if (node.type === "element" && isWanted(node)) return node;
  if (!("children" in node)) return null;
  for (const child of node.children) {
    const found = find(child, isWanted);
    if (found) return found;
  }
  return null;
}

function withoutSurroundings(element: Element): Element {
  const children = element.children
    .filter((child) => child.type !== "element" || !SURROUNDINGS.has(child.tagName))
    .map((child) => (child.type === "element" ? withoutSurroundings(child) : child));
  return { ...element, children };
}

const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";
