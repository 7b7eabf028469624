import { trimEndOf } from "#lib/trim.ts";
import type { CalledChore } from "./chore-calls.ts";

/** A chore that a text may mean, with a sentence that the built-in rules understand. */
export interface NearChore {
  title: string;
  call: CalledChore;
}

interface NamedPage {
  path: string;
  title: string;
}

const LONGEST_TEXT = 300;
const REQUEST = /^(?:please\s+)?(rename|move|relocate|put)\s+(.+?)\s+(to|into|as|under)\s+(.+)$/i;
const BEFORE_NAME = /^(?:(?:the|our|my|a|an|page|file|guide|article|called|named|titled)\s+)+/i;
const AFTER_NAME = /\s+(?:page|file|guide|article)$/i;

/**
 * The move or rename that a text asks for in free words (“rename the page quickstart to getting started”), with the
 * page and the name filled in. Empty if the text names no single page, or asks for more.
 */
export function nearMoves(text: string, pages: readonly NamedPage[]): NearChore[] {
  if (text.length > LONGEST_TEXT) return [];
  const sentence = trimEndOf(text.trim(), ".!?");
  if (/[\n.!?,;] |\n| and /.test(sentence)) return [];
  const [, verb = "", said = "", preposition = "", to = ""] = REQUEST.exec(sentence) ?? [];
  const page = pageNamed(said, pages);
  const name = unquoted(to);
  if (page === null || name === "" || / (?:to|into|as|under) /.test(said) || /["\s]/.test(page.path)) return [];
  const { path } = page;
  const move = (input: Record<string, unknown>, title: string): NearChore => ({
    title,
    call: { tool: "move_page", input: { page: path, ...input } },
  });
  const isFolder = pages.some((each) => each.path.startsWith(`${name}/`)) && verb.toLowerCase() !== "rename";
  if (isFolder || /^\S*\/\S*$/.test(name)) {
    const target = isFolder || /under|into/i.test(preposition) ? `${name.replace(/\/$/, "")}/` : name;
    return [move({ to: target }, `Move the page ${path} to ${target}`)];
  }
  const title = /^\p{Lu}/u.test(page.title) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  const renamed = move({ title }, `Rename the page "${path}" to "${title}"`);
  if (verb.toLowerCase() === "rename") return [renamed];
  return [move({ group: title }, `Move the page "${path}" to the group "${title}"`), renamed];
}

/** The page that a phrase names by path, else title, else file name; null unless it is unambiguous. */
function pageNamed(phrase: string, pages: readonly NamedPage[]): NamedPage | null {
  const said = keyOf(unquoted(phrase.replace(BEFORE_NAME, "").replace(AFTER_NAME, "")));
  const names: ((page: NamedPage) => string)[] = [
    ({ path }) => path,
    ({ title }) => title,
    ({ path }) => path.slice(path.lastIndexOf("/") + 1),
  ];
  for (const nameOf of names) {
    const found = pages.filter((page) => keyOf(nameOf(page)) === said);
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null;
  }
  return null;
}

const keyOf = (name: string): string =>
  (
    name
      .toLowerCase()
      .replace(/\.mdx?$/, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");

const unquoted = (text: string): string => text.replaceAll(/["'“”‘’`]/g, "").trim();
