import { resolveHref } from "#docs/hrefs.ts";
import { checkLinks, type Link, targetOfLink, type WithBase } from "#docs/links/links.ts";
import type { LinkCache } from "#docs/links/parsed-file.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import type { Problem } from "#docs/problems.ts";
import { encodePath, stripContentRoot, type Route } from "#docs/routes.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

/** A broken link; `target` when its page exists and only the anchor is missing. */
export interface BrokenLink {
  link: Link;
  target: { route: Route; hash: string } | null;
}

// These pages are rendered to find generated anchors. Beyond this number, such links count as broken.
const MAX_DOUBTED_PAGES = 500;

export async function findBrokenLinks(
  version: SiteVersion,
  { parser, cache }: { parser: MarkdownParser; cache: LinkCache },
): Promise<{
  checked: number;
  broken: readonly BrokenLink[];
  /** The number of further broken links that are not in `broken`. */
  more: number;
  doubted: ReadonlyMap<Route, ReadonlySet<string>>;
  withBase: WithBase;
}> {
  const { docs, snapshot } = version;
  const report = await checkLinks({ snapshot, docs, parser, cache, onlyBroken: true });
  const doubted = new Map<Route, Set<string>>();
  const broken = report.broken.map((link): BrokenLink => {
    const target = link.broken === "no_anchor" ? anchorTarget(version, link) : null;
    if (target === null) return { link, target };
    const hashes = doubted.get(target.route);
    if (hashes !== undefined) hashes.add(target.hash);
    else if (doubted.size < MAX_DOUBTED_PAGES) doubted.set(target.route, new Set([target.hash]));
    return { link, target };
  });
  const { counts, withBase } = report;
  return { checked: counts.links, broken, more: counts.broken - broken.length, doubted, withBase };
}

function anchorTarget({ docs }: SiteVersion, link: Link): BrokenLink["target"] {
  const href = resolveHref(link.url, stripContentRoot(link.path, docs.contentRoot) ?? link.path, link.use);
  const target = targetOfLink(docs, link.path, link);
  return href.kind === "internal" && href.hash && target?.kind === "page"
    ? { route: target.route, hash: href.hash }
    : null;
}

/** Whether a link leads to a page that its author marked as a draft: by its file, or by its address, which may be relative to a page's. */
function leadsToDraft({ drafts, contentRoot, pagesByPath }: Docs, { path, url, use }: Link): boolean {
  const address = pagesByPath.get(path)?.route.slice(1) ?? "";
  const places = drafts.size === 0 ? [] : [stripContentRoot(path, contentRoot) ?? path, `${address}/index`, address];
  return places.some((from) => {
    const href = resolveHref(url, from, use);
    return href.kind === "internal" && drafts.has(encodePath(href.path.replace(/^\//, "")));
  });
}

const REASONS = {
  no_page: "there is no such page",
  no_anchor: "its page has no such heading",
  no_asset: "there is no such file",
} as const;

const CODES = { no_page: "broken_link", no_anchor: "broken_anchor", no_asset: "missing_file" } as const;

export function linkProblem(docs: Docs, link: Link): Problem {
  const { path, line, column, url, broken, suggestions } = link;
  const reason = broken ?? "no_page";
  const isToDraft = reason === "no_page" && leadsToDraft(docs, link);
  const [best] = isToDraft ? [] : suggestions;
  const why = isToDraft ? "its page is a draft, which is not published" : REASONS[reason];
  return {
    severity: reason === "no_anchor" ? "warning" : "error",
    code: CODES[reason],
    path,
    line,
    column,
    message: `${url.slice(0, 300)} is broken: ${why}.${best ? ` Did you mean ${readable(best.url).slice(0, 300)}?` : ""}`,
  };
}

/** An address as authors write it: `#示例`, not percent-encoded. */
function readable(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
