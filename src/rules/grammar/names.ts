import { z } from "zod";

const MAX_WORDS = 12;

/** The names in a repository, as returned by `look_up_names`. Paths are relative to the root, without an extension. */
export const Names = z.object({
  pages: z.array(z.object({ path: z.string(), title: z.string(), headings: z.array(z.string()) })),
  folders: z.array(z.string()).default([]),
  /** Groups of the navigation with the paths of all pages below them. */
  groups: z.array(z.object({ title: z.string(), pages: z.array(z.string()) })),
});
export type Names = z.input<typeof Names>;

/** Names indexed by their words, for looking up words of a sentence. */
export interface KnownNames {
  /** Whether the names of the repository were looked up. If not, a name is only recognized by its form. */
  isKnown: boolean;
  /** Paths by the words of a title; several if pages share a title. */
  titles: ReadonlyMap<string, readonly string[]>;
  paths: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Titles and pages of groups by the words of a title. */
  groups: ReadonlyMap<string, { title: string; pages: readonly string[] }>;
  headings: ReadonlySet<string>;
  /** Number of words of the longest name. */
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
/** Normalizes a name for comparison with the words of a sentence: lower case, no punctuation between words. */
export function phraseOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s,;:()]+/g, " ")
    .replace(/[.!?…]+$/, "")
    .trim();
}

/** Whether a page has this path or file name. */
export function isPageName(names: KnownNames, word: string): boolean {
  const path = word.toLowerCase().replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/, ""); // oxfmt-ignore
  if (names.paths.has(path) || names.titles.has(phraseOf(word))) return true;
  return [...names.paths].some((known) => known.endsWith(`/${path}`));
}
