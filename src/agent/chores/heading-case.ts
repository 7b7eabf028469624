import type { Nodes, Root } from "mdast";
import { nodesOf } from "./markdown-text.ts";
import type { TextEdit } from "./page-edits.ts";

/** How often each word (lower case) stands in running text with a small and with a capital first letter. */
export type WordCounts = Map<string, { small: number; capital: number }>;

// Chicago style: articles, short prepositions and conjunctions.
const SMALL_WORDS = new Set(
  "a an and as at but by en for from if in into nor of off on onto or over per so the to up via vs with yet".split(" "),
);
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*/gu;

/** Counts the words of paragraphs; a sentence's first word, always capital, tells nothing. */
export function countWords(root: Root, counts: WordCounts): void {
  for (const node of nodesOf(root)) {
    if (node.type !== "paragraph") continue;
    for (const child of nodesOf({ type: "root", children: node.children })) {
      if (child.type !== "text") continue;
      for (const match of child.value.matchAll(WORD)) {
        const before = child.value.slice(0, match.index).trimEnd();
        if (match.index === 0 || before === "" || /[.!?:…"“(]$/.test(before)) continue;
        const word = match[0].toLowerCase();
        const entry = counts.get(word) ?? { small: 0, capital: 0 };
        if (match[0] === word) entry.small += 1;
        else entry.capital += 1;
        counts.set(word, entry);
      }
    }
  }
}

/** Edits that bring the headings of a page into one case. Code, names and words with capitals inside stay. */
export function headingCaseEdits(
  source: string,
  root: Root,
  { style, words }: { style: "sentence" | "title"; words: WordCounts },
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const node of nodesOf(root)) {
    if (node.type !== "heading") continue;
    const texts = textsOf(node);
    const all = texts.flatMap(({ start, end }) =>
      [...source.slice(start, end).matchAll(WORD)].map((match) => ({ word: match[0], at: start + match.index })),
    );
    const startsWithText = texts[0]?.start === node.children[0]?.position?.start.offset;
    for (const { start, end } of texts) {
      const raw = source.slice(start, end);
      const changed = raw.replaceAll(WORD, (word, offset: number) => {
        const at = start + offset;
        const isFirst = startsWithText && all[0]?.at === at;
        const afterColon = /[:.!?]\s+$/.test(source.slice(Math.max(start, at - 3), at));
        const isLast = all.at(-1)?.at === at;
        if (/^&$/.test(source[at - 1] ?? "")) return word; // &nbsp;
        return style === "sentence"
          ? sentenceCase(word, isFirst || afterColon, words)
          : titleCase(word, isFirst || afterColon || isLast);
      });
      if (changed !== raw) edits.push({ start, end, text: changed });
    }
  }
  return edits;
}

function textsOf(heading: Nodes): { start: number; end: number }[] {
  const texts: { start: number; end: number }[] = [];
  const visit = (node: Nodes): void => {
    const { start, end } = node.position ?? {};
    if (node.type === "text" && start?.offset !== undefined && end?.offset !== undefined)
      texts.push({ start: start.offset, end: end.offset });
    else if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(heading);
  return texts;
}

/** Only words that the docs write small in running text, and mostly so, lose their capital. */
function sentenceCase(word: string, isFirst: boolean, words: WordCounts): string {
  const rest = word.slice(1);
  if (isFirst || rest !== rest.toLowerCase() || word === word.toLowerCase()) return word;
  const seen = words.get(word.toLowerCase());
  const isCommon = SMALL_WORDS.has(word.toLowerCase()) || (seen !== undefined && seen.small > seen.capital);
  return isCommon ? word.toLowerCase() : word;
}

function titleCase(word: string, isEdge: boolean): string {
  if (word !== word.toLowerCase())
    return SMALL_WORDS.has(word.toLowerCase()) && !isEdge && word.slice(1) === word.slice(1).toLowerCase()
      ? word.toLowerCase()
      : word;
  if (SMALL_WORDS.has(word) && !isEdge) return word;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
