import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { routeOfStem, type Route } from "#docs/routes.ts";

/** The page that a path names with an extension or `index`: how links in a repository are often written. */
export function pageBehind(docs: Docs, path: Route): { page: Page; isMarkdown: boolean } | null {
  const markdown = /\.(md|mdx|markdown)$/i.test(path);
  const bare = path.replace(/\.(md|mdx|markdown|html?)$/i, "");
  const page = docs.pages.get(bare) ?? docs.pages.get(foldRoute(bare));
  return page === undefined ? null : { page, isMarkdown: markdown };
}

function foldRoute(path: Route): Route {
  const folded = path.replace(/\/(?:index|readme)$/i, "");
  return folded === "" ? routeOfStem("") : folded;
}
