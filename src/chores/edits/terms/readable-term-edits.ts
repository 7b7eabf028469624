import type { Nodes, Root } from "mdast";
import { nodesOf, nodeRange, type TextRange } from "#docs/nodes.ts";
import { editText } from "#chores/edits/page-edits.ts";
import { labelEdits } from "./reference-labels.ts";
import { type TermPage, type TermEditOptions, type TermEdits, termEdits } from "./term-edits.ts";
import type { TermMatcher } from "./term-matcher.ts";

/** Code, bold text or a link from the first character to the last: the author means Markdown, not literal characters. */
const MARKDOWN = /^(?:`[^`\n]+`|\*\*[^*\n]+\*\*|\[[^\]\n]+\]\([^()\s]+\))$/;

type Parse = (text: string) => Promise<Root | null>;

/**
 * The edits of `termEdits`, checked by parsing the result: if the new words would be markup (`__init__`, `- b`, a label that
 * the page defines), they are escaped. If that does not help, that block is left unchanged, or all if blocks are ambiguous.
 */
export async function readableTermEdits(
  page: TermPage,
  matcher: TermMatcher,
  { to, parse, ...options }: TermEditOptions & { to: string; parse: Parse },
): Promise<TermEdits> {
  const plain = termEdits(page, matcher, options);
  if (MARKDOWN.test(to.trim())) return plain;
  if (plain.words.size === 0 || !mayBeMarkup(to, page.root)) return plain;
  if ((await misreadBlocks(page, plain, parse)).length === 0) return plain;
  const escaped = termEdits(page, matcher, { ...options, isEscaped: true });
  const refused = await misreadBlocks(page, escaped, parse);
  if (refused.length === 0) return escaped;
  const elsewhere = termEdits(page, matcher, { ...options, isEscaped: true, refused });
  if ((await misreadBlocks(page, elsewhere, parse)).length === 0) return elsewhere;
  return termEdits(page, matcher, { ...options, refused: [{ start: 0, end: page.source.length }] });
}

/** Words of letters are plain text, except between brackets on a page with definitions, where they may be a label. */
const mayBeMarkup = (to: string, root: Root): boolean =>
  /[^\p{L}\p{M}\p{N}\s]/u.test(to) ||
  [...nodesOf(root)].some(({ type }) => type === "definition" || type === "footnoteDefinition");

/**
 * The blocks of a page that would read differently, with the new words in place of the old ones: markers stand in for those.
 * The whole page if the number of blocks differs.
 */
async function misreadBlocks(
  { source, root }: TermPage,
  { edits, words }: TermEdits,
  parse: Parse,
): Promise<TextRange[]> {
  if (/[\uE000\uE001]/.test(source)) return [];
  const requested: string[] = [];
  // Insertions are labels: they need no marker if the new words are still the label.
  const replacing = edits.filter(({ start, end }) => start < end);
  const marked = replacing.map((edit) => {
    const word = words.get(edit.start);
    if (word === undefined) return edit;
    requested.push(word);
    return { ...edit, text: `\uE000${requested.length - 1}\uE001` };
  });
  const [meant, written] = await Promise.all(
    [editText(source, [...marked, ...labelEdits(source, root, marked)]), editText(source, edits)].map(parse),
  );
  // A page that no longer parses is rejected when it is written.
  if (!meant || !written) return [];
  const isSame = new Set([meant, written, root].map(({ children }) => children.length)).size === 1;
  if (!isSame) return [{ start: 0, end: source.length }];
  const read = (text: string) =>
    oneLine(text.replaceAll(/\uE000(\d+)\uE001/g, (_mark, index: string) => requested[Number(index)] ?? ""));
  return root.children.flatMap((block, index) => {
    const [expected, seen] = [meant, written].map(({ children }) => shown(children[index] as Nodes));
    if (read(expected ?? "") === oneLine(seen ?? "")) return [];
    return [nodeRange(block) ?? { start: 0, end: source.length }];
  });
}

function shown(block: Nodes): string {
  const parts: string[] = [];
  for (const node of nodesOf(block)) {
    if (node.type === "image" || node.type === "imageReference") parts.push(node.alt ?? "");
    else if ("value" in node && node.type !== "yaml") parts.push(node.value);
  }
  return parts.join("");
}

const oneLine = (text: string) => text.replaceAll(/(?:\s|&nbsp;)+(?:>\s*)*/g, " ").trim();
