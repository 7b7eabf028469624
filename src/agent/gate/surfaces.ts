import type { Docs } from "#docs/tree/page-tree.ts";
import { fillVariables } from "#docs/variables.ts";
import { createLineIndex, createLines } from "#lib/line-index.ts";
import { markdownFormat } from "#docs/parser.ts";
import { describedTexts } from "./described-texts.ts";
import { includingPages, includingSite, type IncludingSites, inlined, isRewritten } from "./including-pages.ts";
import { type Finding, error, type Judge, type JudgedChange, type Judgement, warning } from "./judge.ts";
import { machineWords } from "./machine-words.ts";
import { renamedTexts } from "./moved-texts.ts";
import type { PlacedWord } from "./page-words.ts";
import { classesOf, seenWords } from "./seen-text.ts";

/** Shorter runs of words are usually names or attribute values. */
const SHORTEST = 4;
/** More words than this in shorter runs may be a sentence in pieces. */
const MOST_IN_PIECES = 8;
const MAX_SHOWN_CHARACTERS = 200;
const MAX_FINDINGS = 50;

/**
 * Warns about words that agents read in a page's Markdown and that people may not see on the rendered page, unless they
 * were already hidden before the change. With the project's rule `unseenWords: refuse` they are errors.
 */
export const judgeSurfaces: Judge = async ({ render }, change) => {
  if (render === undefined) return [];
  const judgements: Judgement[] = [];
  const add = (finding: Finding) => judgements.push(change.refusesUnseenWords ? error(finding) : warning(finding));
  let unlisted = 0;
  const texts = renamedTexts(change.texts);
  const sites = {
    before: await includingSite(change.base, change.before),
    after: await includingSite(change.head, change.after),
  };
  const edited = texts.filter(isRewritten);
  const including = await includingPages(change, texts, sites);
  const named = new Set<string>();
  for (const { path, from = path, before, after } of [...edited, ...including]) {
    const unseen =
      markdownFormat(path) === null
        ? await unseenInDescription(change, { path, before, after }, render)
        : await unseenInPage({ change, sites, render }, { path, from, before, after });
    for (const { line, text } of unseen) {
      // Text that an included file itself hides is named there.
      if (before !== after) named.add(text);
      else if (named.has(text) && text !== NOT_COMPARED) continue;
      if (judgements.length >= MAX_FINDINGS) unlisted += 1;
      else {
        const words = `Agents would read this, and people may not see it: “${text}”`;
        add({ check: "surfaces", path, line, message: text === NOT_COMPARED ? text : words });
      }
    }
  }
  if (unlisted > 0) {
    const message = `Agents would read ${unlisted} more texts that people may not see and that are not listed.`;
    add({ check: "surfaces", path: null, line: null, message });
  }
  return judgements;
};

type Render = NonNullable<Parameters<Judge>[0]["render"]>;

interface Texts {
  path: string;
  before: string;
  after: string;
}

interface Unseen {
  line: number | null;
  text: string;
}

/** With the files that a page includes. A million takes 1.5 s, in which nothing else runs. */
const MAX_COMPARED_CHARACTERS = 1_000_000;
const NOT_COMPARED = `With the files that it includes, the page has more than ${MAX_COMPARED_CHARACTERS / 1_000_000} million characters: it was not checked for words that only agents read.`;

async function unseenInPage(
  { change, sites, render }: { change: JudgedChange; sites: IncludingSites; render: Render },
  texts: Texts & { from: string },
): Promise<Unseen[]> {
  if (texts.after === "") return [];
  const before = await inlined(sites.before, texts.from, texts.before);
  const after = await inlined(sites.after, texts.path, texts.after);
  if (after.source.length > Math.max(MAX_COMPARED_CHARACTERS, texts.after.length))
    return [{ line: null, text: NOT_COMPARED }];
  const filled = {
    before: fillVariables(before.source, change.before.config.variables),
    after: fillVariables(after.source, change.after.config.variables),
  };
  const runs = await unseenRuns(filled, {
    before: () => render({ path: texts.from, snapshot: change.base, docs: change.before }),
    after: () => render({ path: texts.path, snapshot: change.head, docs: change.after }),
  });
  if (runs.length === 0) return [];
  const { starts } = createLines(after.source);
  const lineOf = createLineIndex(texts.after);
  return runs.map(({ line, text }) => ({ line: lineOf(after.start(starts[line - 1] ?? 0)), text }));
}

async function unseenInDescription(change: JudgedChange, { path, ...texts }: Texts, render: Render): Promise<Unseen[]> {
  const described = describedTexts(path, texts.before, texts.after);
  if (described === null) return [];
  const page = `${path}.md`;
  const pageOf = (text: string, docs: Docs) => {
    const read = (requested: string) => Promise.resolve(requested === page ? new TextEncoder().encode(text) : null);
    return render({ path: page, snapshot: { files: () => Promise.resolve([]), read }, docs });
  };
  const runs = await unseenRuns(described, {
    before: () => pageOf(described.before, change.before),
    after: () => pageOf(described.after, change.after),
  });
  return runs.map(({ text }) => ({ line: null, text }));
}

type Rendering = ReturnType<Render>;

async function unseenRuns(
  { before, after }: Omit<Texts, "path">,
  render: { before(): Rendering; after(): Rendering },
): Promise<ReturnType<typeof unseenIn>> {
  const { words, surplus: is } = surplusOf(after, await render.after());
  if (unseenIn(words, is).length === 0) return [];
  const { surplus: was } = surplusOf(before, before === "" ? null : await render.before());
  // People may see a word more often than programs read it, such as the text of a badge in an attribute.
  for (const [word, count] of was) if (count > 0 && is.has(word)) is.set(word, is.get(word)! - count);
  return unseenIn(words, is);
}

/** Runs of words that people may not see. Runs too short for a sentence are added up. */
function unseenIn(
  words: readonly PlacedWord[],
  surplus: ReadonlyMap<string, number>,
): { line: number; text: string }[] {
  const isUnseen = ({ word }: PlacedWord) => (surplus.get(word) ?? 0) > 0;
  const weightOf = (run: readonly PlacedWord[]) =>
    run.filter((each) => isUnseen(each) && !isNumber(each)).reduce((sum, { weight }) => sum + weight, 0);
  const runs = runsOf(words, isUnseen);
  const sentences = runs.filter((run) => weightOf(run) >= SHORTEST);
  const pieces = runs.filter((run) => weightOf(run) > 0 && weightOf(run) < SHORTEST);
  const together = unseenWeight(pieces.flat(), surplus) >= MOST_IN_PIECES ? [pieces] : [];
  return [...sentences.map((run) => [run]), ...together].map((parts) => ({
    line: parts[0]![0]!.line,
    text: shownText(parts),
  }));
}

/** Weight of the unseen words: a word that is also seen elsewhere counts only as often as it is unseen. */
function unseenWeight(words: readonly PlacedWord[], surplus: ReadonlyMap<string, number>): number {
  const left = new Map(surplus);
  let sum = 0;
  for (const each of words) {
    const unseen = left.get(each.word) ?? 0;
    if (unseen <= 0 || isNumber(each)) continue;
    left.set(each.word, unseen - 1);
    sum += each.weight;
  }
  return sum;
}

function runsOf(words: readonly PlacedWord[], isUnseen: (word: PlacedWord) => boolean): PlacedWord[][] {
  const runs: PlacedWord[][] = [];
  let run: PlacedWord[] = [];
  let gap = 0;
  for (const word of words) {
    // A word that is also visible elsewhere on the page does not end a run.
    if (isUnseen(word) || (run.length > 0 && gap === 0)) run.push(word);
    gap = isUnseen(word) ? 0 : gap + 1;
    if (gap > 1 && run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  runs.push(run);
  return runs.map((each) => each.slice(0, each.findLastIndex(isUnseen) + 1)).filter((each) => each.length > 0);
}

/** How many more times programs read each word of a page than people certainly see it; empty without a rendering. */
function surplusOf(source: string, rendered: { html: string; css: string } | null) {
  const words = machineWords(source, rendered === null ? undefined : classesOf(rendered.css).known);
  const surplus = new Map<string, number>();
  if (rendered === null) return { words, surplus };
  for (const { word } of words) surplus.set(word, (surplus.get(word) ?? 0) + 1);
  for (const word of seenWords(rendered)) if (surplus.has(word)) surplus.set(word, surplus.get(word)! - 1);
  return { words, surplus };
}

/** Sizes, coordinates and colors of drawings, or table cells. */
const isNumber = ({ word }: PlacedWord) => /^(?:\d+|[\da-f]{6})$/.test(word);

function shownText(runs: readonly (readonly PlacedWord[])[]): string {
  const text = runs.map((run) => run.map(({ word }) => word).join(" ")).join(" … ");
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
