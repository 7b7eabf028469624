import { markdownFormat } from "#docs/parser.ts";
import { isSection, type NavigationNode } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

/** A file of the docs that people edit. */
export interface ListedFile {
  path: string;
  title: string;
  /** Its address on the site; null for a file that is no page. */
  route: string | null;
}

/** Files under one heading of the list. */
export interface ListedGroup {
  /** Titles of the sections of the navigation; empty above its first section. */
  trail: readonly string[];
  files: readonly ListedFile[];
}

export interface ListedFiles {
  groups: readonly ListedGroup[];
  /** The number of files that match and are not in `groups`. */
  left: number;
  /** The number of pages without a file of their own, from descriptions of APIs. */
  generated: number;
}

const MAX_LISTED = 1_000;

/** The files of the docs that match a search: pages in the order of the navigation, the other pages, and other files. */
export function listFiles(version: Pick<SiteVersion, "docs" | "files">, search: string): ListedFiles {
  const { docs, files } = version;
  const words = search.toLowerCase();
  const matches = ({ path, title }: ListedFile) => `${title}\n${path}`.toLowerCase().includes(words);
  const own = [...docs.pages.values()].filter(({ isGenerated }) => !isGenerated);
  const listed = new Set<string>();
  const groups = inNavigation(docs, listed);
  const others = own.filter(({ path }) => !listed.has(path)).map(ofPage);
  const further = [...files.keys()]
    .filter((path) => path === docs.configFile || (markdownFormat(path) !== null && !docs.pagesByPath.has(path)))
    .map((path) => ({ path, title: path.slice(path.lastIndexOf("/") + 1), route: null }));
  const all = [
    ...groups,
    { trail: ["Not in the navigation"], files: others },
    { trail: ["Other files"], files: further },
  ];
  let room = MAX_LISTED;
  let found = 0;
  const shown = all.flatMap(({ trail, files: inGroup }) => {
    const matching = inGroup.filter(matches);
    found += matching.length;
    const kept = matching.slice(0, room);
    room -= kept.length;
    return kept.length === 0 ? [] : [{ trail, files: kept }];
  });
  return { groups: shown, left: Math.max(0, found - MAX_LISTED), generated: docs.pages.size - own.length };
}

const ofPage = ({ path, title, route }: Page): ListedFile => ({ path, title, route });

/** The pages of the navigation by section; each file once, where it comes first. */
function inNavigation({ navigation, pages }: Docs, listed: Set<string>): ListedGroup[] {
  const groups: { trail: readonly string[]; files: ListedFile[] }[] = [];
  const add = (trail: readonly string[], route: string | null) => {
    const page = route === null ? undefined : pages.get(route);
    if (!page || page.isGenerated || listed.has(page.path)) return;
    listed.add(page.path);
    const last = groups.at(-1);
    if (last && last.trail.join("\n") === trail.join("\n")) last.files.push(ofPage(page));
    else groups.push({ trail, files: [ofPage(page)] });
  };
  const walk = (nodes: readonly NavigationNode[], trail: readonly string[]): void => {
    for (const node of nodes) {
      if (node.kind === "page") add(trail, node.route);
      if (!isSection(node)) continue;
      const inside = node.title === "" ? trail : [...trail, node.title];
      add(inside, node.route);
      walk(node.children, inside);
    }
  };
  walk(navigation, []);
  return groups;
}
