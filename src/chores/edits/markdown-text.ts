import type { Heading, Nodes } from "mdast";

/** What a reader sees of a node as plain text; null when a part of it is only known when the page is rendered. */
export function nodeText(node: Nodes): string | null {
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  if (node.type === "break") return " ";
  // A component without text of its own may still show some.
  if (node.type.startsWith("mdxJsx") && "children" in node && node.children.length === 0) return null;
  if (node.type === "image") return "";
  if (/^mdx(?:Text|Flow)Expression$|^mdxjsEsm$|^html$|^footnoteReference$/.test(node.type)) return null;
  if (!("children" in node)) return "";
  let text = "";
  for (const child of node.children) {
    const part = nodeText(child);
    if (part === null) return null;
    text += part;
  }
  return text;
}

/** Offset at which the words of a heading end: an id that it gives itself (`## Title {#id}`) is none of them. */
export function headingWordsEnd(source: string, heading: Heading): number | null {
  const last = heading.children.at(-1)?.position;
  const [start, end] = [last?.start.offset, last?.end.offset];
  if (start === undefined || end === undefined) return null;
  const words = source.slice(start, end).trimEnd();
  const id = /\\?\{#[\w\-.:\u0080-\uFFFF]{1,200}\\?\}$/.exec(words);
  return id === null ? end : start + words.slice(0, id.index).trimEnd().length;
}

// Code as it ends where it began, an escape that is there, or a sign of MDX.
const CODE_OR_SIGN = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|\\[^\n]|[<{}]/g;

/** Text from data as it must be written to be read literally in MDX. */
export function escapeMdx(text: string): string {
  return text.replaceAll(CODE_OR_SIGN, (part) => (part.length === 1 ? `\\${part}` : part));
}

/** A label on one line: the next line of a quote begins with its marks, which are no part of the label. */
export const oneLineLabel = (label: string) => {
  const [first = "", ...rest] = label.split("\n");
  if (rest.length === 0) return label;
  const ended = [first, ...rest.map((line) => line.replace(/^[\s>]+/, ""))].map((line) => line.trimEnd());
  return ended.join(" ");
};

/** Labels are compared without case and with one space for several (CommonMark 0.31, 4.7). */
export const foldedLabel = (label: string) =>
  oneLineLabel(label).trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase();
