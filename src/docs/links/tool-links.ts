import { posix } from "node:path";
import { type HrefUse, resolveHref } from "#docs/hrefs.ts";
import { type Docs, routeInsideBase } from "#docs/tree/page-tree.ts";
import { encodePath, joinContentRoot, type Route, stripContentRoot } from "#docs/routes.ts";
import { writeHref } from "./href-writer.ts";

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
  const named = use === "source" ? addressByAlias(docs.config.rules.pathAliases, route) : null;
  if (named !== null && places.has(named)) return named;
  const isFile = use === "link" && /\.(?:mdx?|markdown)(?:[?#]|$)/i.test(url);
  if (page === null || isFile || /^(?:[a-z][a-z0-9+.-]*:|[\\/#?])/i.test(url)) return null;
  const bare = decodeURIComponent(page.slice(1));
  for (const from of [`${bare}/index.md`, `${bare}.md`]) {
    const href = resolveHref(url, from, use);
    const found = href.kind === "internal" ? known(encodePath(href.path.replace(/^\//, ""))) : null;
    if (found !== null) return found;
  }
  return null;
}

/** `/guides/@assets/a.png`, which is resolved like a relative path, is the file `a.png` in the folder with that name. */
function addressByAlias(aliases: readonly (readonly [name: string, folder: string])[], route: Route): Route | null {
  for (const [name, folder] of aliases) {
    const at = route.indexOf(`/${name}`);
    if (at !== -1) return `${folder === "" ? "" : encodePath(folder)}/${route.slice(at + 1 + name.length)}`;
  }
  return null;
}

/**
 * Writes a link to a page in the style of the link that it replaces, as `writeHref` does. On a site of another tool an absolute
 * link gets the address of the page, and a relative one names its file. Starlight alone resolves no files: there a relative
 * link leads from address to address. `fromRoute` is the address of a page that is about to move.
 */
export function hrefToPage(
  docs: Docs,
  link: { like: string; from: string; target: string; route: Route; hash: string | null; fromRoute?: Route },
): string {
  const { like, from, target, route, hash } = link;
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/s.exec(like) ?? [];
  const isFile = /\.(?:md|mdx|markdown)$/i.test(path);
  if (docs.tool === null || path === "") return writeHref({ like, from, target, hash });
  const fromRoute = link.fromRoute ?? docs.pagesByPath.get(joinContentRoot(from, docs.contentRoot))?.route;
  if (docs.config.dialect === "starlight" && !path.startsWith("/") && !isFile && fromRoute !== undefined) {
    const relative = posix.relative(fromRoute, route) || ".";
    const bare = writeHref({ like: `/${query}`, from: "", target: decodeURIComponent(relative), hash }).slice(1);
    return withSlash(bare, path.endsWith("/"));
  }
  if (!path.startsWith("/")) return writeHref({ like: isFile ? like : `a.md${query}`, from, target, hash });
  if (isFile) {
    const folder = stripContentRoot(docs.tool.chores?.pages ?? "", docs.contentRoot) ?? "";
    const isInFolder = folder !== "" && !path.startsWith(`/${folder}/`);
    return writeHref({ like, from, target: isInFolder ? (stripContentRoot(target, folder) ?? target) : target, hash });
  }
  const base = docs.bases.find((each) => path.startsWith(`${each}/`) && !docs.pages.has(path)) ?? "";
  const bare = writeHref({ like, from, target: decodeURIComponent(route.slice(1)), hash });
  return withSlash(base + bare, path.endsWith("/"));
}

function withSlash(url: string, hasSlash: boolean): string {
  const end = url.search(/[?#]/);
  const address = end === -1 ? url : url.slice(0, end);
  return address + (hasSlash && !address.endsWith("/") ? "/" : "") + url.slice(address.length);
}
