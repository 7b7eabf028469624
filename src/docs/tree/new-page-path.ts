import { posix } from "node:path";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import type { Docs } from "./page-tree.ts";

type Site = Pick<Docs, "tool" | "contentRoot" | "pagesByPath">;

/** The folder of a site's pages, which may be below its content root: `docs` in MkDocs. */
export const pagesFolder = ({ tool, contentRoot }: Pick<Docs, "tool" | "contentRoot">): string =>
  tool?.chores?.pages ?? contentRoot;

/** Path in the repository of a new page: a path outside of the folder of pages is relative to it. */
export function newPagePath(docs: Site, requested: string): string {
  const root = pagesFolder(docs);
  // A page may be in another folder of the tool's pages, such as its blog.
  const isElsewhere =
    docs.tool !== null && [...docs.pagesByPath.keys()].some((each) => each.startsWith(`${posix.dirname(requested)}/`));
  return stripContentRoot(requested, root) === null && !isElsewhere ? joinContentRoot(requested, root) : requested;
}
