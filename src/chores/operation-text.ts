import type { Root, Nodes, Parents, PhrasingContent, RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mdxToMarkdown } from "mdast-util-mdx";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { operationMarkdown } from "#docs/api/operation-markdown.ts";
import { type OperationView, viewOperation } from "#docs/api/operation-view.ts";
import type { ListedOperation } from "#docs/api/operations.ts";
import { resolveHref } from "#docs/hrefs.ts";
import type { JsonObject } from "#docs/json-document.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import { encodePath } from "#docs/routes.ts";
import { withoutInvisible } from "#lib/invisible-text.ts";
import { isAllowedTag, isInlineTag } from "#docs/markup/allowed-html.ts";
import { nodesOf } from "#docs/nodes.ts";

/** Below the operation's own two headings. */
const OUTLINE_SHIFT = 2;
const PLAIN_WORDS = /^[\p{L}\p{N} ,.()'’/-]*$/u;

interface Writing {
  parser: MarkdownParser;
  docs: Docs;
  /** The page for the text, relative to the site's root. */
  page: string;
}

/** Removes control and invisible characters, which no page may contain. */
export function visibleText(text: string): string {
  const shown = text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, "");
  return withoutInvisible(shown).text;
}

/** An operation as part of an MDX page, safe for any description; null when the document has no such operation. */
export async function operationText(
  root: JsonObject,
  operation: ListedOperation,
  { parser, docs, page }: Writing,
): Promise<string | null> {
  const view = visible(viewOperation(root, operation));
  if (view === null) return null;
  const isGoodLink = createLinkCheck(docs, page);
  const prose = (text: string | null) => toSafeMdx(parser, text, { isGoodLink, flattensHeadings: true });
  const described = await withDescriptions(view, prose);
  const parts = [
    headings(operation),
    described.description,
    await toSafeMdx(
      parser,
      restOf({ ...described, description: null }),
      { isGoodLink, flattensHeadings: false },
      OUTLINE_SHIFT,
    ),
  ];
  const text = parts.filter((part) => part !== null && part !== "").join("\n\n");
  const outcome = await parser.parse(text, "mdx");
  if (outcome.ok && ![...nodesOf(outcome.root)].some(({ type }) => type.startsWith("mdx"))) return text;
  return `${headings(operation)}\n\nIts description cannot be shown here.`;
}

/** The two lines that identify an operation: its title, and its method and path. */
function headings({ title, method, path }: ListedOperation): string {
  const words = (depth: 2 | 3, value: string, type: "text" | "inlineCode" = "text"): Root["children"][number] => ({
    type: "heading",
    depth,
    children: [{ type, value: visibleText(value).replaceAll(/\s+/g, " ").trim() }],
  });
  const call = `${method} ${path}`;
  if (title === null) return printMdx({ type: "root", children: [words(2, call, "inlineCode")] });
  return printMdx({ type: "root", children: [words(2, title), words(3, call, "inlineCode")] });
}

/** The first line repeats method and path, and is kept only if it includes the server. */
function restOf(view: OperationView): string {
  const markdown = operationMarkdown(view, []);
  const isKnown = !view.isWebhook && (view.servers[0]?.url ?? "") === "";
  return isKnown ? markdown.slice(markdown.indexOf("\n") === -1 ? markdown.length : markdown.indexOf("\n")) : markdown;
}

/** The same value with every text made safe for a page. */
const visible = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === "string" ? visibleText(each) : each,
  ) as Value;

async function withDescriptions(
  view: OperationView,
  prose: (text: string | null) => Promise<string | null>,
): Promise<OperationView> {
  const each = async <Described extends { description: string | null }>(list: readonly Described[]) => {
    const done: Described[] = [];
    for (const one of list) done.push({ ...one, description: await prose(one.description) });
    return done;
  };
  return {
    ...view,
    description: await prose(view.description),
    pathDescription: await prose(view.pathDescription),
    body: view.body === null ? null : { ...view.body, description: await prose(view.body.description) },
    responses: await each(view.responses),
    callbacks: await each(view.callbacks),
  };
}

/** Converts Markdown from others to MDX. Text that cannot be parsed as Markdown is shown as plain words. */
async function toSafeMdx(
  parser: MarkdownParser,
  markdown: string | null,
  rules: Harmless,
  shift = 0,
): Promise<string | null> {
  if (markdown === null || (PLAIN_WORDS.test(markdown) && !/^(?:import|export|\d)/.test(markdown))) return markdown;
  const outcome = await parser.parse(markdown, "md");
  if (!outcome.ok) {
    const value = markdown.replaceAll(/\s+/g, " ").slice(0, 2_000).trim();
    return printMdx({ type: "root", children: [{ type: "paragraph", children: [{ type: "text", value }] }] });
  }
  const root = structuredClone(outcome.root); // the parser may return the same tree again
  for (const node of root.children) {
    if (node.type === "heading") node.depth = Math.min(6, node.depth + shift) as typeof node.depth;
  }
  return harmlessMarkdown(root, rules);
}

/** Descriptions are written for another site: links into the site are kept if the page exists here. */
function createLinkCheck(docs: Docs, page: string): (url: string) => boolean {
  return (url) => {
    const href = resolveHref(url, page);
    if (href.kind === "external") return /^(?:https?|mailto):/i.test(href.href);
    if (href.kind !== "internal" || url.includes("#") || url.startsWith("?")) return false;
    const route = encodePath(href.path.replace(/^\//, ""));
    return docs.pages.has(route) || docs.assets.has(route);
  };
}

/** The rules for a text from others. */
export interface Harmless {
  /** Whether a link has a target; for other links only the text is kept. */
  isGoodLink(url: string): boolean;
  /** Whether headings become bold paragraphs, because they would disturb the page's own outline. */
  flattensHeadings: boolean;
}

// A paragraph that begins with one of these words is ESM in MDX.
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
  resourceLink: true, // MDX reads <https://…> as a tag
  extensions: [gfmToMarkdown(), mdxToMarkdown(), { unsafe: esm }],
};

/** Plain Markdown as MDX with the same text, without HTML, code and broken links. */
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
      return textOf(textOfHtml(node.value), parent);
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

// An image on another host reveals to that host who reads the page; a link only when it is followed.
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

/** The text of HTML without its tags. Text that only looks like a tag (`<id>`) is kept. */
function textOfHtml(html: string): string {
  return html
    .replaceAll(/<!--(?:[^-]|-(?!->))*(?:-->|$)/g, "")
    .replaceAll(/<\/?([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])[^<>]*>/g, (tag, name: string) => {
      const known = name.toLowerCase();
      if (!isAllowedTag(known)) return tag;
      return isInlineTag(known) && known !== "br" ? "" : " ";
    })
    .replaceAll(/[ \t]+/g, " ");
}
