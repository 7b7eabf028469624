import type { Nodes, Parents, PhrasingContent, Root, Table } from "mdast";
import type { MarkdownParser } from "#docs/parser.ts";
import { html, type Html, raw } from "./markup.ts";
import { visibleHtml } from "./visible-text.ts";

const MAX_DEPTH = 40;
// Tags that affect nothing but their own text; all other HTML is shown as text.
const HARMLESS_TAG = /^<(\/?)(sub|sup|kbd)>$/i;

/**
 * A pull request's description: Markdown rendered to a small set of elements. Models and strangers write it, so HTML of
 * the author is not passed through, no image is loaded, and links use only http, https and mailto.
 */
export async function describe(parser: MarkdownParser, body: string): Promise<Html | null> {
  if (body.trim() === "") return null;
  const outcome = await parser.parse(body, "md");
  if (!outcome.ok) return html`<pre class="plain">${raw(visibleHtml(body))}</pre>`;
  return raw(printRoot(outcome.root));
}

function printRoot(root: Root): string {
  const definitions = new Map<string, string>();
  for (const node of root.children) {
    if (node.type === "definition") definitions.set(node.identifier, node.url);
  }
  return createPrinter(definitions)(root, 0);
}

/** Levels of headings below the page's own two, without gaps: `#` then `###` become h3 and h4. */
function createRanks(): (depth: number) => number {
  const open: number[] = [];
  return (depth) => {
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return Math.min(open.length + 2, 6);
  };
}

function createPrinter(definitions: ReadonlyMap<string, string>): (node: Nodes, depth: number) => string {
  const rankOf = createRanks();
  const print = (node: Nodes, depth: number): string => {
    if (depth > MAX_DEPTH) return "";
    const inside = (parent: Parents) => printAll(parent.children, depth + 1);
    switch (node.type) {
      case "root":
        return inside(node);
      case "paragraph":
        return `<p>${inside(node)}</p>`;
      case "heading":
        return printHeading(rankOf(node.depth), inside(node));
      case "blockquote":
        return `<blockquote>${inside(node)}</blockquote>`;
      case "list":
        return node.ordered ? `<ol start="${node.start ?? 1}">${inside(node)}</ol>` : `<ul>${inside(node)}</ul>`;
      case "listItem":
        return typeof node.checked === "boolean"
          ? `<li class="task"><input type="checkbox" disabled${node.checked ? " checked" : ""}>${inside(node)}</li>`
          : `<li>${inside(node)}</li>`;
      case "table":
        return printTable(node, (parent) => printAll(parent.children, depth + 2));
      case "code":
        return `<pre><code>${visibleHtml(node.value)}</code></pre>`;
      case "inlineCode":
        return `<code>${visibleHtml(node.value)}</code>`;
      case "strong":
        return `<strong>${inside(node)}</strong>`;
      case "emphasis":
        return `<em>${inside(node)}</em>`;
      case "delete":
        return `<del>${inside(node)}</del>`;
      case "break":
        return "<br>";
      case "thematicBreak":
        return "<hr>";
      case "link":
        return printLink(node.url, inside(node));
      case "linkReference":
        return printLink(definitions.get(node.identifier) ?? "", inside(node));
      case "image":
        return printLink(node.url, visibleHtml(node.alt || "image"));
      case "text":
        return visibleHtml(node.value);
      case "html":
        return `<code class="html">${visibleHtml(node.value)}</code>`;
      default:
        return "children" in node ? inside(node) : "";
    }
  };

  /** Keeps the harmless tags balanced: tags that are open at the end of the parent are closed there. */
  const printAll = (nodes: readonly Nodes[], depth: number): string => {
    const open: string[] = [];
    let text = "";
    for (const node of nodes) {
      const [, slash, tag = ""] = node.type === "html" ? (HARMLESS_TAG.exec(node.value) ?? []) : [];
      if (tag === "") text += print(node, depth);
      else if (slash === "") {
        open.push(tag.toLowerCase());
        text += `<${tag.toLowerCase()}>`;
      } else if (open.at(-1) === tag.toLowerCase()) text += `</${open.pop()}>`;
    }
    return (
      text +
      open
        .toReversed()
        .map((tag) => `</${tag}>`)
        .join("")
    );
  };

  return print;
}

const printHeading = (rank: number, text: string): string => `<h${rank}>${text}</h${rank}>`;

function printTable(table: Table, inside: (parent: { children: PhrasingContent[] }) => string): string {
  const [head, ...rows] = table.children.map((row) => row.children.map(inside));
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const body = rows.map((row) => cells(row, "td")).join("");
  return `<div class="table"><table><thead>${cells(head ?? [], "th")}</thead><tbody>${body}</tbody></table></div>`;
}

function printLink(url: string, label: string): string {
  const target = URL.parse(url);
  if (!target || !["http:", "https:", "mailto:"].includes(target.protocol)) return label;
  return `<a href="${visibleHtml(target.href)}" rel="nofollow noopener noreferrer">${label}</a>`;
}
