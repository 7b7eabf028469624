/** What the configuration of a tool changes about the content of its pages. */
export interface PageRules {
  /** How ids of headings are derived from their texts; null for the tool's usual way. */
  headingIds: readonly TextStep[] | null;
  /** Whether the text after the `#` of a link in Markdown becomes an id as the text of a heading does. */
  areLinksTexts: boolean;
  /** The tool's titles of callouts without one, by the kind of callout, for the pages below an address. */
  calloutTitles: readonly CalloutTitles[];
  snippets: SnippetRules;
  /** Names that imports and pictures begin with instead of a folder of the site: `["@assets/", "src/assets"]`. */
  pathAliases: readonly (readonly [name: string, folder: string])[];
}

/** Options of `pymdownx.snippets` in MkDocs, with paths in the repository. */
export interface SnippetRules {
  /** Where snippets are looked for first, in this order. */
  folders: readonly string[];
  /** Files that are appended to every page, as written: each is looked for in all folders. */
  appended: readonly string[];
}

export interface CalloutTitles {
  /** The first segments of addresses; empty for all pages. */
  folder: string;
  titles: Readonly<Record<string, string>>;
}

/** One step of a function that changes a text, as plain data: nothing of a configuration runs. */
export type TextStep =
  | { kind: "toLowerCase" | "toUpperCase" | "trim" | "trimStart" | "trimEnd" | "encode" }
  | { kind: "normalize"; form: string }
  | { kind: "slice"; from: number; to: number | null }
  /** `pattern` is a regular expression that `isQuickPattern` admits. */
  | { kind: "replace"; pattern: string; flags: string; by: string }
  /** The id by the rules of a tool. */
  | { kind: "slug"; of: "vitepress" | "github" };

const NO_SNIPPETS: SnippetRules = { folders: [], appended: [] };

export const NO_RULES: PageRules = {
  headingIds: null,
  areLinksTexts: false,
  calloutTitles: [],
  snippets: NO_SNIPPETS,
  pathAliases: [],
};

/** The imported path with a folder in place of a name for it: `/src/parts/a.mdx` for `@parts/a.mdx`. */
export function withoutAlias(specifier: string, { pathAliases }: Pick<PageRules, "pathAliases">): string {
  const alias = pathAliases.find(([name]) => specifier.startsWith(name));
  if (alias === undefined) return specifier;
  const [name, folder] = alias;
  return `${folder === "" ? "" : `/${folder}`}/${specifier.slice(name.length)}`;
}

/** The titles of callouts for a page: those of the longest folder that contains it. */
export function calloutTitlesAt({ calloutTitles }: PageRules, route: string): Readonly<Record<string, string>> {
  const address = route.slice(1);
  const isBelow = (folder: string) => folder === "" || address === folder || address.startsWith(`${folder}/`);
  const [longest] = calloutTitles
    .filter(({ folder }) => isBelow(folder))
    .toSorted((a, b) => b.folder.length - a.folder.length);
  return longest?.titles ?? {};
}
