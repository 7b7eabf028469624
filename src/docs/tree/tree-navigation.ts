import { compareNames, titleOfName, type NavigationNode, type NavigationSection } from "./navigation.ts";
import { pageNode, type Page } from "./pages.ts";
import { stripContentRoot } from "#docs/routes.ts";

interface Folder {
  name: string;
  pages: { name: string; page: Page }[];
  folders: Map<string, Folder>;
}

const MAX_DEPTH = 12;

/**
 * The navigation of a site that does not describe one: folders are groups, README or index comes first, then what
 * has an order in its front matter, then names in natural order (`2-b` before `10-a`), folders after pages.
 */
export function navigationFromTree(pages: Iterable<Page>, contentRoot: string): NavigationNode[] {
  const root: Folder = { name: "", pages: [], folders: new Map() };
  for (const page of pages) {
    if (page.hidden || page.isGenerated) continue;
    const segments = (stripContentRoot(page.path, contentRoot) ?? page.path).split("/");
    const name = segments.pop() ?? "";
    let folder = root;
    for (const segment of segments.slice(0, MAX_DEPTH)) {
      const next = folder.folders.get(segment) ?? { name: segment, pages: [], folders: new Map() };
      folder.folders.set(segment, next);
      folder = next;
    }
    folder.pages.push({ name, page });
  }
  return nodesOf(root);
}

function nodesOf(folder: Folder): NavigationNode[] {
  const pages = folder.pages
    .sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
    .map(({ page }): NavigationNode => pageNode(page));
  const groups = [...folder.folders.values()].sort((a, b) => compareNames(a.name, b.name)).map(groupOf);
  return [...pages, ...groups];
}

function groupOf(folder: Folder): NavigationSection {
  return {
    kind: "group",
    title: titleOfName(folder.name),
    language: null,
    tag: null,
    route: null,
    href: null,
    isDefault: false,
    children: nodesOf(folder),
  };
}

function rank({ name, page }: { name: string; page: Page }): number {
  if (/^(index|readme)\.[^.]+$/i.test(name)) return -1e9;
  return page.order ?? 1e9;
}
