import { distance } from "fastest-levenshtein";
import { posix } from "node:path";
import type { Docs } from "#docs/tree/page-tree.ts";
import { findLanguageFolders } from "#docs/language-folders.ts";
import { canonicalPath, stripContentRoot, type Route } from "#docs/routes.ts";

/** The likely target of a broken link, as a file relative to the site's root. */
export interface TargetSuggestion {
  target: string;
  /** Address of the page; null for other files. */
  route: Route | null;
  hash: string | null;
  /** `redirect`, `case` and `moved` are the only candidate; `similar` is a guess. */
  reason: "redirect" | "case" | "moved" | "similar";
}

const MAX_SUGGESTIONS = 3;
// Each search compares with every page: after this many different broken targets only exact rules are tried.
const MAX_SIMILAR_SEARCHES = 1_000;

/** Names of pages that serve as the overview of their folder, the likeliest first. */
const OVERVIEWS = ["overview", "introduction", "intro", "getting-started", "quickstart"];

interface Candidate {
  key: string;
  name: string;
  target: string;
  /** Null for a file that is no page. */
  route: Route | null;
  /** Folder of the language; files belong to all languages. */
  language: string | null;
}

interface Candidates {
  candidates: readonly Candidate[];
  byKey: ReadonlyMap<string, readonly Candidate[]>;
  byName: ReadonlyMap<string, readonly Candidate[]>;
}

/**
 * Finds replacements for targets that do not exist, for a link on a page (a path relative to the site's root): only in the
 * page's language, and by the place in the tree before the spelling. `isOfFile`: the link names a file of the repository,
 * as `../install.md`. One finder serves one check.
 */
export function createTargetFinder(
  docs: Docs,
): (route: string, from: string, isOfFile?: boolean) => TargetSuggestion[] {
  const targets = [...docs.pages.values()].map((page) => ({
    route: page.route,
    target: stripContentRoot(page.path, docs.contentRoot) ?? page.path,
  }));
  const languages = findLanguageFolders(targets.map(({ target }) => target));
  const named = (route: Route) => ({ key: route.toLowerCase(), name: posix.basename(route).toLowerCase() });
  const pages = targets.map((page): Candidate => ({
    ...named(page.route),
    ...page,
    language: languages.of(page.target),
  }));
  // The last address of a file is its shortest.
  const assetRoutes = new Map([...docs.assets].map(([route, asset]) => [asset.path, route]));
  const assets = [...assetRoutes.values()].map((route): Candidate => {
    return { ...named(route), target: decodeURIComponent(route.slice(1)), route: null, language: null };
  });
  const indexed = (candidates: readonly Candidate[]): Candidates => ({
    byKey: Map.groupBy(candidates, ({ key }) => key),
    byName: Map.groupBy(candidates, ({ name }) => name),
    candidates,
  });
  const byLanguage = new Map<string, { pages: Candidates; all: Candidates }>();
  const candidatesIn = (language: string) => {
    const own = pages.filter((page) => page.language === language);
    const made = byLanguage.get(language) ?? { pages: indexed(own), all: indexed([...assets, ...own]) };
    byLanguage.set(language, made);
    return made;
  };
  const known = new Map<string, TargetSuggestion[]>();
  let searches = 0;
  // What all addresses begin with (`/docs`) tells none of them apart.
  const top = pages[0]?.key.split("/")[1] ?? "";
  const isCommon = pages.every(({ key }) => key === `/${top}` || key.startsWith(`/${top}/`));
  const foldersOf = (key: string) =>
    key
      .split("/")
      .slice(1, -1)
      .filter((folder, at) => at > 0 || !isCommon || folder !== top);

  /**
   * Whether two addresses with the same name have a folder in common, or differ in the one folder that they have. Others
   * may be different pages: `/dashboard` is often the product's own, and `/reference/js/updater` one that a plugin makes.
   */
  function isBeside(key: string, candidate: string): boolean {
    const [wanted, found] = [foldersOf(key), foldersOf(candidate)];
    return (wanted.length === 1 && found.length <= 1) || found.some((folder) => wanted.includes(folder));
  }

  function find(route: string, language: string, isOfFile: boolean): TargetSuggestion[] {
    const key = route.toLowerCase();
    const isFile = /\.[a-z0-9]{1,6}$/.test(key) && assets.length > 0;
    const { candidates, byKey, byName } = candidatesIn(language)[isFile ? "all" : "pages"];
    const redirect = docs.redirects.match(route);
    const redirected = redirect && docs.pages.get(canonicalPath(redirect.location.replace(/[?#].*/s, "")) ?? "");
    if (redirected) {
      const target = stripContentRoot(redirected.path, docs.contentRoot) ?? redirected.path;
      return [{ target, route: redirected.route, hash: redirect.location.split("#")[1] ?? null, reason: "redirect" }];
    }
    const exact = (reason: "case" | "moved", matches: readonly Candidate[] = []): TargetSuggestion[] =>
      matches.length === 1 ? matches.map(({ target, route }) => ({ target, route, hash: null, reason })) : [];
    const sameCase = exact("case", byKey.get(key));
    if (sameCase.length > 0) return sameCase;
    const overview = OVERVIEWS.map((name) => byKey.get(`${key}/${name}`)).find((found) => found !== undefined);
    if (overview) return exact("moved", overview);
    const name = posix.basename(key);
    const sameName = name === "" ? [] : (byName.get(name) ?? []);
    if (sameName.length === 1 && (isFile || isOfFile || isBeside(key, sameName[0]!.key)))
      return exact("moved", sameName);
    if ((searches += 1) > MAX_SIMILAR_SEARCHES) return [];
    const near = [...byPlace(key, sameName), ...nearest(key, candidates)];
    return [...new Set(near)]
      .slice(0, MAX_SUGGESTIONS)
      .map(({ target, route }) => ({ target, route, hash: null, reason: "similar" }));
  }

  return (route, from, isOfFile = false) => {
    const language = languages.of(from);
    const key = `${language} ${isOfFile} ${route}`;
    const suggestions = known.get(key) ?? find(route, language, isOfFile);
    known.set(key, suggestions);
    return suggestions;
  };
}

/** Sorts candidates by how much of a path they share from the root, the most first. */
function byPlace(key: string, candidates: readonly Candidate[]): Candidate[] {
  const folders = key.split("/").slice(0, -1);
  const shared = (candidate: Candidate) => {
    const own = candidate.key.split("/");
    const different = folders.findIndex((folder, index) => own[index] !== folder);
    return different === -1 ? folders.length : different;
  };
  return candidates
    .map((candidate) => ({ candidate, shared: shared(candidate) }))
    .sort((a, b) => b.shared - a.shared || (a.candidate.key < b.candidate.key ? -1 : 1))
    .map(({ candidate }) => candidate);
}

// Each search compares with every anchor of a page, and a page may have 100,000.
const MAX_COMPARED_ANCHORS = 2_000_000;

/**
 * Finds the anchors that a broken one probably meant, best first: `case` when only case and punctuation differ. One finder
 * serves one check.
 */
export function createAnchorFinder(): (hash: string, anchors: ReadonlySet<string>) => AnchorSuggestion[] {
  let left = MAX_COMPARED_ANCHORS;
  return (hash, anchors) => {
    left -= anchors.size;
    return left < 0 ? [] : findAnchors(hash, [...anchors]);
  };
}

interface AnchorSuggestion {
  id: string;
  reason: "case" | "similar";
}

function findAnchors(hash: string, anchors: readonly string[]): AnchorSuggestion[] {
  const plain = (id: string) => id.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
  const wanted = plain(hash);
  const same = anchors.filter((id) => wanted !== "" && plain(id) === wanted);
  if (same.length === 1) return same.map((id) => ({ id, reason: "case" }));
  return nearest(
    hash.toLowerCase(),
    anchors.map((id) => ({ key: id.toLowerCase(), id })),
  ).map(({ id }) => ({ id, reason: "similar" }));
}

function nearest<Each extends { key: string }>(key: string, candidates: readonly Each[]): Each[] {
  const limit = Math.max(2, Math.floor(key.length * 0.3));
  return candidates
    .filter((candidate) => Math.abs(candidate.key.length - key.length) <= limit)
    .map((candidate) => ({ candidate, distance: distance(key, candidate.key) }))
    .filter((found) => found.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate.key < b.candidate.key ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}
