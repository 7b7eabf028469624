import { posix } from "node:path";
import { type Link, targetOfLink } from "#docs/links/links.ts";
import { matchesInProse } from "#docs/syntax/lines.ts";
import type { Route } from "#docs/routes.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { TextEdit } from "#chores/edits/page-edits.ts";

/** The native site with its files in their new places, before any page is rewritten. */
export interface MovedSite {
  docs: Docs;
  /** The new path of a file. */
  pathOf(path: string): string;
  newRoute(route: Route): Route;
}

/** Edits of the links on a page of the old site that would lead elsewhere on the native one. */
export function linkEdits(links: readonly Link[], before: Docs, { docs, pathOf, newRoute }: MovedSite): TextEdit[] {
  return links.flatMap((link): TextEdit[] => {
    const { url, start, end, path } = link;
    const target = targetOfLink(before, path, link);
    const now = targetOfLink(docs, pathOf(path), link);
    if (target?.kind === "page" && (now?.kind !== "page" || now.route !== newRoute(target.route)))
      return [{ start, end, text: written(newRoute(target.route), url) }];
    if (target?.kind !== "asset" || (now?.kind === "asset" && now.path === pathOf(target.path))) return [];
    const address = addressOf(docs, pathOf(target.path));
    return address === null ? [] : [{ start, end, text: written(address, url) }];
  });
}

/** A link in Markdown to an address, with the query and the anchor of the link that it replaces. */
function written(address: Route, url: string): string {
  const at = url.search(/[?#]/);
  return address.replaceAll("(", "%28").replaceAll(")", "%29") + (at === -1 ? "" : url.slice(at));
}

/** The shortest address of a file. */
export function addressOf({ assets }: Docs, path: string): Route | null {
  const addresses = [...assets].flatMap(([address, asset]) => (asset.path === path ? [address] : []));
  return addresses.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** Edits of the relative imports of a page: its folder changes, or the imported file moves. */
export function importEdits(text: string, from: string, { pathOf }: Pick<MovedSite, "pathOf">): TextEdit[] {
  const to = pathOf(from);
  return [...matchesInProse(text, /^(import\s[^'"\n]{0,500}?["'])(\.{1,2}\/[^'"\n]{1,500})(?=["'])/gm)].flatMap(
    (match) => {
      const [, lead = "", specifier = ""] = match;
      const file = posix.join(posix.dirname(from), specifier);
      const target = pathOf(file);
      if (to === from && target === file) return [];
      const relative = posix.relative(posix.dirname(to), target);
      const written = relative.startsWith(".") ? relative : `./${relative}`;
      const start = match.index + lead.length;
      return written === specifier ? [] : [{ start, end: start + specifier.length, text: written }];
    },
  );
}
