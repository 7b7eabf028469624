import type { Nodes, Parents, PhrasingContent, Root, RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mdxToMarkdown } from "mdast-util-mdx";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { isAllowedTag, isInlineTag } from "#docs/markup/allowed-html.ts";

/** What may stay of a text that somebody else wrote. */
export interface Harmless {
  /** Whether a link leads somewhere; the words of others stay as text. */
  isGoodLink(url: string): boolean;
  /** Headings become bold paragraphs: they would be part of an outline that is not theirs. */
  flattensHeadings: boolean;
}

// A paragraph that begins with one of these words is a program to MDX.
const esm = ["import", "export"].map((word) => ({
  atBreak: true,
  character: word.charAt(0),
  after: `${word.slice(1)}\\b`,
}));

const OPTIONS: Options = {
  bullet: "-",
  emphasis: "_",
  rule: "-",
  listItemIndent: "one",
  resourceLink: true, // <https://…> is a tag to MDX
  extensions: [gfmToMarkdown(), mdxToMarkdown(), { unsafe: esm }],
};

/** Plain Markdown as MDX that shows the same words, without HTML, programs and links that lead nowhere. */
export function harmlessMarkdown(root: Root, rules: Harmless): string {
  const definitions = new Map<string, string>();
  for (const node of root.children) if (node.type === "definition") definitions.set(node.identifier, node.url);
  clean(root, { ...rules, urlOf: (identifier) => definitions.get(identifier) ?? null });
  return printMdx(root);
}

export function printMdx(root: Root): string {
  return toMarkdown(root, OPTIONS).trimEnd();
}

type Rules = Harmless & { urlOf(identifier: string): string | null };

function clean(parent: Parents, rules: Rules): void {
  const children = (parent.children as Nodes[]).flatMap((child) => {
    if ("children" in child) clean(child, rules);
    return replaced(child, parent, rules);
  });
  parent.children = children as never[];
}

function replaced(node: Nodes, parent: Parents, rules: Rules): Nodes[] {
  switch (node.type) {
    case "html":
      return textOf(wordsOfHtml(node.value), parent);
    case "heading":
      if (!rules.flattensHeadings) return [node];
      return [{ type: "paragraph", children: [{ type: "strong", children: node.children }] }];
    case "link":
      return rules.isGoodLink(node.url) ? [node] : node.children;
    case "linkReference":
      return linked(rules.urlOf(node.identifier), node.children, rules);
    case "image":
      return linked(node.url, words(node.alt), rules);
    case "imageReference":
      return linked(rules.urlOf(node.identifier), words(node.alt), rules);
    case "footnoteReference":
    case "definition":
    case "yaml":
      return [];
    case "footnoteDefinition":
      return node.children;
    default:
      return [node];
  }
}

// An image of another host tells that host who reads; a link does so when it is asked.
function linked(url: string | null, children: PhrasingContent[], { isGoodLink }: Rules): Nodes[] {
  if (url === null || !isGoodLink(url) || children.length === 0) return children;
  return children.some(({ type }) => type === "link") ? children : [{ type: "link", url, children: children as never }];
}

const words = (text: string | null | undefined): PhrasingContent[] => (text ? [{ type: "text", value: text }] : []);

const PHRASING = new Set(
  "paragraph heading emphasis strong delete link linkReference tableCell footnote".split(" ") as string[],
);

function textOf(value: string, parent: Parents): Nodes[] {
  if (value.trim() === "") return value === "" ? [] : PHRASING.has(parent.type) ? [{ type: "text", value: " " }] : [];
  const text: PhrasingContent = { type: "text", value };
  return PHRASING.has(parent.type) ? [text] : [{ type: "paragraph", children: [text] } satisfies RootContent];
}

/** What HTML says without its tags. What only looks like a tag (`<id>`) is kept as it stands. */
function wordsOfHtml(html: string): string {
  return html
    .replaceAll(/<!--(?:[^-]|-(?!->))*(?:-->|$)/g, "")
    .replaceAll(/<\/?([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])[^<>]*>/g, (tag, name: string) => {
      const known = name.toLowerCase();
      if (!isAllowedTag(known)) return tag;
      return isInlineTag(known) && known !== "br" ? "" : " ";
    })
    .replaceAll(/[ \t]+/g, " ");
}
