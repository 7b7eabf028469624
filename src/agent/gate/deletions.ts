import { error, type Judge, type JudgedChange, type ParsedText } from "./judge.ts";
import { shownText } from "./shown-text.ts";

// Pages that may be deleted without a request: five, or a tenth of the site if that is fewer, but at least one.
const ALLOWED = 5;
const ALLOWED_SHARE = 0.1;
/** A page that shows less than this share of its former text counts as deleted, unless an instruction asks for less. */
const LEFT_SHARE = 0.4;
/** A page below this share counts as deleted even then. */
const EMPTIED_SHARE = 0.1;
/** A page whose lines are elsewhere to this share was moved, split or merged. */
const MOVED_SHARE = 0.5;
const SHORTEST_PAGE = 200;

/** Refuses to remove more than a few pages from the docs or the navigation, unless an instruction asks for it. */
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

/** Length with collapsed white space, because a removed comment leaves blanks. */
const lengthOf = (text: string) => text.replaceAll(/\s+/g, " ").length;

/** Pages that were removed from a configured navigation. */
function unlistedPages({ before, after }: JudgedChange): string[] {
  if (before.config.navigation === null) return [];
  return [...before.pagesByPath.values()]
    .filter((page) => !page.hidden && after.pagesByPath.get(page.path)?.hidden === true)
    .map(({ path }) => path);
}

/** Pages that were hidden from search engines, the site's own search and lists for agents. */
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

// In the languages of prompts so far. A request to merge pages is a request to delete some of them.
const WORDS =
  /(?<![\p{L}\p{N}])(?:delet\w*|remov\w*|(?:drop(?:s|ped|ping)?|prun(?:e|es|ed|ing)|discard(?:s|ed|ing)?|eras(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|unpublish(?:es|ed|ing)?|hid(?:e|es|ing|den)|archiv(?:e|es|ed|ing)|merg(?:e|es|ed|ing)|combin(?:e|es|ed|ing)|get(?:ting)? rid|throw(?:ing)? (?:away|out)|tak(?:e|ing) (?:out|down)|clean(?:ing)? (?:up|out)|clear(?:ing)? out)(?!\p{L})|consolidat\w*|lösch\w*|entfern\w*|supprim\w*|enlev\w*|elimin\w*|borra\w*|quita\w*|suprim\w*|apaga\w*|cancellare|rimuov\w*|verwijder\w*|usuń|удал|убер)/giu;
const WORDS_WITHOUT_SPACES = /删除|移除|刪除|削除|取り除|삭제|제거/;
// "Do not remove anything", "without deleting a page".
const DENIED =
  /(?:\b(?:not|never|without|no|avoid|nothing|instead of)|n['’]t|\b(?:nicht|keine?|ohne|ne|sans|non|sin|sem))(?:\s+[\p{L}\p{N}_-]+){0,2}\s*$/iu;
const LOOK_BACK = 60;

/** Whether one of the instructions explicitly asks for a deletion. */
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

/** Whether one of the instructions asks to shorten or move text. */
export const isShorterAsked = (prompts: readonly string[]): boolean => prompts.some((prompt) => SHORTER.test(prompt));
