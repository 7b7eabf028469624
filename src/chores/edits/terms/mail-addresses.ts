import type { Root } from "mdast";
import { nodesOf, nodeRange, type TextRange } from "#docs/nodes.ts";
import { itself, rangeAround } from "./ranges.ts";
import type { TermMatch } from "./term-matcher.ts";
import { type LeftPlace, NOT_SHOWN } from "./term-places.ts";
import type { TextSpan } from "./visible-text.ts";

const MAIL_ADDRESS = /^[^\s@<>()[\]{}"'`,;:]+@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u;
const NEXT_IS_END = /^(?:[\s"'`<>()[\]{}|*,;?&]|$)/;
const MAILTO = /mailto:(?:[^\s"'`<>()?]{0,300},)?$/i;
const REACH = 310;
/** Places whose addresses are links for readers. */
const LINKED = new Set<LeftPlace>(["in addresses", NOT_SHOWN]);

export const isMailAddress = (text: string): boolean => MAIL_ADDRESS.test(text);

/**
 * Finds whole mail addresses that Markdown reads as links: bare ones, which are also visible text, `<a@b.example>` and
 * targets such as `mailto:a@b.example?subject=x`.
 */
export function createMailSpans(
  source: string,
  root: Root,
  placeOf: (match: TermMatch) => LeftPlace,
): (match: TermMatch) => TextSpan | null {
  let bare: TextRange[] | null = null;
  return (match) => {
    const { start, wordEnd: end, found } = match;
    if (!isMailAddress(found) || !LINKED.has(placeOf(match))) return null;
    bare ??= bareLinks(source, root);
    const link = rangeAround(bare, { start, end }, itself);
    if (link !== null) return link.start === start && link.end === end ? { start, end, place: "prose" } : null;
    const isInMarks = source[start - 1] === "<" && source[end] === ">";
    const isTarget = MAILTO.test(source.slice(Math.max(0, start - REACH), start));
    const isWhole = NEXT_IS_END.test(source.slice(end, end + 1));
    return isWhole && (isInMarks || isTarget) ? { start, end, place: "mail-target" } : null;
  };
}

/** Bare addresses in the text, which Markdown links automatically. */
const bareLinks = (source: string, root: Root): TextRange[] =>
  [...nodesOf(root)].flatMap((node) => {
    const range = node.type === "link" ? nodeRange(node) : null;
    return range === null || /[[<]/.test(source[range.start] ?? "") ? [] : [range];
  });
