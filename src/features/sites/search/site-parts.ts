import { isSection, type NavigationNode, type NavigationSection, routesBelow } from "#docs/tree/navigation.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { Route } from "#docs/routes.ts";
import type { PageVersion } from "#search/other-versions.ts";
import { siteLanguage } from "#docs/words/site-language.ts";

/** The part of a site that a page belongs to. Null for a page in none or several, which is for all readers. */
export interface PagePart {
  language: string | null;
  version: PageVersion | null;
}

const ALL: PagePart = { language: null, version: null };
const known = new WeakMap<Docs, ReadonlyMap<Route, PagePart>>();

/** The language and version of a page, by the navigation or by its folder. */
export const partOfPage = (docs: Docs, route: Route): PagePart => partsOf(docs).get(route) ?? ALL;

/** The version of a page, for a search without one; undefined for a site without versions. */
export function versionsOf(docs: Docs): ((route: string) => PageVersion | null) | undefined {
  const parts = partsOf(docs);
  const hasVersions = parts.values().some(({ version }) => version !== null && version.rank > 0);
  return hasVersions ? (route) => parts.get(route)?.version ?? null : undefined;
}

/** The same in the form of the index. */
export function indexedPart(docs: Docs, route: Route) {
  const { language, version } = partOfPage(docs, route);
  return { language, version: version?.name ?? null, versionRank: version?.rank ?? 0 };
}

function partsOf(docs: Docs): ReadonlyMap<Route, PagePart> {
  let parts = known.get(docs);
  if (parts === undefined) known.set(docs, (parts = readParts(docs)));
  return parts;
}

/** The default version: the one that is marked, else that of the front page, else the first. */
function defaultVersionOf(versions: readonly NavigationSection[]): number {
  const marked = versions.findIndex(({ isDefault }) => isDefault);
  return marked !== -1
    ? marked
    : Math.max(
        0,
        versions.findIndex((version) => routesBelow([version]).includes("/")),
      );
}

function readParts(docs: Docs): ReadonlyMap<Route, PagePart> {
  const parts = new Map<Route, PagePart>();
  const add = (route: Route, part: PagePart) => {
    const other = parts.get(route) ?? part;
    parts.set(route, {
      language: other.language === part.language ? part.language : null,
      version: other.version?.name === part.version?.name ? part.version : null,
    });
  };
  const visit = (nodes: readonly NavigationNode[], part: PagePart): void => {
    const versions = nodes.filter(isSection).filter(({ kind }) => kind === "version");
    const usual = defaultVersionOf(versions);
    for (const node of nodes) {
      if (node.kind === "page") add(node.route, part);
      if (!isSection(node)) continue;
      const at = versions.indexOf(node);
      const rank = at === usual ? 0 : at < usual ? at + 1 : at;
      const inner = {
        language: node.kind === "language" ? (node.language ?? node.title) : part.language,
        version: node.kind === "version" ? { name: node.title, rank } : part.version,
      };
      if (node.route !== null) add(node.route, inner);
      visit(node.children, inner);
    }
  };
  visit(docs.navigation, ALL);
  if (parts.values().every(({ language }) => language === null))
    for (const [route, language] of folderLanguages(docs))
      parts.set(route, { language, version: parts.get(route)?.version ?? null });
  return parts;
}

/** Two letters, with a region or script: `pt-br`. */
const CODE = /^[a-z]{2}(?:-[a-z]{2,4})?$/i;
const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
/** The share of a folder's pages that must have counterparts in another one. */
const ENOUGH = 0.5;

/**
 * The languages of pages on a site whose navigation names none: `/ko/guide` next to `/guide` or `/en/guide` is Korean.
 * A folder belongs to a language if its name is a language code and half of its pages exist in another language, too.
 */
function folderLanguages({ pages, config }: Pick<Docs, "pages" | "config">): Map<Route, string> {
  const folders = new Map<string, Route[]>();
  for (const route of pages.keys()) {
    const folder = route.split("/", 2)[1] ?? "";
    if (!CODE.test(folder) || NAMES.of(folder) === undefined) continue;
    const routes = folders.get(folder);
    if (routes === undefined) folders.set(folder, [route]);
    else routes.push(route);
  }
  const languages = new Map<Route, string>();
  // `ts` and `cs` are language codes, but also folders for programming languages.
  if (![...folders.keys()].some(isSpoken)) return languages;
  for (const [folder, routes] of folders) {
    const likes = routes.flatMap((route) => {
      const rest = route.slice(folder.length + 1) || "/";
      const others = [...folders.keys()].filter((each) => each !== folder);
      return [[rest, ...others.map((each) => `/${each}${rest === "/" ? "" : rest}`)].filter((each) => pages.has(each))];
    });
    if (likes.filter((each) => each.length > 0).length < routes.length * ENOUGH) continue;
    for (const route of routes) languages.set(route, folder);
    // Pages outside all language folders that have a counterpart in one are in the site's own language.
    for (const [own] of likes)
      if (own !== undefined && !folders.has(own.split("/", 2)[1] ?? "")) languages.set(own, config.language ?? "en");
  }
  return languages;
}

const isSpoken = (code: string): boolean => /^en\b/i.test(code) || siteLanguage(code).wordsTag !== "en";
