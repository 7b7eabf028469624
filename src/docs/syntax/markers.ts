import { nodesOf } from "#docs/nodes.ts";
import type { BlockContent, Nodes, PhrasingContent, Root, Text } from "mdast";
import type { MdxJsxFlowElement } from "mdast-util-mdx";
import type { Rewriter } from "./rewriter.ts";

/** A component in a tool's own syntax, with our names and attributes. */
export interface Block {
  name: string;
  attributes?: readonly (readonly [name: string, value: string | null])[];
}

/** `title`: the text after the mark on its line is the component's title. `whole`: it has no closing mark. */
type Mark = { kind: "open" | "whole"; block: Block } | { kind: "close"; name: string };

/** Holds the title of a component as Markdown; no page can write a tag with this name. */
export const TITLE = "\uE100title";

const MAX_MARKS = 20_000;
const MAX_DEPTH = 50;
const MAX_LEFT_OUT = 100;

/**
 * Marks the start and end of components in a rewritten source. A mark is a paragraph of its own, so that any Markdown parser
 * keeps it in the right list or quote; `join` turns the nodes between two marks into an element.
 */
export class Marks {
  readonly #marks: Mark[] = [];
  #isFull = false;
  /** Content that is not shown to readers, by its position in the source that the pass reads. */
  readonly leftOut: { offset: number; message: string }[] = [];
  /** Lines of the tree that `join` changed, on which a component starts that has no end. */
  readonly unclosed: number[] = [];

  leaveOut(offset: number, message: string): void {
    if (this.leftOut.length < MAX_LEFT_OUT) this.leftOut.push({ offset, message });
    else if (this.leftOut.length === MAX_LEFT_OUT)
      this.leftOut.push({ offset, message: `More is left out from here on: the first ${MAX_LEFT_OUT} are named.` });
  }

  /** `prefix` is what the enclosing containers put at the start of each line. */
  open(text: Rewriter, block: Block, at: { prefix: string; at: number; title?: [start: number, end: number] | null }) {
    this.#add(text, { kind: "open", block }, at);
  }

  whole(text: Rewriter, block: Block, at: { prefix: string; at: number; title?: [start: number, end: number] | null }) {
    this.#add(text, { kind: "whole", block }, at);
  }

  close(text: Rewriter, name: string, at: { prefix: string; at: number }): void {
    this.#add(text, { kind: "close", name }, at);
  }

  #add(
    text: Rewriter,
    mark: Mark,
    { prefix, at, title = null }: { prefix: string; at: number; title?: [start: number, end: number] | null },
  ): void {
    if (this.#marks.length >= MAX_MARKS) {
      const most = MAX_MARKS.toLocaleString("en");
      const message = `From here on, only the content of components is shown: the page has more than ${most} starts and ends of components.`;
      if (!this.#isFull) this.leaveOut(at, message);
      this.#isFull = true;
      return;
    }
    const blank = prefix.trimEnd();
    text.add(`${blank}\n${prefix}\uE100${this.#marks.push(mark) - 1}\uE101`, at);
    if (title !== null) text.copy(...title);
    text.add(`\n${blank}\n`, at);
  }

  /** Turns all marks in a tree into elements. */
  join(root: Root): void {
    if (this.#marks.length === 0) return;
    for (const node of nodesOf(root)) {
      if (!("children" in node)) continue;
      const children = node.children as Nodes[];
      if (children.some((child) => this.#markOf(child) !== null)) node.children = this.#joined(children) as never;
    }
  }

  #joined(nodes: readonly Nodes[]): Nodes[] {
    const result: Nodes[] = [];
    const open: MdxJsxFlowElement[] = [];
    const siblings = (): Nodes[] => open.at(-1)?.children ?? result;
    for (const node of nodes) {
      const mark = this.#markOf(node);
      if (mark === null) siblings().push(node);
      else if (mark.kind === "close") {
        const index = open.findLastIndex(({ name }) => name === mark.name);
        const end = node.position?.end;
        for (const element of index === -1 ? [] : open.slice(index)) {
          if (end !== undefined && element.position !== undefined) element.position.end = { ...end };
        }
        if (index !== -1) open.length = index;
      } else {
        const element = elementOf(mark.block, node as Extract<Nodes, { type: "paragraph" }>);
        const tabs = element.name === "Tab" && open.at(-1)?.name !== "Tabs" ? groupFor(element, siblings()) : null;
        (tabs?.children ?? siblings()).push(element as never);
        if (mark.kind === "open" && open.length < MAX_DEPTH) open.push(element);
      }
    }
    for (const { position } of open) if (position !== undefined) this.unclosed.push(position.start.line);
    return result;
  }

  #markOf(node: Nodes): Mark | null {
    if (node.type !== "paragraph") return null;
    const [first] = node.children;
    if (first?.type !== "text") return null;
    const index = MARK.exec(first.value)?.[1];
    return index === undefined ? null : (this.#marks[Number(index)] ?? null);
  }
}

/** Consecutive tabs without an enclosing group form a group; `data-first` starts another. */
function groupFor(tab: MdxJsxFlowElement, siblings: Nodes[]): MdxJsxFlowElement {
  const last = siblings.at(-1);
  const isFirst = tab.attributes.some((each) => each.type === "mdxJsxAttribute" && each.name === "data-first");
  if (!isFirst && last?.type === "mdxJsxFlowElement" && last.name === "Tabs" && last.data !== undefined) return last;
  const group: MdxJsxFlowElement = { type: "mdxJsxFlowElement", name: "Tabs", attributes: [], children: [], data: {} };
  if (tab.position) group.position = structuredClone(tab.position);
  siblings.push(group);
  return group;
}

const MARK = /^\uE100(\d{1,6})\uE101/;

function elementOf({ name, attributes = [] }: Block, paragraph: Extract<Nodes, { type: "paragraph" }>) {
  const [first, ...rest] = paragraph.children;
  const mark = first?.type === "text" ? (MARK.exec(first.value)?.[0].length ?? 0) : 0;
  const title: PhrasingContent[] = [];
  if (first?.type === "text" && first.value.length > mark) title.push(withoutStart(first, mark));
  title.push(...rest);
  const position = paragraph.position && { start: { ...paragraph.position.start }, end: { ...paragraph.position.end } };
  const words = title.map(wordsOf).join("").trim();
  const isHtml = /^[a-z]/.test(name);
  const element: MdxJsxFlowElement = {
    type: "mdxJsxFlowElement",
    name,
    attributes: [...attributes, ...(words === "" || isHtml ? [] : [["title", words] as const])].map(([key, value]) => ({
      type: "mdxJsxAttribute",
      name: key,
      value,
    })),
    children: [],
    ...(position && { position }),
  };
  if (words !== "" && isHtml) element.children.push(...(title as unknown as BlockContent[]));
  else if (words !== "") {
    const holder = {
      type: "mdxJsxFlowElement",
      name: TITLE,
      attributes: [],
      children: title,
      ...(position && { position: structuredClone(position) }),
    };
    element.children.push(holder as unknown as BlockContent & MdxJsxFlowElement);
  }
  return element;
}

function withoutStart(text: Text, length: number): Text {
  const value = text.value.slice(length);
  if (text.position === undefined) return { ...text, value };
  const { start, end } = text.position;
  const moved = { line: start.line, column: start.column + length, offset: (start.offset ?? 0) + length };
  return { ...text, value, position: { start: moved, end } };
}

function wordsOf(node: Nodes): string {
  if ("value" in node) return node.type === "html" ? "" : node.value;
  return "children" in node ? (node.children as Nodes[]).map(wordsOf).join("") : "";
}
