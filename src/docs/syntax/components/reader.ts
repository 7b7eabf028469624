import { type ElementNode, type PageNode, type Value, ValueMap, textNode } from "#docs/markup/page-nodes.ts";

/** Translates a tool's tag to nodes of a native page. */
export type TagReader = (element: ElementNode) => PageNode[];

/** By the name of the tag. */
export type TagReaders = Readonly<Record<string, TagReader>>;

export function text(element: ElementNode, name: string): string | null {
  const value = element.props.get(name);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The same element under another name, with the given props instead of its own. */
export function renamed(
  element: ElementNode,
  name: string,
  props: Iterable<readonly [string, Value]> = [],
): ElementNode {
  return { ...element, name, props: new Map([...element.props, ...props]) };
}

/** Renames a tag and keeps everything else. */
export const as =
  (name: string): TagReader =>
  (element) => [renamed(element, name)];

export const onlyChildren: TagReader = ({ children }) => children;

export const nothing: TagReader = () => [];

/** The fields of an object; empty for any other value. */
export const fieldsOf = (value: Value): ReadonlyMap<string, Value> =>
  value instanceof ValueMap ? value.entries : new Map();

export const isList = (node: PageNode): boolean => node.kind === "markdown" && node.node.type === "list";

export const isItem = (node: PageNode): boolean => node.kind === "markdown" && node.node.type === "listItem";

export const isBlank = (node: PageNode): boolean =>
  node.kind === "markdown" && node.node.type === "text" && node.node.value.trim() === "";

/** The text of nodes, trimmed. */
export function shownWords(nodes: readonly PageNode[]): string {
  const words = (node: PageNode): string =>
    node.kind === "markdown" && "value" in node.node ? node.node.value : node.children.map(words).join("");
  return nodes.map(words).join("").trim();
}

/** A block of code for a text. */
export const codeBlock = (element: ElementNode, code: string, language: string | null): ElementNode => {
  const props: [string, Value][] = language === null ? [] : [["language", language]];
  return { ...renamed(element, "CodeBlock", props), children: [textNode(code)] };
};
