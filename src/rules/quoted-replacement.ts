import { type KnownNames, phraseOf } from "./grammar/names.ts";
import { isPlainName as isPlain } from "./grammar/plain-name.ts";
import { ANY_QUOTED, QUOTED, restore, wordsOf } from "./grammar/prompt-text.ts";
import type { Clause } from "./sentence.ts";

const isQuoted = (text: string) => new RegExp(`^${QUOTED}$`).test(text.trim());
const isPlainName = (text: string) => isQuoted(text) || isPlain(text);
const valueOf = (clause: Clause, text: string | undefined) => restore(text ?? "", clause.quotes).trim();

const REPLACEMENT =
  /^(?:replace|change|rename|update|substitute|exchange|swap(?: out)?)\s+(.{1,80}?)\s+(?:with|by|to|for|into|as)\s+(.{1,80})$/i;
/** A page at the end that is not named as one, or whose name has several words. */
const PAGE = /^(.+?)\s+(?:on|in)\s+(?:(?:the\s+)?page\s+(\S.{0,60})|(?<=\bon\s+)(\S{1,60}))$/i;
const CALLED = /^(?:(?:the|every|each|all)\s+)?(?:(?:words?|terms?|names?|phrases?|text|spelling)\s+)?/i;

/**
 * The replacement that a clause probably asks for, in the form that leaves no doubt. Null unless each side is one
 * quotation or one bare name: any word beside them may hold the replacement back.
 */
export function quotedReplacement(clause: Clause): string | null {
  const scoped = takeScope(clause, evenly(clause.text));
  if (/\S\s(?:All|Every|Each) (?:pages?|docs|files?)\b/.test(clause.text)) return null;
  const page = scoped.scope === undefined ? PAGE.exec(scoped.text) : null;
  const match = REPLACEMENT.exec(page?.[1] ?? scoped.text);
  if (!match) return null;
  const terms = [match[1] ?? "", match[2] ?? ""].map((part) => part.replace(CALLED, "").trim());
  if (!terms.every((term) => isQuoted(term) || isBareName(term))) return null;
  const [from = "", to = ""] = terms.map((term) => valueOf(clause, term));
  const pages = page ? [valueOf(clause, page[2] ?? page[3])] : scoped.scope;
  if ([from, to, ...(pages ?? [])].some((value) => /["\n]/.test(value))) return null;
  return `Replace "${from}" with "${to}" ${pages === undefined ? "everywhere" : inPages(pages)}`;
}

/** The part of the docs at the end of a clause, where it is said in the plainest of ways. */
function takeScope(clause: Clause, text: string): { text: string; scope: string[] | undefined } {
  const everywhere = /[,\s]+(?:everywhere|globally|throughout|(?:in|on|across) (?:all|every|each) (?:the )?(?:pages?|files?|docs)|(?:in|across|throughout) (?:all )?(?:the )?(?:docs|documentation))$/i.exec(text); // oxfmt-ignore
  if (everywhere) return { text: text.slice(0, everywhere.index), scope: undefined };
  const part = /[,\s]+(?:in|on|under) ([\w.*-]*\/[\w./*-]*)$/i.exec(text);
  return part ? { text: text.slice(0, part.index), scope: [valueOf(clause, part[1])] } : { text, scope: undefined };
}

/**
 * The two or three things that “update X to Y” may mean, as sentences to send; null where it is not such a clause. Words replaced by
 * words are one of them, as are a heading and a title.
 */
export function readingsOf(clause: Clause): string[] | null {
  const text = evenly(clause.text);
  const match = OPEN.exec(text) ?? OPEN_FOR.exec(text);
  const [from = "", to = ""] = match?.slice(1).map((part) => part.replace(CALLED, "").trim()) ?? [];
  if (!match || !isShort(from) || !isShort(to) || [from, to].some(isNoWording)) return null;
  return [
    `Replace "${from}" with "${to}" in "folder"`,
    `Replace "${from}" with "${to}" in headings`,
    `Replace "${from}" with "${to}" in page titles`,
  ];
}
const OPEN = /^(?:change|update|switch|convert|turn)\s+(.{1,60}?)\s+(?:to|into)\s+(.{1,60}?)(?:\s+everywhere)?$/i;

const OPEN_FOR = /^(?:switch|swap)\s+(.{1,60}?)\s+(?:to|for|into)\s+(.{1,60}?)(?:\s+everywhere)?$/i;
/** A part of a page, or a page: what is said of it is not its words. */
const ABOUT = /\b(?:of|on|changelog|descriptions?|titles?|icons?|tags?|keywords?|alt|sections?|headings?|navigation|sidebar|links?)\b/i; // oxfmt-ignore
/** Words that stand for something else, or say how it shall be. */
const POINTS = /^(?:it|its|this|that|these|those|them|everything|nothing|anything|something|all|none|both|one|others?|(?:lower|upper|title|sentence)-?case)\b/i; // oxfmt-ignore
const isNoWording = (part: string): boolean => /["\n\uE000/]/.test(part) || ABOUT.test(part) || POINTS.test(part);

/** What “Rename X to Y” may mean, as far as the repository knows a page or a group of that name. Null for any other clause. */
export function renamings(clause: Clause, names: KnownNames): string[] | null {
  const match = /^rename\s+(.{1,80}?)\s+(?:to|as|into)\s+(.{1,80})$/i.exec(evenly(clause.text));
  const [from = "", to = ""] = match?.slice(1) ?? [];
  if (!match || ![from, to].every((part) => isQuoted(part) || isBareName(part))) return null;
  const [old = "", title = ""] = [from, to].map((part) => valueOf(clause, part));
  if (/["\n]/.test(old + title)) return null;
  return [
    ...(names.groups.has(phraseOf(old)) || !names.isKnown ? [`Rename the group "${old}" to "${title}"`] : []),
    ...(names.titles.has(phraseOf(old)) || !names.isKnown ? [`Rename the page "${old}" to "${title}"`] : []),
    `Replace "${old}" with "${title}" everywhere`,
  ];
}

/** Why unquoted words after "update … to …" are not taken for a term; null when that is not the matter. */
export function unsaidTerm(clause: Clause): string | null {
  const match = CHANGE.exec(evenly(clause.text));
  const terms = match?.slice(1).map((term) => term.replace(CALLED, "").trim()) ?? [];
  const [from = "", to = ""] = terms;
  if (!match || terms.every((term) => isQuoted(term))) return null;
  if (terms.some((term) => /^""(?:\s|$)/.test(term)))
    return "there is nothing between its second quotation marks. The built-in rules put words in the place of words, and do not remove them";
  if (!hasQuotation(from) && ABOUT.test(from)) return null;
  const bare = to.replace(/\s+everywhere$/i, "");
  const mixed = [to, from].find((term) => hasQuotation(term) && !isQuoted(term));
  const beside = mixed === to && isQuoted(from) ? besideQuotation(to) : "";
  if (beside !== "") return `“${beside}” is in the way: the built-in rules cannot keep to it`;
  if (mixed !== undefined)
    return `“${wordsOf(mixed, clause.quotes)}” is more than one text in quotation marks, and the rest of it would not be carried out`;
  const odd = [bare, from].find((term) => !isPlainName(term));
  if (odd !== undefined)
    return `“${odd}” is no name to replace everywhere. Put the words that shall change into quotation marks`;
  return isShort(from) && isShort(to)
    ? "it does not say whether words shall be replaced by words. Put both into quotation marks if so"
    : null;
}
const CHANGE =
  /^(?:replace|change|update|substitute|exchange|switch|convert|swap(?: out)?|use|say|write|correct)\s+(.{1,80}?)\s+(?:with|by|to|for|into|as|instead of|rather than|in place of)\s+(.{1,80})$/i;

/** The words beside the one quotation of a text; nothing where there are several. */
function besideQuotation(text: string): string {
  const parts = text.split(new RegExp(ANY_QUOTED));
  return parts.length === 2 ? parts.join(" ").trim() : "";
}

const hasQuotation = (text: string) => new RegExp(ANY_QUOTED).test(text);

/** One word, or several that all have a capital: "first webhook" and "callback in headings" are no names. */
const isBareName = (text: string) =>
  !hasQuotation(text) &&
  isShort(text) &&
  isPlainName(text) &&
  !POINTS.test(text) &&
  text.split(/\s+/).every((word, _at, words) => words.length === 1 || /^\p{Lu}/u.test(word));

// The patterns try every way to share out a run of blanks: one blank has one.
const evenly = (words: string) => words.slice(0, MAX_CHARACTERS).replaceAll(/\s+/g, " ");
const MAX_CHARACTERS = 2_000;

const isShort = (text: string) =>
  text !== "" && text.split(/\s+/).length <= 3 && !/^(?:the|an?|all|this|my|our)\s|more|better/i.test(text);

/** Paths as they are, names in quotes. */
function inPages(pages: readonly string[]): string {
  const isPath = pages.every((page) => /^[\w./*-]*\/[\w./*-]*$/.test(page));
  return isPath ? `in ${pages.join(" and ")}` : `on the page ${pages.map((page) => `"${page}"`).join(" and ")}`;
}
