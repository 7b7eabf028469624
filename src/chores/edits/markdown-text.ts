import type { Heading, Nodes } from "mdast";

/** The visible text of a node; null when a part of it is only known after rendering. */
export function nodeText(node: Nodes): string | null {
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  if (node.type === "break") return " ";
  // A component without child nodes may still show text.
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

/** Offset of the end of a heading's words, before an explicit id (`## Title {#id}`). */
export function headingWordsEnd(source: string, heading: Heading): number | null {
  const last = heading.children.at(-1)?.position;
  const [start, end] = [last?.start.offset, last?.end.offset];
  if (start === undefined || end === undefined) return null;
  const words = source.slice(start, end).trimEnd();
  const id = /\\?\{#[\w\-.:\u0080-\uFFFF]{1,200}\\?\}$/.exec(words);
  return id === null ? end : start + words.slice(0, id.index).trimEnd().length;
}

// Inline code with matching backticks, an existing escape, or a special character of MDX.
const CODE_OR_SIGN = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|\\[^\n]|[<{}]/g;

/** Escapes text from data so that MDX shows it literally. */
export function escapeMdx(text: string): string {
  return text.replaceAll(CODE_OR_SIGN, (part) => (part.length === 1 ? `\\${part}` : part));
}

/** A label on one line: in a quote, the next line begins with marks that are not part of the label. */
export const oneLineLabel = (label: string) => {
  const [first = "", ...rest] = label.split("\n");
  if (rest.length === 0) return label;
  const ended = [first, ...rest.map((line) => line.replace(/^[\s>]+/, ""))].map((line) => line.trimEnd());
  return ended.join(" ");
};

/** Labels are compared case-insensitively and with collapsed spaces (CommonMark 0.31, 4.7). */
export const foldedLabel = (label: string) =>
  oneLineLabel(label).trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase();
