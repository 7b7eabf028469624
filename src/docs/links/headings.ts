import { nodesOf } from "#docs/nodes.ts";
import type { Nodes, Root, RootData } from "mdast";
import { anchorSource, anchorName } from "#docs/components/anchors.ts";
import type { WrittenTag } from "#docs/components/component.ts";
import { componentNamed, isHidden } from "#docs/components/registry.ts";
import { safeId } from "#docs/markup/allowed-html.ts";
import type { Anchor } from "#docs/markup/page-nodes.ts";
import { slug } from "github-slugger";
import { createSlugger, textAfter } from "#docs/slugs.ts";
import { jsxTag, htmlTag } from "./tags.ts";
import { type HtmlToken, htmlTokens } from "#docs/markup/html-tokens.ts";

export interface Heading {
  depth: number;
  text: string;
  id: string;
  line: number;
}

/**
 * The anchors of a page by their nodes, in document order. The printer and the link checker both use this, so that the
 * checker accepts exactly the anchors that are printed.
 */
export function anchorsByNode(root: Root, ids = new AnchorIds(root)): Map<Nodes, Anchor> {
  const anchors = new Map<Nodes, Anchor>();
  const own = ownNames(root);
  const titles = new Map<Nodes, string>();
  const left = new Set<Nodes>();
  const isNative = (root.data?.dialect ?? "native") === "native";
  const later: (() => void)[] = [];
  for (const node of nodesOf(root, (each) => !left.has(each))) {
    if (node.type === "heading") {
      const { text, id } = splitHeading(node);
      anchors.set(node, { id: ids.next(text, id), kind: "heading", depth: node.depth, text, line: lineOf(node) });
    }
    if (!isElement(node)) continue;
    const isOwn = own.has((node.name ?? "").split(".")[0] ?? "");
    const tag = jsxTag(node);
    if (!isOwn) giveTitles(node, tag, titles);
    const add = () => {
      const anchor = elementAnchor(node, tag, { ids, isOwn, title: titles.get(node) ?? null });
      if (anchor !== null) anchors.set(node, anchor);
    };
    // Tools give no ids to tabs and the like, so that theirs must not change those of headings below.
    if (isNative || /^h[1-6]$/.test(tag.name)) add();
    else later.push(add);
    if (!isOwn && isHidden(tag)) left.add(node);
  }
  for (const add of later) add();
  if (isNative) giveSecondIds([...anchors.values()]);
  else if (root.data?.headingIds !== undefined) giveUsualIds([...anchors.values()], root.data);
  return anchors;
}

/** Links that were written for the tool's usual ids work too, unless something else has the id. */
function giveUsualIds(anchors: readonly Anchor[], { dialect = "native", headingIds = [] }: RootData): void {
  const usual = createSlugger(dialect);
  const taken = new Set(anchors.map(({ id }) => id));
  for (const anchor of anchors) {
    if (anchor.kind !== "heading") continue;
    const second = usual.slug(anchor.text);
    const isExplicit = !anchor.id.startsWith(textAfter(headingIds, anchor.text));
    if (second === "" || isExplicit || taken.has(second)) continue;
    taken.add(second);
    anchor.alias = second;
  }
}

/**
 * Mintlify turns a dot inside a word into a hyphen, where GitHub's rules drop it: `OAuth 2.0` is `#oauth-2-0` there and
 * `#oauth-20` here. The second id keeps links for Mintlify working, unless something else has it.
 */
function giveSecondIds(anchors: readonly Anchor[]): void {
  const taken = new Set(anchors.map(({ id }) => id));
  for (const anchor of anchors) {
    if (anchor.kind !== "heading" || !DOTTED.test(anchor.text) || anchor.id !== slug(anchor.text)) continue;
    const second = slug(anchor.text.replaceAll(new RegExp(DOTTED, "gu"), "-"));
    if (taken.has(second)) continue;
    taken.add(second);
    anchor.alias = second;
  }
}

const DOTTED = /(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/u;

/** Every id that `#id` can refer to in a page, including ids of raw HTML elements and of footnotes. */
export function anchorsOf(root: Root): Anchor[] {
  const anchors: Anchor[] = [];
  const ids = new AnchorIds(root);
  const byNode = anchorsByNode(root, ids);
  const element = (id: string, node: Nodes) =>
    anchors.push({ id, kind: "element", depth: 0, text: "", line: lineOf(node) });
  const notes = new Set<string>();
  const nodes = [...nodesOf(root)];
  const defined = new Set(nodes.flatMap((node) => (node.type === "footnoteDefinition" ? [node.identifier] : [])));
  for (const node of nodes) {
    const anchor = byNode.get(node);
    if (anchor) anchors.push(anchor);
    if (anchor?.alias) element(anchor.alias, node);
    if (isElement(node)) {
      const name = anchorName(jsxTag(node));
      if (name !== null && name !== anchor?.id) element(name, node);
    }
    if (node.type === "footnoteReference" && defined.has(node.identifier) && !notes.has(node.identifier)) {
      notes.add(node.identifier);
      element(`footnote-reference-${notes.size}`, node);
      element(`footnote-${notes.size}`, node);
    }
  }
  return [...anchors, ...rawAnchors(nodes, ids)].sort((a, b) => a.line - b.line);
}

/** The headings of a page in document order, with their ids in the rendered page. */
export function headingsOf(root: Root): Heading[] {
  return [...anchorsByNode(root).values()]
    .filter(({ kind }) => kind === "heading")
    .map(({ depth, text, id, line }) => ({ depth, text, id, line }));
}

/** The visible text of a heading, without a trailing `{#custom-id}`. */
export function headingText(node: Nodes): string {
  return splitHeading(node).text;
}

const DEFINES = new Set(["const", "let", "var", "function", "class"]);

type Element = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

function isElement(node: Nodes): node is Element {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

function elementAnchor(
  node: Element,
  tag: WrittenTag,
  { ids, isOwn, title }: { ids: AnchorIds; isOwn: boolean; title: string | null },
): Anchor | null {
  const line = lineOf(node);
  const level = /^h([1-6])$/.exec(tag.name)?.[1];
  const id = tag.text("id");
  if (level !== undefined) {
    const text = seenText(node).trim();
    const explicit = id === null ? null : safeId(id);
    return { id: ids.next(text, explicit), kind: "heading", depth: Number(level), text, line };
  }
  // Only printing shows what a page's own component does with its id.
  if (isOwn) return id === null ? null : { id, kind: "element", depth: 0, text: "", line };
  const source = anchorSource(tag, title);
  if (source === null) return null;
  return {
    id: ids.next(source.text, source.explicit),
    alias: ids.alias(source.alias),
    kind: source.kind,
    depth: source.depth,
    text: source.text,
    line,
  };
}

/** Gives the tabs of a group the titles that the group defines. */
function giveTitles(group: Element, tag: WrittenTag, titles: Map<Nodes, string>): void {
  const rule = componentNamed(tag.name)?.titlesFor;
  if (rule === undefined) return;
  let index = 0;
  const visit = (node: Nodes): void => {
    if (isElement(node) && rule.names.includes(node.name ?? "")) titles.set(node, rule.title(tag, index++));
    else if (node.type === "paragraph" || (isElement(node) && /^[a-z]|^$/.test(node.name ?? "")))
      node.children.forEach(visit);
  };
  group.children.forEach(visit);
}

/** Names of components that the page's own code imports or defines. */
export function ownNames(root: Root): Set<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.type !== "mdxjsEsm") continue;
    let isImport = false;
    let before = "";
    for (const [word] of node.value.matchAll(/[\w$]+|["'`]/g)) {
      if (word === "import") isImport = true;
      else if (word === "as" && isImport) names.delete(before);
      else if (/^(?:from|["'`])$/.test(word)) isImport = false;
      else if (/^[A-Z]/.test(word) && (isImport || DEFINES.has(before))) names.add(word);
      before = word;
    }
  }
  return names;
}

/** `## Title {#id}`, and in MDX, where that is a syntax error, `\{#id}` or a comment: `{/* #id *\/}`. */
function splitHeading(node: Nodes): { text: string; id: string | null } {
  const text = seenText(node).trim();
  const written = /\{#([\w\-.:\u0080-\uFFFF]{1,200})\}$/.exec(text);
  if (written) return { text: text.slice(0, written.index).trimEnd(), id: written[1] ?? null };
  const last = "children" in node ? node.children.at(-1) : undefined;
  const comment =
    last?.type === "mdxTextExpression"
      ? /^\s*\/\*\s*#([\w\-.:\u0080-\uFFFF]{1,200})\s*\*\/\s*$/.exec(last.value)
      : null;
  return { text, id: comment?.[1] ?? null };
}

function seenText(node: Nodes): string {
  let text = "";
  for (const inner of nodesOf(node)) {
    if (inner.type === "text" || inner.type === "inlineCode") text += inner.value;
    else if (inner.type === "break") text += " ";
  }
  return text;
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

interface OpenHeading {
  depth: number;
  text: string;
  explicit: string | null;
  line: number;
}

/**
 * The anchors of the raw HTML among a page's nodes, in document order. As in print, they get their ids after the page's
 * Markdown. A heading's text may be spread over several nodes.
 */
function rawAnchors(nodes: readonly Nodes[], ids: AnchorIds): Anchor[] {
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
    if (source !== null && id !== null)
      anchors.push({ id, kind: source.kind, depth: source.depth, text: source.text, line });
    const alias = ids.alias(source?.alias ?? null);
    if (alias !== null) anchors.push({ id: alias, kind: "element", depth: 0, text: "", line });
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

/** Assigns the ids of one page in order, by the rules of its tool: a second `Setup` is `setup-1`. Accents are composed. */
export class AnchorIds {
  readonly #slugger;

  constructor(root: Root) {
    this.#slugger = createSlugger(root.data?.dialect ?? "native", root.data?.headingIds);
  }

  /** The id of a heading or a titled component; an explicit id is used unchanged. */
  next(text: string, explicit: string | null): string {
    if (explicit !== null) return explicit.normalize("NFC");
    return this.#slugger.slug(text.normalize("NFC")) || this.#slugger.slug("section");
  }

  /** The second id of a component that has one. */
  alias(text: string | null): string | null {
    return text === null ? null : this.#slugger.slug(text);
  }
}
