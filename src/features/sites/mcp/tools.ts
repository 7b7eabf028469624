import { z } from "zod";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { internalPath } from "#docs/tree/redirects.ts";
import { markdownWords } from "#docs/markup/markdown-line.ts";
import { canonicalPath } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { cutText } from "#lib/cut-text.ts";
import { partsText } from "#search/excerpt.ts";
import { byPage, type SearchResult } from "#search/search-result.ts";
import type { SearchOutcome } from "#search/search.ts";
import { hrefBelow, pathInside } from "#features/sites/base-path.ts";
import { pageBehind } from "#features/sites/layout-index.ts";
import type { AskedSearch } from "#features/sites/search/search-request.ts";
import { listedLink } from "#features/sites/site-texts.ts";
import { stillBeingRead } from "#features/sites/awaited-descriptions.ts";
import { partOfPage } from "#features/sites/search/site-parts.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { defaultLanguage, listedPages, partsOfSite } from "./listed-pages.ts";
import type { McpTool } from "#lib/mcp/mcp-server.ts";

/** The site as the tools read it. */
export interface ReadableSite {
  version: SiteVersion;
  /** Scheme, host and base path, without a slash at the end. */
  origin: string;
  /** The same of what Docent serves; another one where another service publishes the pages. */
  ownOrigin: string;
  /** The path below which this site is mounted on another one; "" at its host's root. */
  base: string;
  /** The Markdown of a page; counts as a view. */
  read(page: Page): Promise<string>;
  /** Absent where the site has no search. Counts as a search. */
  search?(asked: AskedSearch): Promise<SearchOutcome & { isIndexing: boolean }>;
}

const MAX_TEXT = 60_000;
const MAX_QUERY = 200;
const MAX_NAME = 100;
const MAX_NOTE = 300;

const Part = {
  language: z.string().max(MAX_NAME).optional().describe("Only this language, as list_pages names it."),
  version: z.string().max(MAX_NAME).optional().describe("Only this version, as list_pages names it."),
};
const SearchInput = z.object({
  query: z
    .string()
    .min(1)
    .max(MAX_QUERY)
    .describe("Words to look for. Misspelt words and beginnings of words find too."),
  limit: z.int().min(1).max(20).default(8).describe("How many sections at most."),
  ...Part,
  language: Part.language.describe("This language, as list_pages names it; without it the first of the site."),
  version: Part.version.describe(
    "Only this version, as list_pages names it; without it the default one, then what only other versions have.",
  ),
});
const ReadInput = z.object({
  page: z.string().min(1).max(2_000).describe("Path of a page, such as /quickstart, or its address."),
  offset: z.int().min(0).max(100_000_000).default(0).describe("Offset at which to continue in a long page."),
});
const ListInput = z.object({
  under: z.string().max(500).optional().describe("Only pages below this path, or in the section of this title."),
  offset: z.int().min(0).max(1_000_000).default(0).describe("How many pages to skip."),
  limit: z.int().min(1).max(500).default(200).describe("How many pages at most."),
  ...Part,
});

/** The tools of a site: search where it is searched, read a page, list the pages. */
export function siteTools(site: ReadableSite): McpTool[] {
  const { search } = site;
  const read: McpTool[] = [
    {
      name: "read_page",
      title: "Read a page",
      description: "Reads one page of this documentation whole, as Markdown.",
      input: ReadInput,
      call: (input) => readPage(site, ReadInput.parse(input)),
    },
    {
      name: "list_pages",
      title: "List the pages",
      description: "Lists the pages of this documentation in reading order: section, title, path and description.",
      input: ListInput,
      call: async (input) => listPages(site, ListInput.parse(input)),
    },
  ];
  if (search === undefined) return read;
  return [
    {
      name: "search_docs",
      title: "Search the documentation",
      description:
        "Finds sections of this documentation by page: heading, path and excerpt of each, the best page first.",
      input: SearchInput,
      async call(input) {
        const { query, limit, version = null, language: asked } = SearchInput.parse(input);
        const language = asked ?? defaultLanguage(site.version.docs);
        return searchText(site, { query, language }, await search({ query, limit, scope: { language, version } }));
      },
    },
    ...read,
  ];
}

function searchText(
  { base, version }: ReadableSite,
  { query, language }: { query: string; language: string | null },
  { results, suggestions, isIndexing }: SearchOutcome & { isIndexing: boolean },
): string {
  const reason = stillBeingRead(version.awaited);
  const later =
    reason !== null
      ? `\n\n${reason}`
      : isIndexing
        ? "\n\nThe index is being brought up to date: ask again in some seconds."
        : "";
  if (results.length === 0) {
    const meant = suggestions.length > 0 ? ` The documentation has these words: ${suggestions.join(", ")}.` : "";
    const others = partsOfSite(version.docs).languages.filter((each) => each !== language);
    const elsewhere = others.length > 0 ? ` The other languages are ${others.join(", ")}.` : "";
    return `Nothing was found for "${query}"${language === null ? "" : ` in ${language}`}.${meant}${elsewhere}${later}`;
  }
  const items = byPage(results).map((found, index) => `${index + 1}. ${pageText({ base, version }, found)}`);
  return `${items.join("\n")}\n\nread_page reads one of these pages whole.${later}`;
}

/** The results on one page: the best one, and the rest below it. */
function pageText(
  { base, version }: Pick<ReadableSite, "base" | "version">,
  [best, ...more]: readonly SearchResult[],
): string {
  if (best === undefined) return "";
  const of = partOfPage(version.docs, best.route).version;
  const note = of === null || of.rank === 0 ? "" : ` (${of.name})`;
  const href = ({ route, anchor }: SearchResult) => `${hrefBelow(base, route)}${anchor === null ? "" : `#${anchor}`}`;
  const name = [best.title, ...(best.heading === null ? [] : [best.heading])].map(partsText).join(" › ");
  const lines = more.map(
    (each) => `   - ${partsText(each.heading ?? each.title)}: ${href(each)}\n     ${partsText(each.excerpt).trim()}`,
  );
  const first = `${name}${note}: ${href(best)}\n   ${partsText(best.excerpt).trim()}`;
  return [first, ...lines].join("\n");
}

async function readPage(site: ReadableSite, { page: asked, offset }: z.infer<typeof ReadInput>): Promise<string> {
  const page = findPage(site, asked);
  if (page === null) {
    const reason = stillBeingRead(site.version.awaited);
    if (reason !== null)
      throw new AppError("unavailable", `There is no page at ${asked.slice(0, MAX_NOTE)} yet. ${reason}`);
    const ways = site.search ? "search_docs finds pages, list_pages lists them." : "list_pages lists all pages.";
    throw new AppError("not_found", `There is no page at ${asked.slice(0, MAX_NOTE)}. ${ways}`);
  }
  const text = await site.read(page);
  if (offset > 0 && offset >= text.length) throw new AppError("invalid", `The page has ${text.length} characters.`);
  const part = cutText(text.slice(offset), MAX_TEXT);
  const end = offset + part.length;
  const more =
    end < text.length
      ? `\n\n[The page continues: these are characters ${offset} to ${end} of ${text.length}. Read on with offset ${end}.]`
      : "";
  return `${part.trimEnd()}${more}\n\nSource: ${site.origin}${page.route}\n`;
}

/**
 * A page by any reference of a program: its path, its address, the address of its Markdown, or an old address that
 * redirects to it.
 */
export function findPage(
  { version, origin, ownOrigin, base }: Pick<ReadableSite, "version" | "origin" | "ownOrigin" | "base">,
  asked: string,
): Page | null {
  const { docs, layout } = version;
  const url = URL.parse(asked, `${origin}/`);
  if (url === null || ![origin, ownOrigin].some((each) => new URL(each).host === url.host)) return null;
  const path = canonicalPath(pathInside(base, url.pathname));
  if (path === null) return null;
  const own = (route: string) => pageAt(docs, route);
  if (path === "/" && layout.homeRoute !== null) return own(layout.homeRoute);
  const moved = docs.redirects.match(path);
  const target = moved && internalPath(moved.location);
  const otherCase = layout.routeIgnoringCase(path);
  return own(path) ?? (target === null ? null : own(target)) ?? (otherCase === null ? null : own(otherCase));
}

const pageAt = (docs: Docs, path: string): Page | null => docs.pages.get(path) ?? pageBehind(docs, path)?.page ?? null;

function listPages({ version: { docs, awaited }, base }: ReadableSite, asked: z.infer<typeof ListInput>): string {
  const { language, version, under, offset, limit } = asked;
  const { languages, versions } = partsOfSite(docs);
  const isOf = (name: string | undefined, own: string | null) => name === undefined || own === null || name === own;
  const top = under === undefined ? null : pathInside(base, under.startsWith("/") ? under : `/${under}`);
  const folder = top === null ? null : canonicalPath(top);
  const isUnder = (route: string, section: string) =>
    under === undefined || section.split(" › ").includes(under) || route === folder || route.startsWith(`${folder}/`);
  const all =
    folder === "/" ? listedPages(docs) : listedPages(docs).filter((each) => isUnder(each.page.route, each.section));
  const pages = all.filter((each) => isOf(language, each.language) && isOf(version, each.version));
  const reason = stillBeingRead(awaited);
  const parts = [
    ...(reason === null ? [] : [reason]),
    ...(languages.length > 0 ? [`Languages: ${languages.join(", ")}.`] : []),
    ...(versions.length > 0 ? [`Versions: ${versions.join(", ")}.`] : []),
  ];
  const shown = pages.slice(offset, offset + limit);
  if (shown.length === 0)
    return [`There are ${pages.length} such pages, and none after ${offset}.`, ...parts].join(" ");
  const lines: string[] = [];
  let section: string | null = null;
  for (const each of shown) {
    const heading = [each.language, each.version, each.section]
      .filter((name) => name !== null && name !== "")
      .join(" › ");
    if (heading !== section) lines.push("", `## ${heading === "" ? "Pages" : markdownWords(heading)}`, "");
    section = heading;
    const { title, route, description } = each.page;
    lines.push(`- ${listedLink(title, hrefBelow(base, route), description && cutText(description, MAX_NOTE))}`);
  }
  const end = offset + shown.length;
  const count = `Pages ${offset + 1} to ${end} of ${pages.length}.`;
  const more = end < pages.length ? ` The list continues at offset ${end}.` : "";
  return [`${[count + more, ...parts].join(" ")}`, ...lines].join("\n");
}
