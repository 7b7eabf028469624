import GithubSlugger from "github-slugger";
import type { Nodes, Root } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx";

type Element = MdxJsxFlowElement | MdxJsxTextElement;

/** A place in a page that `#id` leads to. */
export interface Anchor {
  id: string;
  /** `heading` stands in the page's outline; `component` is a titled Step, Tab and the like; `element` an explicit `id`. */
  kind: "heading" | "component" | "element";
  /** 1 to 6 for headings, 0 for the rest. */
  depth: number;
  text: string;
  /** From 1. */
  line: number;
}

export interface Heading {
  depth: number;
  text: string;
  id: string;
  line: number;
}

/** Components whose title becomes an anchor, with the attribute that holds the title. */
const TITLED: Record<string, string> = {
  Step: "title",
  Accordion: "title",
  Tab: "title",
  "Tabs.Tab": "title",
  Expandable: "title",
  Update: "label",
  ParamField: "",
  ResponseField: "name",
};

const PARAMETER_PLACES = ["path", "query", "body", "header", "name"];

/** One page's ids in the order in which they are given out: github-slugger's rules, so a second `Setup` is `setup-1`. */
export class AnchorIds {
  readonly #slugger = new GithubSlugger();

  /** The id of a heading or a titled component; an explicit id is taken as it stands. */
  next(text: string, explicit: string | null): string {
    if (explicit !== null) return explicit;
    return this.#slugger.slug(text) || this.#slugger.slug("section");
  }
}

/**
 * The anchors of a page by their nodes, in document order. The printer and the link checker both go through here, so
 * that what one prints the other accepts.
 */
export function anchorsByNode(root: Root | Nodes, ids: AnchorIds = new AnchorIds()): Map<Nodes, Anchor> {
  const anchors = new Map<Nodes, Anchor>();
  walk(root, (node) => {
    const anchor = anchorOf(node, ids);
    if (anchor !== null) anchors.set(node, anchor);
  });
  return anchors;
}

/** Every id that `#id` can lead to in a page, ids of raw HTML elements included. */
export function anchorsOf(root: Root): Anchor[] {
  const anchors: Anchor[] = [];
  const byNode = anchorsByNode(root);
  walk(root, (node) => {
    const anchor = byNode.get(node);
    if (anchor) anchors.push(anchor);
    if (node.type !== "html") return;
    for (const match of node.value.matchAll(/<[a-z][^<>]{0,2000}?\s(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/gi)) {
      const id = match[1] ?? match[2];
      if (id) anchors.push({ id, kind: "element", depth: 0, text: "", line: lineOf(node) });
    }
  });
  return anchors;
}

/** The headings of a page in document order, with the ids they have in the rendered page. */
export function headingsOf(root: Root): Heading[] {
  return [...anchorsByNode(root).values()].filter(({ kind }) => kind === "heading").map(toHeading);
}

export function toHeading({ depth, text, id, line }: Anchor): Heading {
  return { depth, text, id, line };
}

/** The text that a reader sees of a heading, without a trailing `{#custom-id}`. */
export function headingText(node: Nodes): string {
  return splitHeading(node).text;
}

function anchorOf(node: Nodes, ids: AnchorIds): Anchor | null {
  const line = lineOf(node);
  if (node.type === "heading") {
    const { text, id } = splitHeading(node);
    return { id: ids.next(text, id), kind: "heading", depth: node.depth, text, line };
  }
  if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return null;
  const explicit = stringAttribute(node, "id") || null;
  const tag = /^h([1-6])$/.exec(node.name ?? "");
  if (tag) {
    const text = visibleText(node).trim();
    return { id: ids.next(text, explicit), kind: "heading", depth: Number(tag[1]), text, line };
  }
  const title = componentTitle(node);
  if (title !== null) {
    // A dated entry of a changelog is part of the outline, like the headings around it.
    const kind = node.name === "Update" ? "heading" : "component";
    return { id: ids.next(title, explicit), kind, depth: kind === "heading" ? 2 : 0, text: title, line };
  }
  const id = explicit ?? (node.name === "a" ? stringAttribute(node, "name") || null : null);
  return id === null ? null : { id, kind: "element", depth: 0, text: "", line };
}

function componentTitle(node: Element): string | null {
  const name = node.name ?? "";
  const attribute = Object.hasOwn(TITLED, name) ? TITLED[name] : undefined;
  if (attribute === undefined) return null;
  const names = attribute === "" ? PARAMETER_PLACES : [attribute];
  for (const candidate of names) {
    const title = stringAttribute(node, candidate);
    if (title) return title;
  }
  return null;
}

/** A string attribute, also when it is written as a plain string expression: `title={"Set up"}`. */
export function stringAttribute(node: Element, name: string): string | null {
  for (const attribute of node.attributes) {
    if (attribute.type !== "mdxJsxAttribute" || attribute.name !== name) continue;
    if (typeof attribute.value === "string") return attribute.value;
    const literal = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/.exec(attribute.value?.value ?? "");
    return literal ? (literal[1] ?? literal[2] ?? literal[3] ?? null) : null;
  }
  return null;
}

/** `## Title {#id}`, and in MDX, where that is a syntax error, `\{#id}` or a comment: `{/* #id *\/}`. */
function splitHeading(node: Nodes): { text: string; id: string | null } {
  const text = visibleText(node).trim();
  const written = /\s*\{#([\w\-.:\u0080-\uFFFF]{1,200})\}$/.exec(text);
  if (written) return { text: text.slice(0, written.index), id: written[1] ?? null };
  const last = "children" in node ? node.children.at(-1) : undefined;
  const comment =
    last?.type === "mdxTextExpression"
      ? /^\s*\/\*\s*#([\w\-.:\u0080-\uFFFF]{1,200})\s*\*\/\s*$/.exec(last.value)
      : null;
  return { text, id: comment?.[1] ?? null };
}

function visibleText(node: Nodes): string {
  let text = "";
  walk(node, (inner) => {
    if (inner.type === "text" || inner.type === "inlineCode") text += inner.value;
    else if (inner.type === "break") text += " ";
  });
  return text;
}

function walk(root: Nodes, visit: (node: Nodes) => void): void {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node);
    if ("children" in node)
      for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as Nodes);
  }
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}
