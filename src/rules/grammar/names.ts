import { z } from "zod";

const MAX_WORDS = 12;

/** What the repository calls its parts, as `look_up_names` tells it. Paths are from the root, without an ending. */
export const Names = z.object({
  pages: z.array(z.object({ path: z.string(), title: z.string(), headings: z.array(z.string()) })),
  folders: z.array(z.string()).default([]),
  /** Groups of the navigation with the paths of all pages below them. */
  groups: z.array(z.object({ title: z.string(), pages: z.array(z.string()) })),
});
export type Names = z.input<typeof Names>;

/** Names by their words, for looking up what a sentence says. */
export interface KnownNames {
  /** Whether the repository was asked. If not, only form can tell a name. */
  isKnown: boolean;
  /** Paths by the words of a title; several where a title is used twice. */
  titles: ReadonlyMap<string, readonly string[]>;
  paths: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Titles and pages of groups by the words of a title. */
  groups: ReadonlyMap<string, { title: string; pages: readonly string[] }>;
  headings: ReadonlySet<string>;
  /** Words of the longest name. */
  longest: number;
}

export const NO_NAMES: KnownNames = indexNames({ pages: [], groups: [] }, false);

export function indexNames({ pages, groups, folders: named = [] }: Names, isKnown = true): KnownNames {
  const titles = new Map<string, string[]>();
  const folders = new Set<string>(named);
  for (const { path, title } of pages) {
    const key = phraseOf(title);
    titles.set(key, [...(titles.get(key) ?? []), path]);
    const steps = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= steps.length; depth += 1) folders.add(steps.slice(0, depth).join("/"));
  }
  const byTitle = new Map(groups.map((group) => [phraseOf(group.title), group]));
  const headings = new Set(pages.flatMap((page) => page.headings.map(phraseOf)));
  const phrases = [...titles.keys(), ...byTitle.keys(), ...headings];
  const longest = phrases.reduce((most, phrase) => Math.max(most, phrase.split(" ").length), 1);
  const paths = new Set(pages.map(({ path }) => path.toLowerCase()));
  return { isKnown, titles, paths, folders, groups: byTitle, headings, longest: Math.min(longest, MAX_WORDS) };
}
/** A name as the words of a sentence are compared: in lower case, without signs between words. */
export function phraseOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s,;:()]+/g, " ")
    .replace(/[.!?…]+$/, "")
    .trim();
}

/** Whether some page has this path, or ends in it as its file name. */
export function isPageName(names: KnownNames, word: string): boolean {
  const path = word.toLowerCase().replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/, ""); // oxfmt-ignore
  if (names.paths.has(path) || names.titles.has(phraseOf(word))) return true;
  return [...names.paths].some((known) => known.endsWith(`/${path}`));
}
