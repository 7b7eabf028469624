import { invisibleRuns, nameOfCharacter } from "#lib/invisible-text.ts";
import { error, type Judge, Multiset } from "./judge.ts";
import { createLineIndex } from "#lib/line-index.ts";

const MAX_NAMED = 5;

/**
 * Refuses new characters that are invisible to people but not to machines. Existing ones in the changed files may stay
 * and move: each sequence is counted.
 */
export const judgeInvisible: Judge = (_deps, { texts }) => {
  const known = new Multiset(texts.flatMap(({ before }) => invisibleRuns(before)).map(({ text }) => text));
  return texts.flatMap(({ path, after }) => {
    const lines = createLineIndex(after);
    return invisibleRuns(after)
      .filter(({ text }) => !known.remove(text))
      .map(({ start, text }) => {
        const characters = Array.from(text);
        const names = characters.slice(0, MAX_NAMED).map(nameOfCharacter).join(" ");
        const more = characters.length > MAX_NAMED ? ` and ${characters.length - MAX_NAMED} more` : "";
        const message = `Invisible characters may not be added: ${names}${more}.`;
        return error({ check: "invisible", path, line: lines(start), message });
      });
  });
};
