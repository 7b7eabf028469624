import { anchorsOf } from "#docs/links/headings.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { checkLinks, type Link } from "#docs/links/links.ts";
import { resolveHref } from "#docs/hrefs.ts";
import { encodePath, stripContentRoot } from "#docs/routes.ts";
import { type Docs, withApiPages } from "#docs/tree/page-tree.ts";
import { error, type Judge, type JudgedChange, type Judgement, Multiset } from "./judge.ts";
import { successorsOf, withoutLinkTargets } from "./moved-texts.ts";

const REASONS = {
  no_page: "no such page",
  no_anchor: "no such heading on that page",
  no_asset: "no such file",
} as const;

/** Refuses changes that break an internal link, image or anchor on any page. */
export const judgeLinks: Judge = async (deps, { base, head, before, after, edits, texts, parsed, movesSite }) => {
  const options = { parser: deps.parser, cache: deps.linkCache };
  const linked = {
    before: await withApiPages(before, base, deps.addApiPages),
    after: await withApiPages(after, head, deps.addApiPages),
  };
  const only = keepsTargets(linked) && keepsAnchors(parsed, linked) ? new Set(edits.keys()) : undefined;
  const scope = { ...options, onlyBroken: true, ...(only && { only }) };
  const was = await checkLinks({ ...scope, snapshot: base, docs: linked.before });
  const is = await checkLinks({ ...scope, snapshot: head, docs: linked.after });
  // Counted by page and address, not by line, and separately for each reason: a missing page is worse than a missing
  // heading. A link that was already broken is not new on its page, on the successor of a deleted page, or rewritten
  // for the new place of its page.
  const lineOf = createLineFinder(texts);
  const isGone = ({ path }: Link) => edits.get(path) === null;
  const successors = successorsOf(texts);
  const sides = { before: { docs: before, successors }, after: { docs: after, successors: new Map<string, string>() } };
  let faults: Faults = { before: was.broken, after: is.broken };
  faults = unpaired(faults, ({ path, url, broken }) => JSON.stringify([path, url, broken]));
  faults = unpaired(faults, (link, side) => {
    const line = side === "after" || isGone(link) ? lineOf(link, side) : null;
    return line === null ? null : JSON.stringify([line, link.url, link.broken]);
  });
  faults = unpaired(faults, (link, side) => meaningOf(link, sides[side]));
  // A link whose page was missing and now only lacks its heading: still broken, but better than before.
  faults = unpaired(faults, (link, side) => {
    const isHalf = side === "before" ? link.broken === "no_page" && !isGone(link) : link.broken === "no_anchor";
    return isHalf ? headingKey(link) : null;
  });
  // Text of included files stands in the pages after a move.
  const known = new Set(movesSite ? was.broken.map((link) => targetOf(link, sides.before)) : []);
  const found: Judgement[] = [];
  for (const link of faults.after) {
    if (known.has(targetOf(link, sides.after))) continue;
    const reason = link.broken ? REASONS[link.broken] : "broken";
    const message = `The link to ${link.url} is broken now: ${reason}.`;
    found.push(error({ check: "links", path: link.path, line: link.line, message }));
  }
  return found;
};

/**
 * Whether every link in unchanged files has the same target as before, because the site has the same addresses. The
 * unchanged pages then need no check.
 */
function keepsTargets({ before, after }: { before: Docs; after: Docs }): boolean {
  const isSame = (old: Iterable<string>, now: Iterable<string>) => [...old].join("\n") === [...now].join("\n");
  return (
    before.contentRoot === after.contentRoot &&
    isSame(before.pages.keys(), after.pages.keys()) &&
    isSame(before.pagesByPath.keys(), after.pagesByPath.keys()) &&
    isSame(before.assets.keys(), after.assets.keys()) &&
    JSON.stringify(before.config.redirects) === JSON.stringify(after.config.redirects)
  );
}

/** Whether each changed page keeps all its anchors, includes the same files, and shows no API operation. */
function keepsAnchors(
  texts: JudgedChange["parsed"],
  { before: old, after: now }: { before: Docs; after: Docs },
): boolean {
  return texts.every(({ path, before, after }) => {
    if (before.root === null || after.root === null) return false;
    if (
      (old.pagesByPath.get(path)?.operation ?? null) !== null ||
      (now.pagesByPath.get(path)?.operation ?? null) !== null
    )
      return false;
    const ids = new Set(anchorsOf(after.root).map(({ id }) => id));
    const includes = [before, after].map(({ source, root }) =>
      root === null ? "" : JSON.stringify(extractLinks(source, root, { path, dialect: now.config.dialect }).includes),
    );
    return includes[0] === includes[1] && anchorsOf(before.root).every(({ id }) => ids.has(id));
  });
}

interface Faults {
  before: readonly Link[];
  after: readonly Link[];
}

/** The links on each side after removing pairs with the same key; links without a key stay. */
function unpaired(faults: Faults, keyOf: (link: Link, side: keyof Faults) => string | null): Faults {
  const left = (own: keyof Faults, other: keyof Faults) => {
    const counts = new Multiset(faults[other].flatMap((link) => keyOf(link, other) ?? []));
    return faults[own].filter((link) => {
      const key = keyOf(link, own);
      return key === null || !counts.remove(key);
    });
  };
  return { before: left("before", "after"), after: left("after", "before") };
}

/** Finds the line with a link, without its addresses; null in an unchanged file. */
function createLineFinder(texts: JudgedChange["texts"]): (link: Link, side: keyof Faults) => string | null {
  const byPath = new Map(texts.map((text) => [text.path, text]));
  const lines = { before: new Map<string, string[]>(), after: new Map<string, string[]>() };
  return ({ path, line }, side) => {
    const text = byPath.get(path);
    if (text === undefined) return null;
    const known = lines[side].get(path) ?? text[side].split("\n");
    lines[side].set(path, known);
    return withoutLinkTargets(known[line - 1] ?? "");
  };
}

/**
 * The target of a broken link in terms of the changed tree: a moved page is named by its successor, both as the page
 * with the link and as the page without the heading.
 */
function meaningOf(
  { path, url, use, broken }: Link,
  { docs, successors }: { docs: Docs; successors: Map<string, string> },
): string {
  const href = resolveHref(url, stripContentRoot(path, docs.contentRoot) ?? path, use);
  const holder = successors.get(path) ?? path;
  if (href.kind !== "internal") return JSON.stringify([holder, broken, url]);
  const page = docs.pages.get(encodePath(href.path.replace(/^\//, "")))?.path;
  const target = page === undefined ? { address: href.path } : { page: successors.get(page) ?? page };
  return JSON.stringify([holder, broken, target, href.hash]);
}

/** What a broken link leads to, whichever file it is in. */
const targetOf = (link: Link, side: Parameters<typeof meaningOf>[1]) =>
  JSON.stringify((JSON.parse(meaningOf(link, side)) as unknown[]).slice(1));

const headingKey = ({ path, url }: Link) => `${path}\n${url.replace(/^[^#]*/, "")}`;
