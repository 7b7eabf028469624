import { takeScope } from "./clause.ts";
import { protectQuotes, restore } from "./prompt-text.ts";

const REPLACEMENT =
  /^(?:replace|change|rename|update|substitute|exchange|switch|swap(?: out)?)\s+(.{1,80}?)\s+(?:with|by|to|for|into|as)\s+(.{1,80})$/i;
/** A page at the end that is not named as one, or whose name has several words. */
const PAGE = /^(.+?)\s+(?:on|in)\s+(?:(?:the\s+)?page\s+(\S.{0,60})|(?<=\bon\s+)(\S{1,60}))$/i;
const CALLED = /^(?:(?:the|every|each|all)\s+)?(?:(?:words?|terms?|names?|phrases?|text|spelling)\s+)?/i;

/**
 * The replacement that words probably ask for, in the form that leaves no doubt; null when they rather describe what is
 * wanted.
 */
export function quotedReplacement(words: string): string | null {
  const { text, quotes } = protectQuotes(words);
  const scoped = takeScope({ text, quotes });
  const page = scoped.scope === undefined ? PAGE.exec(scoped.text) : null;
  const match = REPLACEMENT.exec(page?.[1] ?? scoped.text);
  if (!match) return null;
  const bare = (part: string | undefined) =>
    restore(part ?? "", quotes)
      .replaceAll('"', "")
      .trim();
  const [from, to] = [bare(match[1]?.replace(CALLED, "")), bare(match[2]?.replace(CALLED, ""))];
  if (!isShort(from) || !isShort(to)) return null;
  const pages = page ? [bare(page[2] ?? page[3])] : scoped.scope;
  return `Replace "${from}" with "${to}" ${pages === undefined ? "everywhere" : inPages(pages)}`;
}

const isShort = (text: string) =>
  text !== "" && text.split(/\s+/).length <= 3 && !/^(?:the|an?|all|this|my|our)\s|more|better/i.test(text);

/** Paths as they are, names in quotes. */
function inPages(pages: readonly string[]): string {
  const isPath = pages.every((page) => /^[\w./*-]*\/[\w./*-]*$/.test(page));
  return isPath ? `in ${pages.join(" and ")}` : `on the page ${pages.map((page) => `"${page}"`).join(" and ")}`;
}
