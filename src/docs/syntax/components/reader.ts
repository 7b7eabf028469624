import { type ElementNode, type PageNode, type Value, ValueMap, textNode } from "#docs/markup/page-nodes.ts";

/** What a tag of a tool is on our pages. */
export type TagReader = (element: ElementNode) => PageNode[];

/** By the name of the tag. */
export type TagReaders = Readonly<Record<string, TagReader>>;

export function text(element: ElementNode, name: string): string | null {
  const value = element.props.get(name);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The same element under another name, with the props given in place of those it has. */
export function renamed(
  element: ElementNode,
  name: string,
  props: Iterable<readonly [string, Value]> = [],
): ElementNode {
  return { ...element, name, props: new Map([...element.props, ...props]) };
}

/** Renames, and leaves all else as it is. */
export const as =
  (name: string): TagReader =>
  (element) => [renamed(element, name)];

export const onlyChildren: TagReader = ({ children }) => children;

export const nothing: TagReader = () => [];

/** The fields of an object; none for any other value. */
export const fieldsOf = (value: Value): ReadonlyMap<string, Value> =>
  value instanceof ValueMap ? value.entries : new Map();

export const isList = (node: PageNode): boolean => node.kind === "markdown" && node.node.type === "list";

export const isItem = (node: PageNode): boolean => node.kind === "markdown" && node.node.type === "listItem";

export const isBlank = (node: PageNode): boolean =>
  node.kind === "markdown" && node.node.type === "text" && node.node.value.trim() === "";

/** The words of nodes, without the space around them. */
export function shownWords(nodes: readonly PageNode[]): string {
  const words = (node: PageNode): string =>
    node.kind === "markdown" && "value" in node.node ? node.node.value : node.children.map(words).join("");
  return nodes.map(words).join("").trim();
}

/** A block of code out of a text. */
export const codeBlock = (element: ElementNode, code: string, language: string | null): ElementNode => {
  const props: [string, Value][] = language === null ? [] : [["language", language]];
  return { ...renamed(element, "CodeBlock", props), children: [textNode(code)] };
};
