import { anchorsOf } from "#docs/links/headings.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import { checkLinks, type Link } from "#docs/links/links.ts";
import { resolveHref } from "#docs/hrefs.ts";
import { encodePath, stripContentRoot } from "#docs/routes.ts";
import { type Docs, withApiPages } from "#docs/tree/page-tree.ts";
import { error, type Judge, type JudgedChange, type Judgement, Multiset, type ChangedText } from "./judge.ts";

const REASONS = {
  no_page: "no such page",
  no_anchor: "no such heading on that page",
  no_asset: "no such file",
} as const;

/** No internal link, image or anchor is newly broken, on any page. */
export const judgeLinks: Judge = async (deps, { base, head, before, after, edits, texts, parsed }) => {
  const options = { parser: deps.parser, cache: deps.linkCache };
  const linked = {
    before: await withApiPages(before, base, deps.addApiPages),
    after: await withApiPages(after, head, deps.addApiPages),
  };
  const only = keepsTargets(linked) && keepsAnchors(parsed, linked) ? new Set(edits.keys()) : undefined;
  const scope = { ...options, onlyBroken: true, ...(only && { only }) };
  const was = await checkLinks({ ...scope, snapshot: base, docs: linked.before });
  const is = await checkLinks({ ...scope, snapshot: head, docs: linked.after });
  // Counted by page and address, not by line, and apart for each reason: a page that is gone is worse than a heading that
  // is. What was broken before is new neither where it stands, nor where the text of a page that is gone went, nor written
  // anew for the place that its page moved to.
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
  // A link whose page was not found, and now only its heading is not: better than before, though not good.
  faults = unpaired(faults, (link, side) => {
    const isHalf = side === "before" ? link.broken === "no_page" && !isGone(link) : link.broken === "no_anchor";
    return isHalf ? headingKey(link) : null;
  });
  const found: Judgement[] = [];
  for (const link of faults.after) {
    const reason = link.broken ? REASONS[link.broken] : "broken";
    const message = `The link to ${link.url} is broken now: ${reason}.`;
    found.push(error({ check: "links", path: link.path, line: link.line, message }));
  }
  return found;
};

/**
 * Whether every link of a file that the change left alone leads where it led: the site has the same addresses. Then a
 * change of one page is no reason to look into the others.
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

/** Whether each changed page has all the anchors that it had, takes in the same files, and shows the same operation. */
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
      root === null ? "" : JSON.stringify(extractLinks(source, root, path).includes),
    );
    return includes[0] === includes[1] && anchorsOf(before.root).every(({ id }) => ids.has(id));
  });
}

interface Faults {
  before: readonly Link[];
  after: readonly Link[];
}

/** What is left on each side when links with the same key are taken out in pairs; those without a key stay. */
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

/** The line of a changed text that holds a link, without addresses; null in a file that did not change. */
function createLineFinder(texts: JudgedChange["texts"]): (link: Link, side: keyof Faults) => string | null {
  const byPath = new Map(texts.map((text) => [text.path, text]));
  const lines = { before: new Map<string, string[]>(), after: new Map<string, string[]>() };
  return ({ path, line }, side) => {
    const text = byPath.get(path);
    if (text === undefined) return null;
    const known = lines[side].get(path) ?? text[side].split("\n");
    lines[side].set(path, known);
    return withoutAddresses(known[line - 1] ?? "");
  };
}

/**
 * Where a broken link would lead, in the words of the change's end: a page that moved is named by the one that took its
 * text, as the page that holds the link and as the page whose heading it misses.
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

const headingKey = ({ path, url }: Link) => `${path}\n${url.replace(/^[^#]*/, "")}`;

/** Half of a page's lines elsewhere: the page moved there. */
const MOVED_SHARE = 0.5;
/** A line that more texts got, such as a mark of front matter, says nothing of where a page went. */
const MAX_HOLDERS = 8;

/**
 * For each deleted file the one that holds its text now: half of its lines were added there. Addresses of links are left
 * out, as a move corrects them.
 */
function successorsOf(texts: readonly ChangedText[]): Map<string, string> {
  const holders = new Map<string, string[]>();
  for (const { path, before, after } of texts) {
    const had = new Set(linesOf(before));
    for (const line of new Set(linesOf(after))) {
      if (had.has(line)) continue;
      const known = holders.get(line);
      if (known) known.push(path);
      else holders.set(line, [path]);
    }
  }
  const successors = new Map<string, string>();
  for (const { path, before, after } of texts) {
    if (before === "" || after !== "") continue;
    const places = [...new Set(linesOf(before))]
      .map((line) => holders.get(line) ?? [])
      .filter((paths) => paths.length <= MAX_HOLDERS);
    const counts = new Map<string, number>();
    for (const holder of places.flat()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    if (best !== undefined && best[1] >= places.length * MOVED_SHARE) successors.set(path, best[0]);
  }
  return successors;
}

/** A line without the addresses of its links, which a move corrects. */
function withoutAddresses(line: string): string {
  return line
    .replaceAll(/\]\([^)\s]*/g, "](")
    .replaceAll(/=\s*(?:"[^"]*"|'[^']*')/g, "=")
    .replace(/^(\s*\[[^\]]+\]:).*/, "$1")
    .trim();
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(withoutAddresses)
    .filter((line) => line !== "");
