import type { Place } from "#docs/problems.ts";
import type { MenuEntry, MenuPage, MenuSection } from "./tool-site.ts";

export const pageEntry = (route: string, title: string | null = null): MenuPage => ({ kind: "page", route, title });

/** An entry that is left out because no page has this name. */
export const missingPage = (name: string, at?: Place): MenuPage => ({
  kind: "page",
  route: "",
  title: null,
  missing: { name, ...(at && { at }) },
});

export const group = (title: string, children: readonly MenuEntry[], route: string | null = null): MenuSection => ({
  kind: "group",
  title,
  children,
  route,
});

export const languageEntry = (
  { label, code, isDefault }: { label: string; code: string; isDefault: boolean },
  children: readonly MenuEntry[],
): MenuSection => ({ kind: "language", title: label, language: code, isDefault, children });

/** The entries of a section with its own page first. */
export const withOwnPage = ({ route, children }: MenuSection, title: string | null = null): readonly MenuEntry[] =>
  route === null || route === undefined ? children : [pageEntry(route, title), ...children];

/** Tabs if there are several; a single tab is replaced by its entries. */
export function tabEntries(
  sections: readonly { title: string; children: readonly MenuEntry[] }[],
): readonly MenuEntry[] {
  const filled = sections.filter(({ children }) => children.length > 0);
  if (filled.length === 1) return filled[0]!.children;
  return filled.map(({ title, children }) => ({ kind: "tab", title, children }));
}

/** A heading between entries, which applies to the entries that follow. */
export interface Separator {
  separator: string;
}

/** Entries with the headings between them as groups; a heading without a text ends the group before it. */
export function underSeparators(items: readonly (MenuEntry | Separator)[]): MenuEntry[] {
  const entries: MenuEntry[] = [];
  let open: MenuEntry[] = entries;
  for (const item of items) {
    if (!("separator" in item)) open.push(item);
    else if (item.separator === "") open = entries;
    else {
      open = [];
      entries.push(group(item.separator, open));
    }
  }
  return entries;
}

/** The first route in a list of entries, for the address of a section without a page of its own. */
export function firstRoute(entries: readonly MenuEntry[]): string | null {
  for (const entry of entries) {
    const route =
      entry.kind === "page" ? entry.route : entry.kind === "link" ? null : (entry.route ?? firstRoute(entry.children));
    if (route) return route;
  }
  return null;
}
