import type { Node } from "jsonc-parser";
import { routesBelow } from "#docs/tree/navigation.ts";
import { routeOfStem, type Route } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import {
  configDocuments,
  propertyOf,
  replaceString,
  sitePathOf,
  walkJson,
  writeDocument,
  type ConfigDocument,
} from "./config-document.ts";
import { insertElement } from "./json-edits.ts";
import { chooseGroup } from "./group-names.ts";
import { navigationTitle, removalOf, TITLE_KEYS } from "./navigation-entries.ts";
import {
  addNavPage,
  deadFiles,
  moveToNavGroup,
  openToolNavigation,
  removeNavPage,
  renameNavPage,
  retitleNavPage,
  toolGroups,
} from "./tool-navigation.ts";
import type { Workspace } from "#chores/edits/workspace.ts";

const PAGE_LISTS = new Set(["pages", "root", "navigation", "groups"]);
/** A position in the navigation: a group by its title, or by its trail (`Reference > Releases`). */
export interface NavigationPlace {
  group: string;
  /** The page before it; at the end when absent. */
  after?: Route | undefined;
}

/** A group of the navigation and the routes of its direct pages. */
export interface NavigationGroup {
  title: string;
  trail: string;
  pages: Route[];
}

/** The groups that list pages, in the order of the configuration; empty when there is no configured navigation. */
export async function navigationGroups(workspace: Workspace): Promise<NavigationGroup[]> {
  const inTool = await toolGroups(workspace);
  if (inTool !== null) return [...inTool.groups];
  return (await findGroups(workspace)).map(({ title, trail, list }) => ({ title, trail, pages: routesIn(list) }));
}

/** Adds a page to a group. Throws `AppError not_found` with the groups that exist, `invalid` when the title is not unique. */
export async function addToNavigation(
  workspace: Workspace,
  page: { path: string },
  place: NavigationPlace,
): Promise<string> {
  const inTool = await toolGroups(workspace);
  if (inTool !== null) return addNavPage(workspace, inTool, page.path, place);
  const group = chooseGroup(await findGroups(workspace), place.group);
  const { document, list } = group;
  const after = place.after === undefined ? -1 : routesIn(list).indexOf(place.after);
  const value = likeSiblings(await sitePathOf(workspace, page.path), stringsIn(list));
  const options = after === -1 ? { value } : { value, after };
  await writeDocument(workspace, document, [insertElement(document.text, list, options)]);
  return group.trail;
}

/** Adds a group with one page at the end of the list of groups (of the last tab, where there are tabs). */
export async function addGroup(workspace: Workspace, group: { title: string; path: string }): Promise<void> {
  const groups = await findGroups(workspace);
  const last = groups.at(-1);
  const object = last?.list.parent?.parent;
  const list = object?.parent;
  if (!last || list?.type !== "array")
    throw new AppError("invalid", "The navigation has no list of groups to add one to.");
  const key = TITLE_KEYS.find((name) => object && propertyOf(object, name) !== undefined) ?? "group";
  const page = likeSiblings(await sitePathOf(workspace, group.path), stringsIn(last.list));
  const value = { [key]: group.title, pages: [page] };
  await writeDocument(workspace, last.document, [insertElement(last.document.text, list, { value })]);
}

/**
 * The routes of the pages that the navigation lists, and its entries without a page: their routes, or the paths of their files
 * in another tool. Null when there is no configured navigation.
 */
export async function navigationEntries(workspace: Workspace): Promise<{ listed: Set<Route>; dead: string[] } | null> {
  const docs = await workspace.docs();
  const nav = await openToolNavigation(workspace);
  if (nav !== null) return { listed: new Set(routesBelow(docs.navigation)), dead: await deadFiles(workspace, nav) };
  if (docs.config.navigation === null) return null;
  const entries = (await configDocuments(workspace)).flatMap(entriesIn);
  const routes = entries.filter(({ node }) => !/^https?:|\s/.test(String(node.value))).map(({ route }) => route);
  const listed = new Set(routes);
  return { listed, dead: [...listed].filter((route) => !docs.pages.has(route)) };
}

/** The trails of the groups that list a page, in the order of the configuration. */
export async function listingGroups(workspace: Workspace, { route }: PlacedPage): Promise<string[]> {
  const inTool = await toolGroups(workspace);
  if (inTool !== null)
    return inTool.groups.flatMap(({ trail, pages }) => (trail !== "" && pages.includes(route) ? [trail] : []));
  return (await pageEntries(workspace, route)).map(({ node }) => trailOf(node)).filter((trail) => trail !== "");
}

type PlacedPage = { path: string; route: Route };

/** What was removed from the navigation: entries of a page, and the trails of groups that became empty. */
export interface RemovedEntries {
  entries: number;
  groups: string[];
}

/**
 * Removes a page from the navigation, with groups that become empty: readers would see a title with nothing below it. The
 * last entry of all stays: without any, the folders would be shown. The page stays in the group `except`, its destination.
 */
export async function removeFromNavigation(
  workspace: Workspace,
  { path, route }: PlacedPage,
  { except }: { except?: string } = {},
): Promise<RemovedEntries> {
  const removed: RemovedEntries = { entries: 0, groups: [] };
  for (;;) {
    const nav = await openToolNavigation(workspace);
    if (nav !== null) {
      const outcome = await removeNavPage(workspace, nav, { path, except });
      if (outcome === null) return removed;
      removed.entries += 1;
      if (outcome.emptied !== null) removed.groups.push(outcome.emptied);
      continue;
    }
    const kept = except === undefined ? null : lastEntry(await findGroup(workspace, except));
    const entry = (await pageEntries(workspace, route)).find(
      ({ document, node }) =>
        node.parent !== undefined && !(document.path === kept?.path && node.offset === kept.offset),
    );
    if (entry === undefined) return removed;
    const { edit, group } = removalOf(entry.document.text, entry.node);
    await writeDocument(workspace, entry.document, [edit]);
    removed.entries += 1;
    if (group !== null) removed.groups.push(trailOf(group));
  }
}

/** Makes a page the last one of a group, and removes it from all other groups. Throws like `addToNavigation`. */
export async function moveInNavigation(
  workspace: Workspace,
  page: PlacedPage,
  group: string,
): Promise<RemovedEntries & { trail: string; isChanged: boolean }> {
  const inTool = await toolGroups(workspace);
  if (inTool !== null) {
    const moved = await moveToNavGroup(workspace, inTool, page, group);
    const removed = await removeFromNavigation(workspace, page, { except: group });
    return { ...removed, trail: moved.trail, isChanged: moved.isAdded || removed.entries > 0 };
  }
  const { trail, list } = await findGroup(workspace, group);
  const isThere = routesIn(list).at(-1) === page.route;
  if (!isThere) await addToNavigation(workspace, page, { group });
  const removed = await removeFromNavigation(workspace, page, { except: group });
  return { ...removed, trail, isChanged: !isThere || removed.entries > 0 };
}

function lastEntry({ document, list }: FoundGroup): { path: string; offset: number } | null {
  const last = list.children?.at(-1);
  return last === undefined ? null : { path: document.path, offset: last.offset };
}

/** The removed groups, as the end of a sentence; empty when there are none. */
export function emptiedGroups({ groups }: Pick<RemovedEntries, "groups">): string {
  const named = groups.map((trail) => `“${trail}”`).join(", ");
  return groups.length === 0 ? "" : `the group${groups.length === 1 ? "" : "s"} ${named}, which held nothing else`;
}

/** Changes the path in the navigation entries of a page, in the style in which they are written. */
export async function renameInNavigation(
  workspace: Workspace,
  { path, route }: PlacedPage,
  newPath: string,
): Promise<{ entries: number; changed: number }> {
  const nav = await openToolNavigation(workspace);
  if (nav !== null) return renameNavPage(workspace, nav, path, newPath);
  const sitePath = await sitePathOf(workspace, newPath);
  let renamed = 0;
  for (const document of await configDocuments(workspace)) {
    const edits = entriesIn(document)
      .filter((entry) => entry.route === route)
      .map(({ node }) => replaceString(node, likeSiblings(sitePath, [String(node.value)])));
    if (edits.length > 0) await writeDocument(workspace, document, edits);
    renamed += edits.length;
  }
  return { entries: renamed, changed: renamed };
}

/** A group in the configuration: its object and the list of its pages. */
export interface FoundGroup {
  document: ConfigDocument;
  title: string;
  trail: string;
  list: Node;
  object: Node;
}

/** The trail of the group with a title or a trail. Throws like `addToNavigation`. */
export async function groupTrail(workspace: Workspace, requested: string): Promise<string> {
  const inTool = await toolGroups(workspace);
  return inTool === null ? (await findGroup(workspace, requested)).trail : chooseGroup(inTool.groups, requested).trail;
}

/** Changes the title of a page's entries in another tool, where readers see that and not the title of the page. */
export async function retitleInNavigation(
  workspace: Workspace,
  path: string,
  titles: { from: string; to: string },
): Promise<void> {
  const nav = await openToolNavigation(workspace);
  if (nav !== null) await retitleNavPage(workspace, nav, path, titles);
}

/** The group with a title or a trail in a `docs.json`. Throws like `addToNavigation`. */
export async function findGroup(workspace: Workspace, requested: string): Promise<FoundGroup> {
  return chooseGroup(await findGroups(workspace), requested);
}

async function findGroups(workspace: Workspace): Promise<FoundGroup[]> {
  const groups: FoundGroup[] = [];
  for (const document of await configDocuments(workspace)) {
    walkJson(document.root, (node) => {
      const list = propertyOf(node, "pages");
      const title = navigationTitle(node);
      if (list?.type !== "array" || title === null) return;
      groups.push({ document, title, trail: trailOf(node), list, object: node });
    });
  }
  return groups;
}

function trailOf(group: Node): string {
  const trail: string[] = [];
  for (let at: Node | undefined = group; at !== undefined; at = at.parent) {
    const name = at.type === "object" ? navigationTitle(at) : null;
    if (name !== null) trail.unshift(name);
  }
  return trail.join(" > ");
}

/** An entry of a page in the navigation. */
interface PageEntry {
  document: ConfigDocument;
  node: Node;
  route: Route;
}

const pageEntries = async (workspace: Workspace, route: Route): Promise<PageEntry[]> =>
  (await configDocuments(workspace)).flatMap(entriesIn).filter((entry) => entry.route === route);

function entriesIn(document: ConfigDocument): PageEntry[] {
  const found: PageEntry[] = [];
  walkJson(document.root, (node, key) => {
    const isEntry = node.type === "string" && key !== null && PAGE_LISTS.has(key);
    if (isEntry && (node.parent?.type === "array" || key === "root"))
      found.push({ document, node, route: routeOfStem(String(node.value)) });
  });
  return found;
}

function routesIn(list: Node): Route[] {
  return (list.children ?? []).map((node) => (node.type === "string" ? routeOfStem(String(node.value)) : ""));
}

const stringsIn = (list: Node): string[] =>
  (list.children ?? []).filter((node) => node.type === "string").map((node) => String(node.value));

/** A page reference in the style of others: with or without a leading slash and an extension. */
function likeSiblings(sitePath: string, siblings: readonly string[]): string {
  const slash = siblings.length > 0 && siblings.every((each) => each.startsWith("/")) ? "/" : "";
  const keepsExtension = siblings.length > 0 && siblings.every((each) => /\.(?:md|mdx|markdown)$/i.test(each));
  return slash + (keepsExtension ? sitePath : sitePath.replace(/\.(?:md|mdx|markdown)$/i, ""));
}
