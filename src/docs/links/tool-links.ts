import { type HrefUse, resolveHref } from "#docs/hrefs.ts";
import { type Docs, routeInsideBase } from "#docs/tree/page-tree.ts";
import { encodePath, type Route } from "#docs/routes.ts";

/**
 * Resolves a link on a site of another tool, where the path of a file is not always its address: to a page, or for a source
 * to a file. A relative link without an extension is relative to the page's address, with or without a trailing slash. Null
 * when there is no target.
 */
export function addressInTool(
  docs: Docs,
  link: { url: string; use: HrefUse; route: Route; page: Route | null },
): Route | null {
  const { url, use, route, page } = link;
  if (docs.tool === null) return null;
  const places = use === "link" ? docs.pages : docs.assets;
  const known = (each: Route): Route | null => {
    if (places.has(each)) return each;
    if (use === "source") return null;
    // Books use the names of built files in links: `theme/index.html`.
    const bare = each.replace(/\.html?$/i, "").replace(/\/(?:index|readme)$/i, "") || "/";
    return docs.aliases.get(each) ?? (docs.pages.has(bare) ? bare : docs.aliases.get(bare)) ?? null;
  };
  const written = known(route);
  if (written !== null) return written;
  const inside = routeInsideBase(docs, route);
  if (inside !== null && places.has(inside)) return inside;
  if (page === null || /^(?:[a-z][a-z0-9+.-]*:|[\\/#?])/i.test(url)) return null;
  const bare = decodeURIComponent(page.slice(1));
  for (const from of [`${bare}/index.md`, `${bare}.md`]) {
    const href = resolveHref(url, from, use);
    const found = href.kind === "internal" ? known(encodePath(href.path.replace(/^\//, ""))) : null;
    if (found !== null) return found;
  }
  return null;
}
