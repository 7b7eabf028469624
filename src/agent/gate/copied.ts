import { type Judge, type ShownText, warning } from "./judge.ts";

/** Characters without white space: about eight lines of code, or three sentences. */
const MIN_RUN = 240;
// The shown text is split into blocks; every run of MIN_RUN characters contains at least one whole block.
const BLOCK = MIN_RUN / 2;
const MAX_SHOWN_CHARACTERS = 8_000_000;
const MAX_ADDED_CHARACTERS = 1_000_000;

/**
 * Shows the reviewer passages copied word for word from a source, whose code may be private. Compares with the text
 * that the model was shown, because it can copy nothing else.
 */
export const judgeCopied: Judge = (_deps, { texts, shownOfSources }) => {
  if (shownOfSources.length === 0) return [];
  const blocks = blocksOf(shownOfSources);
  let left = MAX_ADDED_CHARACTERS;
  return texts.flatMap(({ path, before, after }) => {
    const added = addedLines(before, after);
    const text = added
      .map((line) => line.text.replaceAll(/\s+/g, ""))
      .join("")
      .slice(0, left);
    left -= text.length;
    const found = longestRun(text, blocks);
    if (!found) return [];
    const message = `${found.length} characters in a row are word for word those of the source ${found.source}, which may be private.`;
    return [warning({ check: "policy", path, line: lineAtCharacter(added, found.start), message })];
  });
};

interface AddedLine {
  line: number;
  text: string;
}

/** Lines that the file did not have before, each as often as it has it now. */
function addedLines(before: string, after: string): AddedLine[] {
  const known = new Set(before.split("\n"));
  return after
    .split("\n")
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => !known.has(text));
}

type Blocks = ReadonlyMap<string, { source: string; text: string; at: number }>;

function blocksOf(shown: readonly ShownText[]): Blocks {
  const blocks = new Map<string, { source: string; text: string; at: number }>();
  let left = MAX_SHOWN_CHARACTERS;
  for (const { source, text: given } of shown) {
    const text = given.replaceAll(/\s+/g, "").slice(0, left);
    left -= text.length;
    for (let at = 0; at + BLOCK <= text.length; at += BLOCK)
      blocks.set(text.slice(at, at + BLOCK), { source, text, at });
  }
  return blocks;
}

function longestRun(text: string, blocks: Blocks): { source: string; start: number; length: number } | null {
  let longest: { source: string; start: number; length: number } | null = null;
  for (let at = 0; at + BLOCK <= text.length; at++) {
    const block = blocks.get(text.slice(at, at + BLOCK));
    if (!block) continue;
    let start = at;
    let end = at + BLOCK;
    const shift = block.at - at;
    // The first whole block of a run starts less than a block after the run's start.
    while (start > Math.max(0, at - BLOCK) && start + shift > 0 && text[start - 1] === block.text[start + shift - 1])
      start -= 1;
    while (end < text.length && text[end] === block.text[end + shift]) end += 1;
    const length = end - start;
    if (length >= MIN_RUN && length > (longest?.length ?? 0)) longest = { source: block.source, start, length };
    // The run has ended; the rest may contain another one.
    at = Math.max(at, end - BLOCK);
  }
  return longest;
}

function lineAtCharacter(lines: readonly AddedLine[], at: number): number | null {
  let passed = 0;
  for (const { line, text } of lines) {
    passed += text.replaceAll(/\s+/g, "").length;
    if (passed > at) return line;
  }
  return null;
}
