import { bodyBelowFrontMatter } from "#docs/front-matter.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import { isDeletionAsked, isShorterAsked } from "./deletions.ts";
import { type Judge, warning, type ParsedText } from "./judge.ts";
import { shownText } from "./shown-text.ts";

/** Shorter ones are headings, cells and labels. */
const SHORTEST = 4;
/** The share of a sentence that must appear in a new one for it to count as rewritten. */
const KEPT_SHARE = 0.4;
/** A word that appears in more new sentences than this does not identify one. */
const COMMON = 50;
const MAX_PAGES = 50;
const MAX_SHOWN_CHARACTERS = 160;

/** Warns about visible sentences that no changed page has any more, page by page, unless an instruction asks for it. */
export const judgeLostSentences: Judge = async (_deps, { parsed, prompts }) => {
  if (isDeletionAsked(prompts) || isShorterAsked(prompts)) return [];
  const breathe = createBreather();
  const changed: { path: string; before: Sentence[]; after: Sentence[] }[] = [];
  for (const { path, before, after } of parsed) {
    if (before.source === after.source) continue;
    changed.push({ path, before: sentencesOf(before), after: sentencesOf(after) });
    await breathe();
  }
  const now = changed.flatMap(({ after }) => after);
  const kept = new Set(now.map(({ key }) => key));
  const old = new Set(changed.flatMap(({ before }) => before.map(({ key }) => key)));
  const rewritten = findRewritten(now.filter(({ key }) => !old.has(key)).map(({ text }) => text));
  const lost: { path: string; gone: string[] }[] = [];
  for (const { path, before } of changed) {
    const gone = before.filter(({ key, text }) => !kept.has(key) && !rewritten(text)).map(({ text }) => text);
    if (gone.length > 0) lost.push({ path, gone });
    await breathe();
  }
  const listed = lost.slice(0, MAX_PAGES).map(({ path, gone }) => {
    const [first = ""] = gone;
    const text = first.length > MAX_SHOWN_CHARACTERS ? `${first.slice(0, MAX_SHOWN_CHARACTERS)}…` : first;
    const count = gone.length === 1 ? "A sentence is" : `${gone.length} sentences are`;
    const message = `${count} gone that people saw, and no instruction asks for it: “${text}”`;
    return warning({ check: "deletions", path, line: null, message });
  });
  if (lost.length <= MAX_PAGES) return listed;
  const message = `Sentences that people saw are gone from ${lost.length - MAX_PAGES} more pages that are not listed.`;
  return [...listed, warning({ check: "deletions", path: null, line: null, message })];
};

interface Sentence {
  text: string;
  /** Its words, independent of markup and case. */
  key: string;
}

/** Visible sentences of a page's prose and lines of its code. */
function sentencesOf({ source, root }: ParsedText): Sentence[] {
  if (root === null) return [];
  const text = shownText(root, source);
  return (bodyBelowFrontMatter(text) ?? text)
    .split(/\n[ \t]*\n|(?<=[.!?。！？])\s+|[。！？]|\n(?=[ \t]{0,20}(?:[-*+#|>]|\d{1,9}[.)]))/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim())
    .map((sentence) => ({ sentence, words: wordsIn(sentence) }))
    .filter(({ words }) => words.length >= SHORTEST)
    .map(({ sentence, words }) => ({ text: sentence, key: words.join(" ") }));
}

const WORD = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
const wordsIn = (sentence: string) =>
  sentence
    .replaceAll(/\]\([^()\s]{0,500}/g, "]")
    .toLowerCase()
    .match(WORD) ?? [];

/** Returns a test of whether a sentence was rewritten into one of these. Only those with a common rare word count. */
function findRewritten(sentences: readonly string[]): (sentence: string) => boolean {
  const places = new Map<string, number[]>();
  for (const [index, sentence] of sentences.entries()) {
    for (const word of new Set(wordsIn(sentence))) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [index]);
      else if (known.length <= COMMON) known.push(index);
    }
  }
  return (sentence) => {
    const words = [...new Set(wordsIn(sentence))];
    const telling = words.filter((word) => (places.get(word)?.length ?? 0) <= COMMON);
    if (telling.length === 0) return true;
    const shared = new Map<number, number>();
    for (const word of telling)
      for (const index of places.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    return Math.max(0, ...shared.values()) >= Math.max(1, telling.length * KEPT_SHARE);
  };
}
