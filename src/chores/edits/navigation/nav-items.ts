import { type TextRange } from "#docs/nodes.ts";
import { AppError } from "#lib/app-error.ts";
import { placesIn, type TextEdit } from "#chores/edits/page-edits.ts";

/** An entry of a navigation file: a page, a group, or both, as an entry of `SUMMARY.md` with others below it is. */
export interface NavItem {
  /** As readers see it; null for an entry without a title. */
  title: string | null;
  /** Path in the repository of the page that it names; null for none. */
  page: string | null;
  /** The entries below it; null where there can be none. */
  items: NavItem[] | null;
  /** Where it begins, for messages. */
  offset: number;
  /** The text of the entry with all that is below it; null if it cannot be moved or removed without its neighbors. */
  block: TextRange | null;
  /** The title, as written. */
  label: TextRange | null;
  /** The name of the page, as written. */
  reference: TextRange | null;
  /** The folder, in the repository, whose pages the tool lists here by itself. */
  generates?: string;
  /** Whether it is a heading above its entries, which cannot stand among entries. */
  isHeading?: true;
}

/** The top of a navigation. */
export const rootOf = (items: NavItem[], offset = 0): NavItem & { items: NavItem[] } => {
  return { title: null, page: null, items, offset, block: null, label: null, reference: null };
};

/** A navigation file, and the folder that it names pages from. */
export interface NavFile {
  path: string;
  text: string;
  pages: string;
}

/** A page for a navigation. Without a title the entry shows that of the page. */
export interface NavPage {
  path: string;
  title: string | null;
}

/**
 * A navigation in the file of another tool. Its functions return edits of `text`, which keep everything else byte for byte, or
 * throw `AppError invalid` with the place of an entry that is written in a form that cannot be edited.
 */
export interface ToolNavigation {
  path: string;
  text: string;
  /** The entries at the top. It has no title of its own. */
  root: NavItem & { items: NavItem[] };
  /** Parts that may name pages and are not read, such as aliases and calls of functions. */
  unread: readonly { offset: number; text: string }[];
  /** Whether entries of pages have a title in this group, or in the file where the group has none. */
  hasTitles(group: NavItem): boolean;
  /** Adds an entry to a group, after one of its entries, or at its end. */
  insert(page: NavPage, place: { group: NavItem; after: NavItem | null }): TextEdit;
  remove(item: NavItem): TextEdit;
  /** The title as it is written in the file in place of `written`. */
  writeTitle(title: string, written: string): string;
  /** The name of a page as it is written in the file in place of `written`. */
  writeReference(path: string, written: string): string;
}

export const NOT_ON_LINES = "is not in a list with one entry on each line";

/** A refusal with the place in the file. `why` follows “The entry at `mkdocs.yml:4` ”. */
export function cannotEdit(
  { path, text }: Pick<ToolNavigation, "path" | "text">,
  offset: number,
  why: string,
): AppError {
  return new AppError(
    "invalid",
    `The entry at \`${placesIn(path, text)(offset)}\` ${why}. Edit it there; nothing was changed.`,
  );
}

/** All entries below one, in the order written. */
export const itemsBelow = (item: NavItem): NavItem[] =>
  (item.items ?? []).flatMap((each) => [each, ...itemsBelow(each)]);
