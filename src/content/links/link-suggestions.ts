import { distance } from "fastest-levenshtein";
import { posix } from "node:path";
import type { Docs } from "#content/page-tree.ts";
import { canonicalPath, stripContentRoot } from "#content/routes.ts";

/** What a broken link probably meant, as a file relative to the site's root. */
export interface TargetSuggestion {
  target: string;
  hash: string | null;
  /** `redirect`, `case` and `moved` leave no other candidate; `similar` is a guess. */
  reason: "redirect" | "case" | "moved" | "similar";
}

const MAX_SUGGESTIONS = 3;
// Each search compares with every page: beyond this many different broken targets only exact rules are tried.
const MAX_SIMILAR_SEARCHES = 1_000;

interface Candidate {
  key: string;
  name: string;
  target: string;
}

interface Candidates {
  candidates: readonly Candidate[];
  byKey: ReadonlyMap<string, readonly Candidate[]>;
  byName: ReadonlyMap<string, readonly Candidate[]>;
}

/** Finds replacements for targets that do not exist; one finder serves one check. */
export function createTargetFinder(docs: Docs): (sitePath: string) => TargetSuggestion[] {
  const pages = [...docs.pages.values()].map((page) => ({
    key: page.route.toLowerCase(),
    name: posix.basename(page.route).toLowerCase(),
    target: stripContentRoot(page.path, docs.contentRoot) ?? page.path,
  }));
  // The address that a file was given last is its shortest.
  const assetRoutes = new Map([...docs.assets].map(([route, asset]) => [asset.path, route]));
  const assets = [...assetRoutes.values()].map((route) => ({
    key: route.toLowerCase(),
    name: posix.basename(route).toLowerCase(),
    target: decodeURIComponent(route.slice(1)),
  }));
  const all = [...assets, ...pages];
  const named = (candidates: readonly Candidate[]): Candidates => ({
    byKey: Map.groupBy(candidates, ({ key }) => key),
    byName: Map.groupBy(candidates, ({ name }) => name),
    candidates,
  });
  const [ofAll, ofPages] = [named(all), named(pages)];
  const known = new Map<string, TargetSuggestion[]>();
  let searches = 0;

  function find(route: string): TargetSuggestion[] {
    const key = route.toLowerCase();
    const isFile = /\.[a-z0-9]{1,6}$/.test(key) && assets.length > 0;
    const { candidates, byKey, byName } = isFile ? ofAll : ofPages;
    const redirect = docs.redirects.match(route);
    const redirected = redirect && docs.pages.get(canonicalPath(redirect.location.replace(/[?#].*/s, "")) ?? "");
    if (redirected) {
      const target = stripContentRoot(redirected.path, docs.contentRoot) ?? redirected.path;
      return [{ target, hash: redirect.location.split("#")[1] ?? null, reason: "redirect" }];
    }
    const exact = (reason: "case" | "moved", matches: readonly Candidate[] = []): TargetSuggestion[] =>
      matches.length === 1 ? matches.map(({ target }) => ({ target, hash: null, reason })) : [];
    const sameCase = exact("case", byKey.get(key));
    if (sameCase.length > 0) return sameCase;
    const name = posix.basename(key);
    const moved = exact("moved", name === "" ? [] : byName.get(name));
    if (moved.length > 0) return moved;
    if ((searches += 1) > MAX_SIMILAR_SEARCHES) return [];
    return nearest(key, candidates).map(({ target }) => ({ target, hash: null, reason: "similar" }));
  }

  return (sitePath) => {
    const suggestions = known.get(sitePath) ?? find(sitePath);
    known.set(sitePath, suggestions);
    return suggestions;
  };
}

// Each search compares with every anchor of a page, and a page may have 100,000.
const MAX_COMPARED_ANCHORS = 2_000_000;

/**
 * Finds the anchors that a broken one probably meant, best first: `case` when only case and punctuation differ. One
 * finder serves one check.
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
