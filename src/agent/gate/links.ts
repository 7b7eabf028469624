import { checkLinks, type Link } from "#content/links/links.ts";
import { type Docs, withApiPages } from "#content/page-tree.ts";
import { error, type Judge, type Judgement } from "./judge.ts";
import { Leftovers } from "./leftovers.ts";

const REASONS = {
  no_page: "no such page",
  no_anchor: "no such heading on that page",
  no_asset: "no such file",
} as const;

/** No internal link, image or anchor is newly broken, on any page. */
export const judgeLinks: Judge = async (deps, { base, head, before, after }) => {
  const options = { parser: deps.parser, cache: deps.linkCache };
  const linked = {
    before: await withApiPages(before, base, deps.addApiPages),
    after: await withApiPages(after, head, deps.addApiPages),
  };
  const was = await checkLinks({ ...options, snapshot: base, docs: linked.before });
  const is = await checkLinks({ ...options, snapshot: head, docs: linked.after });
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

const tallyKey = (link: Link, after: Docs) =>
  after.pagesByPath.has(link.path) ? `${link.path}\n${link.url}` : link.url;

const headingKey = ({ path, url }: Link) => `${path}\n${url.replace(/^[^#]*/, "")}`;
