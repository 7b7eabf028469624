import { resolveHref } from "#docs/hrefs.ts";
import { findLinkTarget, type Link } from "#docs/links/links.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { encodePath, stripContentRoot } from "#docs/routes.ts";

/** Path of the page that a link leads to, also where the page has no such heading; null when it leads to no page. */
export function linkedPage(link: Link, docs: Docs): string | null {
  if (link.broken !== "no_anchor") return link.target?.kind === "page" ? link.target.path : null;
  const href = resolveHref(link.url, stripContentRoot(link.path, docs.contentRoot) ?? link.path, link.use);
  if (href.kind !== "internal") return null;
  const found = findLinkTarget(encodePath(href.path.replace(/^\//, "")), link, docs);
  return found?.kind === "page" ? found.path : null;
}
