import type { Docs } from "#docs/page-tree.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { error, type Judge, type JudgedChange, type Judgement, warning } from "./judge.ts";
import { machineWords, type PlacedWord, seenWords } from "./seen-text.ts";

/** Fewer words by themselves are names, values of attributes and the like. */
const SHORTEST = 4;
const MAX_SHOWN_CHARACTERS = 200;
const MAX_FINDINGS = 50;
/** A change without any of these adds and takes away nothing but prose, which everybody sees. */
const MARKUP = /[<>{}]|\]:|\[\^|^\s*(?:export|import)\b/;

/**
 * No words are for machines alone: what agents read of a page (its Markdown) and people do not surely see (the page as it
 * is rendered) is named, unless it was so before. A rule of the project makes it a refusal.
 */
export const judgeSurfaces: Judge = async ({ render }, change) => {
  if (render === undefined) return [];
  const judgements: Judgement[] = [];
  for (const { path, before, after } of change.texts) {
    if (!/\.mdx?$|\.markdown$/i.test(path) || after === "" || !touchesMarkup(before, after)) continue;
    const unseen = await unseenRuns(change, { path, before, after }, render);
    for (const { line, text } of unseen) {
      if (judgements.length >= MAX_FINDINGS) return judgements;
      const message = `Agents would read this, and people may not see it: “${text}”`;
      const finding = { check: "surfaces" as const, path, line, message };
      judgements.push(change.refusesUnseenWords ? error(finding) : warning(finding));
    }
  }
  return judgements;
};

function touchesMarkup(before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const [known, kept] = [new Set(old), new Set(now)];
  const changed = [...now!.filter((line) => !known.has(line)), ...old!.filter((line) => !kept.has(line))];
  return changed.some((line) => MARKUP.test(line));
}

type Render = NonNullable<Parameters<Judge>[0]["render"]>;

async function unseenRuns(
  { base, head, before: docsBefore, after: docsAfter }: JudgedChange,
  { path, before, after }: { path: string; before: string; after: string },
  render: Render,
): Promise<{ line: number; text: string }[]> {
  const words = machineWords(after);
  const pageIn = (snapshot: Snapshot, { contentRoot }: Docs) => render({ path, snapshot, contentRoot });
  const was = surplusOf(machineWords(before), before === "" ? null : await pageIn(base, docsBefore));
  const is = surplusOf(words, await pageIn(head, docsAfter));
  for (const [word, count] of was) if (is.has(word)) is.set(word, is.get(word)! - count);
  const runs: PlacedWord[][] = [];
  let run: PlacedWord[] = [];
  let gap = 0;
  for (const word of words) {
    const isUnseen = (is.get(word.word) ?? 0) > 0;
    // A word that stands elsewhere on the page, too, does not break a sentence.
    if (isUnseen || (run.length > 0 && gap === 0)) run.push(word);
    gap = isUnseen ? 0 : gap + 1;
    if (gap > 1 && run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  runs.push(run);
  const isSeen = ({ word }: PlacedWord) => (is.get(word) ?? 0) <= 0;
  return runs
    .map((each) => each.slice(0, each.findLastIndex((word) => !isSeen(word)) + 1))
    .filter((each) => each.filter((word) => !isSeen(word) && !isNumber(word)).length >= SHORTEST)
    .map((each) => ({ line: each[0]!.line, text: shownText(each) }));
}

/** How often more programs read each word of a page than people surely see it. Null, where it cannot be rendered: all is seen. */
function surplusOf(words: readonly PlacedWord[], rendered: { html: string; css: string } | null): Map<string, number> {
  const surplus = new Map<string, number>();
  if (rendered === null) return surplus;
  for (const { word } of words) surplus.set(word, (surplus.get(word) ?? 0) + 1);
  for (const word of seenWords(rendered)) if (surplus.has(word)) surplus.set(word, surplus.get(word)! - 1);
  return surplus;
}

/** Sizes, places and colours of drawings, cells of tables. */
const isNumber = ({ word }: PlacedWord) => /^(?:\d+|[\da-f]{6})$/.test(word);

function shownText(words: readonly PlacedWord[]): string {
  const text = words.map(({ word }) => word).join(" ");
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
