import { isSection, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { Route } from "#docs/routes.ts";
import type { SearchScope } from "#search/search-page.ts";
import { partOfPage } from "#features/sites/search/site-parts.ts";

/** A page at a place in the navigation. One with two places is listed twice. */
export interface ListedPage extends SearchScope {
  page: Page;
  /** Titles of the tabs and groups around it, outermost first. */
  section: string;
}

const known = new WeakMap<Docs, readonly ListedPage[]>();

/** The pages of the navigation in reading order, computed once; without those with `noindex`. */
export function listedPages(docs: Docs): readonly ListedPage[] {
  let pages = known.get(docs);
  if (pages === undefined) known.set(docs, (pages = listOf(docs)));
  return pages;
}

/** The languages and versions of a site, as its navigation names them. */
export function partsOfSite(docs: Docs): { languages: string[]; versions: string[] } {
  const pages = listedPages(docs);
  const namesOf = (kind: keyof SearchScope) =>
    [...new Set(pages.map((page) => page[kind]))].filter((name) => name !== null).slice(0, 50);
  return { languages: namesOf("language"), versions: namesOf("version") };
}

/**
 * The default language: the one that the navigation marks, else its first; without languages in the navigation, English
 * or the first by folder. Null for a site without languages.
 */
export function defaultLanguage(docs: Docs): string | null {
  const visit = (nodes: readonly NavigationNode[]): string | null => {
    let first: string | null = null;
    for (const node of nodes.filter(isSection)) {
      const own = node.kind === "language" ? (node.language ?? node.title) : visit(node.children);
      if (own !== null && node.isDefault) return own;
      first ??= own;
    }
    return first;
  };
  const named = visit(docs.navigation);
  if (named !== null) return named;
  const { languages } = partsOfSite(docs);
  return languages.find((each) => each === (docs.config.language ?? "en")) ?? languages[0] ?? null;
}

function listOf(docs: Docs): ListedPage[] {
  const listed: ListedPage[] = [];
  const visit = (nodes: readonly NavigationNode[], place: SearchScope & { titles: readonly string[] }): void => {
    const { language, version, titles } = place;
    const add = (route: Route) => {
      const page = docs.pages.get(route);
      const own = language ?? partOfPage(docs, route).language;
      if (page && !page.noindex) listed.push({ page, language: own, version, section: titles.join(" › ") });
    };
    for (const node of nodes) {
      if (node.kind === "page") add(node.route);
      if (!isSection(node)) continue;
      const isPart = node.kind === "language" || node.kind === "version";
      const inner = {
        titles: isPart || node.title === "" ? titles : [...titles, node.title],
        language: node.kind === "language" ? (node.language ?? node.title) : language,
        version: node.kind === "version" ? node.title : version,
      };
      const isListed = node.children.some((child) => child.kind === "page" && child.route === node.route);
      if (node.route !== null && !isListed) visit([{ ...OWN_PAGE, route: node.route }], inner);
      visit(node.children, inner);
    }
  };
  visit(docs.navigation, { titles: [], language: null, version: null });
  return listed;
}

const OWN_PAGE = { kind: "page" as const, title: "", tag: null, method: null };
