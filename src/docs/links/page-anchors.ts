import { linkedId } from "#docs/slugs.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { LinkedFile } from "./parsed-file.ts";

export const MAX_INCLUDE_DEPTH = 12;

export interface KnownAnchors {
  docs: Docs;
  parsed: ReadonlyMap<string, LinkedFile>;
  /** Anchors of pages including those of their snippets; null when they are unknown. */
  anchors: Map<string, PageAnchors | null>;
}

interface PageAnchors {
  ids: ReadonlySet<string>;
  hasIncludes: boolean;
}

/** The anchors of a page and of what it includes; null when they are unknown. */
export function anchorsWithIncludes(path: string, context: KnownAnchors): PageAnchors | null {
  const known = context.anchors.get(path);
  if (known !== undefined) return known;
  const { docs, parsed } = context;
  const seen = new Set<string>();
  const anchors = new Set<string>();
  let open = [path];
  for (let depth = 0; depth <= MAX_INCLUDE_DEPTH && open.length > 0; depth += 1) {
    const next: string[] = [];
    for (const each of open) {
      if (seen.has(each)) continue;
      seen.add(each);
      const file = parsed.get(each);
      if (file?.ok === false) {
        context.anchors.set(path, null);
        return null;
      }
      for (const id of file?.anchors ?? []) anchors.add(id);
      for (const choices of file?.includes ?? []) {
        const paths = choices.map((choice) => joinContentRoot(choice, docs.contentRoot));
        next.push(...paths.filter((choice) => parsed.has(choice)).slice(0, 1));
      }
    }
    open = next;
  }
  const found = { ids: anchors, hasIncludes: seen.size > 1 };
  context.anchors.set(path, found);
  return found;
}

/** Whether a page is known to have no such anchor. */
export function lacksAnchor(route: Route, hash: string, context: KnownAnchors): boolean {
  const page = context.docs.pages.get(route);
  if (page === undefined || page.operation !== null || !context.parsed.has(page.path)) return false;
  const anchors = anchorsWithIncludes(page.path, context);
  return anchors !== null && !hasAnchor(anchors, linkedId(hash, context.docs.config.rules));
}

export function hasAnchor({ ids, hasIncludes }: PageAnchors, hash: string): boolean {
  if (hash === "top" || hash.startsWith(":~:") || ids.has(hash)) return true;
  // `setup-1` is the page's second `setup`, and the first may come from a snippet.
  const first = hasIncludes ? /^(.+)-[1-9]\d?$/.exec(hash)?.[1] : undefined;
  return first !== undefined && ids.has(first);
}
