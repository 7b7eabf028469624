import { type TextRange } from "#docs/nodes.ts";
import type { DialectName } from "#docs/dialect.ts";
import { canonicalPath, type Route, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { editText, placesIn, type TextEdit } from "#chores/edits/page-edits.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import { chooseGroup, groupsNamed } from "./group-names.ts";
import { type GeneratedGroup, generatedGroups, renameCategory, requireInGroup } from "./generated-groups.ts";
import { cannotEdit, itemsBelow, type NavItem, type ToolNavigation, type NavFile, NOT_ON_LINES } from "./nav-items.ts";
import { docusaurusSidebar, starlightSidebar, vitepressSidebar } from "./sidebar-forms.ts";
import { sidebarReader } from "./sidebar-navigation.ts";
import { readSummaryNavigation } from "./summary-navigation.ts";
import { readYamlNavigation } from "./yaml-navigation.ts";

type Reader = (file: NavFile, workspace: Workspace) => ToolNavigation | Promise<ToolNavigation>;

const READERS: Partial<Record<DialectName, Reader>> = {
  mkdocs: readYamlNavigation,
  gitbook: readSummaryNavigation,
  docusaurus: sidebarReader(docusaurusSidebar),
  vitepress: sidebarReader(vitepressSidebar),
  starlight: sidebarReader(starlightSidebar),
};

/**
 * The navigation file of another tool; null for a `docs.json`, and where there is no such file. Throws `AppError invalid` for
 * a file that cannot be read.
 */
export async function openToolNavigation(workspace: Workspace): Promise<ToolNavigation | null> {
  const { tool, config } = await workspace.docs();
  const read = READERS[config.dialect];
  const { navigation: path = null, pages = "" } = tool?.chores ?? {};
  const text = path === null ? null : await workspace.text(path);
  return read === undefined || path === null || text === null ? null : await read({ path, text, pages }, workspace);
}

/** A group of a tool's navigation; the top of the navigation is one without a title. */
export interface NavGroup extends GeneratedGroup {
  /** Null for a group that the tool makes from a folder. */
  group: NavItem | null;
}

/** The navigation of another tool: its file, if it has one that chores edit, and its groups. */
export interface ToolGroups {
  nav: ToolNavigation | null;
  groups: readonly NavGroup[];
}

/**
 * The groups of another tool: those in its file, in order, and then those that it makes from folders. Null for a `docs.json`,
 * and for a tool whose navigation chores do not edit.
 */
export async function toolGroups(workspace: Workspace): Promise<ToolGroups | null> {
  const nav = await openToolNavigation(workspace);
  const docs = await workspace.docs();
  if (docs.tool?.chores === undefined) return null;
  const routes = ({ items }: NavItem) =>
    (items ?? []).flatMap(({ page }) => docs.pagesByPath.get(page ?? "")?.route ?? []);
  const isGenerated = nav === null || itemsBelow(nav.root).some(({ generates }) => generates !== undefined);
  const made = new Map((isGenerated ? generatedGroups(docs) : []).map((each) => [each.trail, each]));
  const written = (nav === null ? [] : navGroups(nav)).map((each) => {
    const pages = new Set([...routes(each.group), ...(made.get(each.trail)?.pages ?? [])]);
    made.delete(each.trail);
    return { ...each, pages: [...pages] };
  });
  return { nav, groups: [...written, ...made.values().map((each) => ({ ...each, group: null }))] };
}

/** The groups in the order of the file: first the top, if it lists pages itself. */
function navGroups({ root }: ToolNavigation): WrittenGroup[] {
  const below = (item: NavItem, trail: readonly string[]): WrittenGroup[] =>
    (item.items ?? []).flatMap((each): WrittenGroup[] => {
      const own = [...trail, each.title ?? ""];
      const isGroup = each.items !== null && (each.items.length > 0 || each.page === null);
      return [
        ...(isGroup ? [{ title: each.title ?? "", trail: own.join(" > "), group: each }] : []),
        ...below(each, own),
      ];
    });
  const isPlace = root.items.some(({ page, generates }) => page !== null || generates !== undefined);
  return [...(isPlace ? [{ title: "", trail: "", group: root }] : []), ...below(root, [])];
}

type WrittenGroup = { title: string; trail: string; group: NavItem };

/**
 * Adds a page to a group, with its title where the entries have titles. Returns the trail of the group. A group that the tool
 * makes from a folder has the page already, or `AppError invalid` is thrown.
 */
export async function addNavPage(
  workspace: Workspace,
  { nav, groups }: ToolGroups,
  path: string,
  place: { group: string; after?: Route | undefined },
): Promise<string> {
  const { group, trail } = chooseGroup(groups, place.group);
  if (group === null || nav === null) {
    await requireInGroup(workspace, path, trail);
    return trail;
  }
  if (group.items?.some(({ generates }) => generates !== undefined && stripContentRoot(path, generates) !== null))
    return trail;
  const { pages, pagesByPath } = await workspace.docs();
  const title = nav.hasTitles(group) ? (pagesByPath.get(path)?.title ?? null) : null;
  const previous = place.after === undefined ? undefined : pages.get(place.after)?.path;
  const after = group.items?.find(({ page }) => page !== null && page === previous) ?? null;
  await writeNav(workspace, nav, [nav.insert({ path, title }, { group, after })]);
  return trail;
}

/** Adds a page at the end of a group, with the title that it has in its present entry. */
export async function moveToNavGroup(
  workspace: Workspace,
  all: ToolGroups,
  { path }: { path: string },
  requested: string,
): Promise<{ trail: string; isAdded: boolean }> {
  const { group, trail } = chooseGroup(all.groups, requested);
  const { nav } = all;
  const entry = nav === null ? undefined : itemsBelow(nav.root).find(({ page }) => page === path);
  if (group !== null && group.items?.at(-1)?.page === path) return { trail, isAdded: false };
  if (nav === null || group === null || entry === undefined)
    await addNavPage(workspace, all, path, { group: requested });
  else await writeNav(workspace, nav, [nav.insert({ path, title: entry.title }, { group, after: null })]);
  return { trail, isAdded: true };
}

/**
 * Removes the first entry of a page, with the groups that held nothing else. The last entry of the group `except` stays. Null
 * if there is no entry to remove.
 */
export async function removeNavPage(
  workspace: Workspace,
  nav: ToolNavigation,
  { path, except }: { path: string; except?: string | undefined },
): Promise<{ emptied: string | null } | null> {
  refuseUnread(nav, path);
  const groups = except === undefined ? [] : groupsNamed(navGroups(nav), except);
  const kept = groups[0]?.group.items?.at(-1);
  const parents = parentsIn(nav);
  const entry = itemsBelow(nav.root).find((item) => item.page === path && item !== kept);
  if (entry === undefined) return null;
  let removed = entry;
  for (let at = parents.get(entry); at !== undefined && at !== nav.root; at = parents.get(at)) {
    if (at.items?.length !== 1 || at.page !== null) break;
    removed = at;
  }
  if (nav.root.items.length === 1 && removed === nav.root.items[0] && removed !== kept)
    throw cannotEdit(nav, removed.offset, "is the last one of the navigation, which may not be empty");
  const emptied = removed === entry ? null : (navGroups(nav).find(({ group }) => group === removed)?.trail ?? null);
  await writeNav(workspace, nav, [nav.remove(removed)]);
  return { emptied };
}

/** The files that entries name and that do not exist. */
export async function deadFiles({ tree }: Workspace, nav: ToolNavigation): Promise<string[]> {
  const named = itemsBelow(nav.root).flatMap(({ page }) =>
    page !== null && /\.(?:mdx?|markdown)$/i.test(page) ? [page] : [],
  );
  const exists = await Promise.all(named.map((path) => tree.exists(path)));
  return [...new Set(named.filter((_path, index) => exists[index] === false))];
}

/** Where the configuration of a tool has the address of a page besides its navigation, as `path:line`: in a navbar, a footer. */
export async function configurationMentions(
  workspace: Workspace,
  page: { path: string; route: Route },
): Promise<string[]> {
  const { tool } = await workspace.docs();
  const file = tool?.file ?? null;
  const text = file === null || page.route === "/" ? null : await workspace.text(file);
  if (file === null || text === null) return [];
  const nav = await openToolNavigation(workspace);
  const entries = nav?.path === file ? itemsBelow(nav.root).flatMap(({ reference }) => reference ?? []) : [];
  const at = placesIn(file, text);
  return [...text.matchAll(/["'`](\/[^"'`\s?#]{1,400})(?=["'`?#])/g)]
    .filter(([, written = ""]) => canonicalPath(written.replace(/\.(?:md|html)$/, "")) === page.route)
    .filter(({ index }) => !entries.some(({ start, end }) => start <= index && index < end))
    .map(({ index }) => `\`${at(index)}\``);
}

/** Lets the entries of a page name its new path. Returns their number, and how many changed. */
export async function renameNavPage(
  workspace: Workspace,
  nav: ToolNavigation,
  from: string,
  to: string,
): Promise<{ entries: number; changed: number }> {
  refuseUnread(nav, from);
  const entries = itemsBelow(nav.root).filter(({ page }) => page === from);
  const edits = entries.map(({ reference, offset }) => {
    if (reference === null) throw cannotEdit(nav, offset, "names no file");
    return replaced(nav, reference, (written) => nav.writeReference(to, written));
  });
  const changes = edits.filter(({ start, end, text }) => nav.text.slice(start, end) !== text);
  await writeNav(workspace, nav, changes);
  return { entries: entries.length, changed: changes.length };
}

/** Gives a group another title. Throws `AppError conflict` if one next to it has that title. */
export async function renameNavGroup(
  workspace: Workspace,
  nav: ToolNavigation | null,
  named: NavGroup,
  title: string,
): Promise<void> {
  const { group } = named;
  if (nav === null || group === null) return renameCategory(workspace, named, title);
  if (group.label === null) throw cannotEdit(nav, group.offset, "has no title that is written as a text");
  const rival = siblingsIn(nav, group).find(
    (item) => item !== group && item.items !== null && item.title?.toLowerCase() === title.toLowerCase(),
  );
  if (rival !== undefined) throw new AppError("conflict", `There is already a group “${rival.title}” next to it.`);
  await retitle(workspace, nav, [group], title);
}

/** Gives the entries of a page that have a title of their own another one. */
export const retitleNavPage = (workspace: Workspace, nav: ToolNavigation, path: string, titles: { from: string; to: string }) =>
  retitle(workspace, nav, itemsBelow(nav.root).filter(({ page, title }) => page === path && title === titles.from), titles.to); // oxfmt-ignore

async function retitle(
  workspace: Workspace,
  nav: ToolNavigation,
  items: readonly NavItem[],
  title: string,
): Promise<void> {
  await writeNav(workspace, nav, items.flatMap(({ label }) =>
    label === null ? [] : [replaced(nav, label, (written) => nav.writeTitle(title, written))],
  )); // oxfmt-ignore
}

/** The entries of the list that an entry is in, without those that it cannot change places with. */
export const siblingsIn = (nav: ToolNavigation, item: NavItem): readonly NavItem[] =>
  (parentsIn(nav).get(item)?.items ?? nav.root.items).filter(({ isHeading }) => isHeading === item.isHeading);

/** Puts the entries of one list into another order. Text between them stays where it is. */
export async function reorderNav(
  workspace: Workspace,
  nav: ToolNavigation,
  order: readonly NavItem[],
): Promise<boolean> {
  const places = order.toSorted((a, b) => a.offset - b.offset);
  const edits = places.flatMap((place, index): TextEdit[] => {
    const item = order[index]!;
    if (item === place) return [];
    if (place.block === null || item.block === null)
      throw cannotEdit(nav, (place.block === null ? place : item).offset, NOT_ON_LINES);
    return [{ ...place.block, text: nav.text.slice(item.block.start, item.block.end) }];
  });
  await writeNav(workspace, nav, edits);
  return edits.length > 0;
}

function parentsIn(nav: ToolNavigation): Map<NavItem, NavItem> {
  return new Map([nav.root, ...itemsBelow(nav.root)].flatMap((item) => (item.items ?? []).map((each) => [each, item])));
}

/** A part that is not read may name the page, and would name a missing file afterwards. */
function refuseUnread(nav: ToolNavigation, path: string): void {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const found = nav.unread.find(({ text }) => text.includes(name));
  if (found !== undefined)
    throw cannotEdit(nav, found.offset, "may name this page and is written in a form that chores do not edit");
}

const replaced = ({ text }: ToolNavigation, range: TextRange, write: (written: string) => string): TextEdit => ({
  ...range,
  text: write(text.slice(range.start, range.end)),
});

async function writeNav(workspace: Workspace, nav: ToolNavigation, edits: readonly TextEdit[]): Promise<void> {
  if (edits.length > 0) await workspace.write(nav.path, editText(nav.text, edits));
}
