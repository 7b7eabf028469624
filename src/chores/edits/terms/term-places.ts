import type { Nodes, Root } from "mdast";
import { type Range, rangeAround } from "./ranges.ts";
import type { TermMatch } from "./term-matcher.ts";

/** Occurrences that were not replaced, by the kind of place that they stand in. */
export interface LeftTerm {
  offset: number;
  place:
    | "code"
    | "address"
    | "import"
    | "expression"
    | "attribute"
    | "front matter"
    | "comment"
    | "markup"
    | "name"
    | "formula"
    | "recoded"
    | "refused"
    | "elsewhere";
}

/** The kind of place that an occurrence stands in which is not shown as words. Logarithmic: a page may hold nothing else. */
export function createPlaceFinder(source: string, root: Root): (match: TermMatch) => LeftTerm["place"] {
  const comments = [...source.matchAll(/<!--|-->/g)].map(({ 0: mark, index }) => ({
    mark,
    start: index,
    end: Infinity,
  }));
  const isComment = (offset: number) =>
    rangeAround(comments, { start: offset, end: offset }, (range) => range)?.mark === "<!--";
  return (match) => {
    let node: Nodes = root;
    for (;;) {
      const children: readonly Nodes[] = "children" in node ? node.children : [];
      const inner = rangeAround(children, { start: match.start, end: match.wordEnd }, placedRange);
      if (inner === null) return placeIn(node, source, { offset: match.start, isComment: isComment(match.start) });
      node = inner;
    }
  };
}

const placedRange = ({ position }: Nodes): Range => ({
  start: position?.start.offset ?? Infinity,
  end: position?.end.offset ?? 0,
});

function placeIn(
  node: Nodes,
  source: string,
  { offset, isComment }: { offset: number; isComment: boolean },
): LeftTerm["place"] {
  switch (node.type) {
    case "code":
    case "inlineCode":
    case "math":
    case "inlineMath":
      return "code";
    case "yaml":
      return "front matter";
    case "mdxjsEsm":
      return "import";
    case "mdxFlowExpression":
    case "mdxTextExpression":
      return node.value.trim().startsWith("/*") ? "comment" : "expression";
    case "link":
    case "image":
    case "definition":
      return "address";
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return node.name !== null && /^(?:code|pre|script|style)$/i.test(node.name) ? "code" : "attribute";
    case "html":
      return isComment ? "comment" : "attribute";
    default:
      return /\{#[^\s{}]*$/.test(source.slice(Math.max(0, offset - 200), offset)) ? "address" : "markup";
  }
}
