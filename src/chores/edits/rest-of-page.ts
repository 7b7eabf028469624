import type { Nodes, Root } from "mdast";
import { formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import { AppError } from "#lib/app-error.ts";
import { openTags } from "./html-tags.ts";
import { nodesOf, nodeText } from "./markdown-text.ts";
import type { TextEdit } from "./page-edits.ts";

/** A page's text with what a parser made of it. */
interface ParsedText {
  source: string;
  root: Root;
}

/** Blocks that readers see as such. Two lists that become one are none: their items stay what they are. */
const BLOCKS = /^(?:heading|paragraph|code|table|html|thematicBreak|blockquote|mdxJsxFlowElement)$/;
const MAX_SHOWN = 60;

/**
 * Throws `AppError invalid` where an edit would make something else of what stands outside of it: a code block that its text
 * leaves open takes the rest of the page in, a quote that is cut takes what follows, and a tag may lose its other half.
 */
export function refuseChangedRest(before: ParsedText, after: ParsedText, edit: TextEdit): void {
  const editEnd = edit.start + edit.text.length;
  const holder = [...nodesOf(after.root)].find(
    (node) => /^(?:code|html)$/.test(node.type) && startOf(node) < edit.start && endOf(node) > edit.start + 1,
  );
  if (holder && edit.text.trim() !== "")
    throw new AppError("invalid", `The page leaves a block open on line ${lineOf(holder)}. Close it first.`);
  const open = [...nodesOf(after.root)].find(
    (node) => node.type === "code" && startOf(node) >= edit.start && startOf(node) < editEnd && endOf(node) > editEnd,
  );
  if (open) throw new AppError("invalid", "The text leaves a code block open. Give the block its end.");
  const formula = formulasIn(after.source, "none").find(
    ({ start, end, isSingle }) => !isSingle && end > editEnd && start < editEnd && end > edit.start,
  );
  if (formula && edit.text.trim() !== "")
    throw new AppError("invalid", "A formula that begins with $$ has no end, here or above. Close it first.");
  refuseCutTags(before, after, edit);
  const now = new Set(blocksOf(after.root).flatMap((block) => outside(block, edit.start, editEnd, 0)));
  for (const block of blocksOf(before.root)) {
    const [key] = outside(block, edit.start, edit.end, editEnd - edit.end);
    if (key === undefined || now.has(key)) continue;
    const words = (nodeText(block.node) ?? "").replaceAll(/\s+/g, " ").slice(0, MAX_SHOWN);
    throw new AppError(
      "invalid",
      `Line ${lineOf(block.node)}${words === "" ? "" : ` (“${words}”)`} would be read as something else then: a block of the text has no end, or the section stands in a quote or a list. Close it, or edit the page by hand.`,
    );
  }
}

interface Block {
  node: Nodes;
  /** What it stands in. */
  within: string;
}

function blocksOf(root: Root): Block[] {
  const found: Block[] = [];
  const visit = (node: Nodes, within: string): void => {
    if (BLOCKS.test(node.type)) found.push({ node, within });
    if (!("children" in node) || node.type === "paragraph" || node.type === "heading") return;
    const inner = node.type === "root" ? "" : `${within}>${node.type}`;
    for (const child of node.children) visit(child, inner);
  };
  visit(root, "");
  return found;
}

/** What a block outside of an edit is, and where; nothing for one that the edit touches. */
function outside({ node, within }: Block, start: number, end: number, shift: number): string[] {
  const [from, to] = [startOf(node), endOf(node)];
  if (to > start && from < end) return [];
  if (start === end && from < start && to > start) return [];
  const depth = node.type === "heading" ? String(node.depth) : "";
  return [`${within}:${node.type}${depth}:${from >= end ? from + shift : from}`];
}

/** Tags of HTML that open within what is removed and close outside of it, or the other way round. MDX has elements for them. */
function refuseCutTags(before: ParsedText, after: ParsedText, edit: TextEdit): void {
  const inRange = ({ root }: ParsedText, start: number, end: number) =>
    [...nodesOf(root)].flatMap((node) =>
      node.type === "html" && startOf(node) >= start && endOf(node) <= end ? [node.value] : [],
    );
  const was = openTags(inRange(before, edit.start, edit.end));
  const is = openTags(inRange(after, edit.start, edit.start + edit.text.length));
  const [cut, added] = [new Set(was), new Set(is)];
  const tag = [...was, ...is].find((one) => !(cut.has(one) && added.has(one)));
  if (tag !== undefined)
    throw new AppError("invalid", `“${tag}” has its other half outside of the section. Edit these lines by hand.`);
}

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0;
const endOf = (node: Nodes): number => node.position?.end.offset ?? 0;
const lineOf = (node: Nodes): number => node.position?.start.line ?? 0;
