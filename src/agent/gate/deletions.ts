import { error, type Judge, type JudgedChange, type ParsedText } from "./judge.ts";
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

// In the languages that prompts were written in so far. A request to merge pages asks for some of them to go.
const WORDS =
  /(?<![\p{L}\p{N}])(?:delet\w*|remov\w*|(?:drop(?:s|ped|ping)?|prun(?:e|es|ed|ing)|discard(?:s|ed|ing)?|eras(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|unpublish(?:es|ed|ing)?|hid(?:e|es|ing|den)|archiv(?:e|es|ed|ing)|merg(?:e|es|ed|ing)|combin(?:e|es|ed|ing)|get(?:ting)? rid|throw(?:ing)? (?:away|out)|tak(?:e|ing) (?:out|down)|clean(?:ing)? (?:up|out)|clear(?:ing)? out)(?!\p{L})|consolidat\w*|lösch\w*|entfern\w*|supprim\w*|enlev\w*|elimin\w*|borra\w*|quita\w*|suprim\w*|apaga\w*|cancellare|rimuov\w*|verwijder\w*|usuń|удал|убер)/giu;
const WORDS_WITHOUT_SPACES = /删除|移除|刪除|削除|取り除|삭제|제거/;
// "Do not remove anything", "without deleting a page".
const DENIED =
  /(?:\b(?:not|never|without|no|avoid|nothing|instead of)|n['’]t|\b(?:nicht|keine?|ohne|ne|sans|non|sin|sem))(?:\s+[\p{L}\p{N}_-]+){0,2}\s*$/iu;
const LOOK_BACK = 60;

/** Whether one of the instructions asks, in words, that something is taken away. */
export function isDeletionAsked(prompts: readonly string[]): boolean {
  return prompts.some((prompt) => {
    if (WORDS_WITHOUT_SPACES.test(prompt)) return true;
    return [...prompt.matchAll(WORDS)].some(
      ({ index }) => !DENIED.test(prompt.slice(Math.max(0, index - LOOK_BACK), index).replaceAll("_", " ")),
    );
  });
}

const SHORTER =
  /\b(?:shorten|shorter|condens|trim|summari[sz]|simplif|rewrit|rework|restructur|reorgani[sz]|split|extract|mov(?:e|es|ing)|brief|concise|kürz|zusammenfass|resum|raccourc|abrevi|accorci)/i;

/** Whether one of the instructions asks for texts that are shorter, or in another place. */
export const isShorterAsked = (prompts: readonly string[]): boolean => prompts.some((prompt) => SHORTER.test(prompt));
