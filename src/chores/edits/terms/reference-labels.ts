import { firstIndex } from "#lib/partition.ts";
import type { Root } from "mdast";
import { nodesOf, nodeRange } from "#docs/nodes.ts";
import { foldedLabel, oneLineLabel } from "#chores/edits/markdown-text.ts";
import { editText, type TextEdit } from "#chores/edits/page-edits.ts";
import { closingBracket } from "./visible-text.ts";

/**
 * `[webhook]` and `[webhook][]` take their address from the definition that their text names. If edits change that text, these
 * additional edits keep the label after it: `[event][webhook]`. All edits are for one page.
 */
export function labelEdits(source: string, root: Root, edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const labels: TextEdit[] = [];
  for (const node of nodesOf(root)) {
    if ((node.type !== "linkReference" && node.type !== "imageReference") || node.referenceType === "full") continue;
    const range = nodeRange(node);
    if (range === null) continue;
    const { end } = range;
    const open = source[range.start] === "!" ? range.start + 1 : range.start;
    const close = closingBracket(source, open, end);
    if (source[open] !== "[" || close === null) continue;
    const start = open + 1;
    const inside = editsWithin(sorted, start, close);
    if (inside.length === 0) continue;
    const label = source.slice(start, close);
    const shifted = inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    if (foldedLabel(editText(label, shifted)) === foldedLabel(label)) continue;
    const written = oneLineLabel(label);
    labels.push(
      node.referenceType === "shortcut"
        ? { start: end, end, text: `[${written}]` }
        : { start: end - 1, end: end - 1, text: written },
    );
  }
  return labels;
}

/** A binary search, because a page may consist of labels only. */
function editsWithin(sorted: readonly TextEdit[], start: number, end: number): TextEdit[] {
  const first = firstIndex(sorted.length, (index) => sorted[index]!.start >= start);
  const inside: TextEdit[] = [];
  for (let at = first; (sorted[at]?.end ?? Infinity) <= end; at += 1) inside.push(sorted[at] as TextEdit);
  return inside;
}
