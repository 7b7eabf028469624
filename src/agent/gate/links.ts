import { anchorsOf } from "#content/links/headings.ts";
import { extractLinks } from "#content/links/link-extraction.ts";
import { checkLinks, type Link } from "#content/links/links.ts";
import { type Docs, withApiPages } from "#content/page-tree.ts";
import { error, type Judge, type JudgedChange, type Judgement } from "./judge.ts";
import { Leftovers } from "./leftovers.ts";

const REASONS = {
  no_page: "no such page",
  no_anchor: "no such heading on that page",
  no_asset: "no such file",
} as const;

/** No internal link, image or anchor is newly broken, on any page. */
export const judgeLinks: Judge = async (deps, { base, head, before, after, edits, parsed }) => {
  const options = { parser: deps.parser, cache: deps.linkCache };
  const linked = {
    before: await withApiPages(before, base, deps.addApiPages),
    after: await withApiPages(after, head, deps.addApiPages),
  };
  const only = keepsTargets(linked) && keepsAnchors(parsed, linked) ? new Set(edits.keys()) : undefined;
  const scope = { ...options, onlyBroken: true, ...(only && { only }) };
  const was = await checkLinks({ ...scope, snapshot: base, docs: linked.before });
  const is = await checkLinks({ ...scope, snapshot: head, docs: linked.after });
  // Counted by page and address, not by line. What was broken on a page that is gone may turn up where its text went.
  const here = new Leftovers();
  const moved = new Leftovers();
  for (const link of was.broken) (after.pagesByPath.has(link.path) ? here : moved).add(tallyKey(link, after));
  const changed = is.broken.filter((link) => !here.take(`${link.path}\n${link.url}`) && !moved.take(link.url));
  // A link whose page was not found, and now only its heading is not: better than before, though not good.
  const halfRepaired = new Leftovers();
  for (const link of was.broken) {
    if (link.broken === "no_page" && here.take(tallyKey(link, after))) halfRepaired.add(headingKey(link));
  }
  const found: Judgement[] = [];
  for (const link of changed) {
    if (link.broken === "no_anchor" && halfRepaired.take(headingKey(link))) continue;
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

const tallyKey = (link: Link, after: Docs) =>
  after.pagesByPath.has(link.path) ? `${link.path}\n${link.url}` : link.url;

const headingKey = ({ path, url }: Link) => `${path}\n${url.replace(/^[^#]*/, "")}`;
