import { isDeletionAsked, isShorterAsked } from "./deletion-words.ts";
import { error, type Judge, type JudgedChange } from "./judge.ts";
import type { ParsedText } from "./parsed-texts.ts";
import { shownText } from "./shown-text.ts";

// One page of a small site may go unasked; of any site five, and a tenth of it where that is fewer.
const ALLOWED = 5;
const ALLOWED_SHARE = 0.1;
/** A page that shows less than this part of the text it showed counts as deleted, unless an instruction asks for shorter ones. */
const LEFT_SHARE = 0.4;
/** Less than this is no shorter page. */
const EMPTIED_SHARE = 0.1;
/** Half of a page's lines elsewhere: it was moved, split or put together with another. */
const MOVED_SHARE = 0.5;
const SHORTEST_PAGE = 200;

/** No more than a few pages disappear, from the docs or from the navigation, unless an instruction asks for it. */
export const judgeDeletions: Judge = (_deps, change) => {
  const total = change.before.pagesByPath.size;
  const allowed = Math.min(ALLOWED, Math.max(1, Math.floor(total * ALLOWED_SHARE)));
  const gone = [...new Set([...deletedPages(change), ...unlistedPages(change), ...unindexedPages(change)])];
  if (gone.length <= allowed || isDeletionAsked(change.prompts)) return [];
  const names = gone.slice(0, 5).join(", ") + (gone.length > 5 ? " …" : "");
  const message =
    `${gone.length} of ${total} pages would be gone from the docs, the navigation or search, or lose most of their text, and no instruction asks for it: ${names}. ` +
    "Keep them, or ask in words to delete or remove pages.";
  return [error({ check: "deletions", path: null, line: null, message })];
};

function deletedPages({ before, after, parsed, prompts }: JudgedChange): string[] {
  const share = isShorterAsked(prompts) ? EMPTIED_SHARE : LEFT_SHARE;
  const changed = parsed
    .filter((text) => text.before.source !== text.after.source)
    .map((text) => ({ path: text.path, was: readable(text.before), is: readable(text.after) }));
  const written = new Set(changed.flatMap(({ is }) => linesOf(is)));
  return changed
    .filter(({ path }) => before.pagesByPath.has(path))
    .filter(({ path, was, is }) => {
      if (after.pagesByPath.has(path)) {
        return was.length >= SHORTEST_PAGE && lengthOf(is) < lengthOf(was) * share;
      }
      const lines = linesOf(was);
      const kept = lines.filter((line) => written.has(line)).length;
      return lines.length === 0 || kept < lines.length * MOVED_SHARE;
    })
    .map(({ path }) => path);
}

const readable = ({ source, root }: ParsedText) => (root ? shownText(root, source) : source);

/** Characters without the blanks between words, which a comment leaves behind. */
const lengthOf = (text: string) => text.replaceAll(/\s+/g, " ").length;

/** Pages that a configured navigation named and no longer names. */
function unlistedPages({ before, after }: JudgedChange): string[] {
  if (before.config.navigation === null) return [];
  return [...before.pagesByPath.values()]
    .filter((page) => !page.hidden && after.pagesByPath.get(page.path)?.hidden === true)
    .map(({ path }) => path);
}

/** Pages that search engines, the site's own search and agents' lists no longer get. */
function unindexedPages({ before, after, prompts }: JudgedChange): string[] {
  if (prompts.some((prompt) => /index|search|robots/i.test(prompt))) return [];
  return [...before.pagesByPath.values()]
    .filter((page) => !page.noindex && after.pagesByPath.get(page.path)?.noindex === true)
    .map(({ path }) => path);
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "---");
