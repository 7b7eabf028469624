import { nodeRange, type TextRange } from "#docs/nodes.ts";
import type { Nodes, Root } from "mdast";
import { itself, rangeAround } from "./ranges.ts";
import type { TermMatch } from "./term-matcher.ts";

/** An occurrence that was not replaced. */
export interface LeftTerm {
  offset: number;
  place: LeftPlace;
}

/** The kinds of places in which occurrences are left, as reports name them. */
export type LeftPlace =
  | "in formulas"
  | "in code"
  | "in addresses"
  | "in imports and exports"
  | "in expressions"
  | "in component attributes that are not shown as text"
  | "in other front-matter keys and values"
  | "in comments"
  | "in longer names"
  | "split by markup"
  | "written with escapes or character references"
  | "where the new words cannot stand"
  | "elsewhere on the same pages";

const PLACES: Partial<Record<Nodes["type"], LeftPlace>> = {
  code: "in code",
  inlineCode: "in code",
  math: "in code",
  inlineMath: "in code",
  yaml: "in other front-matter keys and values",
  mdxjsEsm: "in imports and exports",
  link: "in addresses",
  image: "in addresses",
  definition: "in addresses",
};
export const NOT_SHOWN = "in component attributes that are not shown as text";

/** Finds the kind of place of an occurrence that is not visible text. Logarithmic, because a page may consist of them. */
export function createPlaceFinder(source: string, root: Root): (match: TermMatch) => LeftPlace {
  const comments = [...source.matchAll(/<!--|-->/g)].map(({ 0: mark, index }) => ({
    mark,
    start: index,
    end: Infinity,
  }));
  return (match) => {
    let node: Nodes = root;
    for (let inner: Nodes | null = root; inner !== null;) {
      node = inner;
      const children: readonly Nodes[] = "children" in node ? node.children : [];
      // The text of a bare address is the address.
      if (node.type === "link" && source[node.position?.start.offset ?? 0] !== "[") break;
      inner = rangeAround(children, { start: match.start, end: match.wordEnd }, (each) => nodeRange(each) ?? NOWHERE);
    }
    switch (node.type) {
      case "mdxFlowExpression":
      case "mdxTextExpression":
        return node.value.trim().startsWith("/*") ? "in comments" : "in expressions";
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        return node.name !== null && /^(?:code|pre|script|style)$/i.test(node.name) ? "in code" : NOT_SHOWN;
      case "html": {
        const mark = rangeAround(comments, { start: match.start, end: match.start }, itself) as { mark: string } | null;
        return mark?.mark === "<!--" ? "in comments" : NOT_SHOWN;
      }
      default: {
        const before = source.slice(Math.max(0, match.start - 200), match.start);
        return PLACES[node.type] ?? (/\{#[^\s{}]*$/.test(before) ? "in addresses" : "split by markup");
      }
    }
  };
}

const NOWHERE: TextRange = { start: Infinity, end: 0 };
