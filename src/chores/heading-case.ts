import type { Nodes, Root } from "mdast";
import { nodesOf, nodeRange, type TextRange } from "#docs/nodes.ts";
import { headingWordsEnd } from "./edits/markdown-text.ts";
import type { TextEdit } from "./edits/page-edits.ts";

/**
 * How often each word (in lower case) occurs in running text with a lower-case and with a capital first letter; and the same
 * for a word before another (`starter plan`) and after another (`~security policy`), which identifies names.
 */
export type WordCounts = Map<string, { small: number; capital: number }>;

// Articles, short prepositions and conjunctions; not "up", which is usually part of a verb (Set Up).
const SMALL_WORDS = new Set(
  "a an and as at but by en for from if in into nor of on onto or per so the to via vs with yet".split(" "),
);
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’]*/gu;

/**
 * Counts the words of paragraphs, and of headings that are already in sentence case. The first word of a sentence is skipped,
 * because it is always capitalized.
 */
export function countWords(root: Root, counts: WordCounts): void {
  for (const node of nodesOf(root)) {
    if (node.type !== "paragraph" && node.type !== "heading") continue;
    const texts = [...nodesOf({ type: "root", children: node.children })].filter((child) => child.type === "text");
    if (node.type === "heading" && !isSentence(texts.map(({ value }) => value).join(" "))) continue;
    for (const { value } of texts) countText(value, counts);
  }
}

/**
 * Whether a heading is in sentence case, where capitals indicate names: it has lower-case words other than articles and so
 * on.
 */
function isSentence(heading: string): boolean {
  const [, ...words] = heading.match(WORD) ?? [];
  return words.some((word) => word.length > 1 && word === word.toLowerCase() && !SMALL_WORDS.has(word));
}

function countText(text: string, counts: WordCounts): void {
  const words = [...text.matchAll(WORD)];
  for (const [index, match] of words.entries()) {
    const before = text.slice(Math.max(0, match.index - 20), match.index).trimEnd();
    if (match.index === 0 || before === "" || /[.!?:…"“(]$/.test(before)) continue;
    const word = match[0].toLowerCase();
    const isSmall = match[0] === word;
    const [previous, next] = [words[index - 1]?.[0].toLowerCase(), words[index + 1]?.[0].toLowerCase()];
    for (const key of [word, `${word} ${next}`, `~${previous} ${word}`]) {
      const entry = counts.get(key) ?? { small: 0, capital: 0 };
      if (isSmall) entry.small += 1;
      else entry.capital += 1;
      counts.set(key, entry);
    }
  }
}

/** Quotations in a heading are kept as on a screen; `:rocket:` is an icon. */
const KEPT = /:[a-z0-9_+-]+:|"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」/g;
/** `(Optional) Deploy`: the remark is not part of the heading. */
const REMARK = /^\s*(?:\([^)]*\)|\[[^\]]*\])\s*$/;

/** Edits that change the headings of a page to one case. Code, the given names and words with inner capitals stay. */
export function headingCaseEdits(
  source: string,
  root: Root,
  { style, words, names = [] }: { style: "sentence" | "title"; words: WordCounts; names?: readonly string[] },
): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const node of nodesOf(root)) {
    if (node.type !== "heading") continue;
    const wordsEnd = headingWordsEnd(source, node) ?? 0;
    const texts = textsOf(node)
      .map(({ start, end }) => ({ start, end: Math.min(end, wordsEnd) }))
      .filter(({ start, end }) => start < end);
    const kept = texts.flatMap(({ start, end }) => rangesOf(source.slice(start, end), KEPT, start));
    const isIcon = ({ at }: { at: number }) =>
      kept.some(({ from, to }) => source[from] === ":" && from < at && at < to);
    const all = texts
      .flatMap(({ start, end }) =>
        [...source.slice(start, end).matchAll(WORD)].map((match) => ({ word: match[0], at: start + match.index })),
      )
      .filter((entry) => !isIcon(entry));
    const startsWithText = firstWords(node)?.type === "text";
    const named = style === "sentence" ? namesIn(source, all, names) : new Set();
    const places = new Map(all.map((entry, index) => [entry.at, index]));
    for (const { start, end } of texts) {
      const raw = source.slice(start, end);
      const changed = raw.replaceAll(WORD, (word, offset: number) => {
        const at = start + offset;
        if (isPartOfName(source, at, word)) return word;
        if (named.has(at) || kept.some(({ from, to }) => at > from && at < to)) return word;
        const index = places.get(at) ?? 0;
        const isFirst =
          (startsWithText && index === 0) ||
          /[:.!?]\s+$/.test(source.slice(Math.max(start, at - 3), at)) ||
          REMARK.test(source.slice(texts[0]?.start ?? at, at));
        if (style === "title") return titleCase(word, isFirst || index === all.length - 1);
        const isNumbered = /^\s+\d/.test(source.slice(at + word.length, at + word.length + 3));
        return isFirst || isNumbered
          ? word
          : sentenceCase(word, { previous: all[index - 1]?.word, next: all[index + 1]?.word, words });
      });
      if (changed !== raw) edits.push({ start, end, text: changed });
    }
  }
  return edits;
}

/** `&nbsp;`, `Tree.Folder`, `docs/Setup`, `snake_Case`: not a word of the language. */
function isPartOfName(source: string, at: number, word: string): boolean {
  const after = source.slice(at + word.length, at + word.length + 2);
  return /[&./_@#\\]/.test(source[at - 1] ?? "") || /^(?:[._/][\p{L}\p{N}]|\()/u.test(after);
}

const rangesOf = (text: string, expression: RegExp, offset: number) =>
  [...text.matchAll(expression)].map(({ 0: found, index }) => ({
    from: offset + index,
    to: offset + index + found.length,
  }));

/** Offsets of words that are one of these names, or part of one. */
function namesIn(
  source: string,
  words: readonly { word: string; at: number }[],
  names: readonly string[],
): Set<number> {
  const found = new Set<number>();
  for (const name of names) {
    const parts = name.match(WORD) ?? [];
    for (const [index, { at }] of words.entries()) {
      const run = words.slice(index, index + parts.length);
      const last = run.at(-1);
      if (last === undefined || run.some(({ word }, part) => word !== parts[part])) continue;
      if (source.slice(at, last.at + last.word.length) === name) for (const each of run) found.add(each.at);
    }
  }
  return found;
}

/** The first visible text of a heading, after icons and images. */
function firstWords(heading: Nodes): Nodes | undefined {
  return [...nodesOf(heading)].find(
    (node) => node.type === "inlineCode" || (node.type === "text" && /\p{L}/u.test(node.value.replaceAll(KEPT, ""))),
  );
}

const textsOf = (heading: Nodes): TextRange[] =>
  [...nodesOf(heading)].flatMap((node) => (node.type === "text" ? (nodeRange(node) ?? []) : []));

/** Only words that the docs write in lower case in running text lose their capital; in the same phrase, if it occurs there. */
function sentenceCase(
  word: string,
  { previous, next, words }: { previous: string | undefined; next: string | undefined; words: WordCounts },
): string {
  const small = word.toLowerCase();
  if (word.length === 1) return word === "A" && isArticle(previous, next) ? "a" : word;
  if (word === small || word.slice(1) !== word.slice(1).toLowerCase()) return word;
  const behind = words.get(`~${previous?.toLowerCase()} ${small}`);
  const pairs = [words.get(`${small} ${next?.toLowerCase()}`), behind].filter((seen) => seen !== undefined);
  if (pairs.some((seen) => seen.capital >= seen.small)) return word;
  // "Google Cloud Platform": the word after a name may be part of it, unless it occurs there in lower case.
  const name = words.get(previous?.toLowerCase() ?? "");
  if (SMALL_WORDS.has(small)) return small;
  if (behind === undefined && name && name.capital > name.small && previous !== previous?.toLowerCase()) return word;
  const seen = words.get(small);
  const isCommon = pairs.length > 0 || (seen !== undefined && seen.small > seen.capital);
  return isCommon ? small : word;
}

/** "A Project", but not "Option A", "Plan A Today" and "A to Z". */
function isArticle(previous: string | undefined, next: string | undefined): boolean {
  if (previous === undefined || NUMBERED.test(previous) || next === undefined || next.length === 1) return false;
  return !SMALL_WORDS.has(next.toLowerCase()) && !/^(?:is|are|has)$/i.test(next);
}

const NUMBERED =
  /^(?:options?|plans?|types?|class|steps?|appendix|sections?|parts?|cases?|versions?|groups?|variants?|teams?|tiers?|levels?|points?|figures?|tables?|examples?|models?|records?|schedule|annex|exhibit|vitamin|series|site|hepatitis)$/i;

function titleCase(word: string, isEdge: boolean): string {
  // "v2", "s3"
  if (/\p{N}/u.test(word)) return word;
  if (word !== word.toLowerCase())
    return SMALL_WORDS.has(word.toLowerCase()) && !isEdge && word.slice(1) === word.slice(1).toLowerCase()
      ? word.toLowerCase()
      : word;
  if (SMALL_WORDS.has(word) && !isEdge) return word;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
