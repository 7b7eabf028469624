import { type TextRange } from "#docs/nodes.ts";
import type * as es from "estree-jsx";
import { loadConfigModules } from "#docs/dialects/reading/modules.ts";
import { createProblemList } from "#docs/problems.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { Workspace } from "#chores/edits/workspace.ts";
import { cannotEdit, type NavItem, type ToolNavigation, type NavFile } from "./nav-items.ts";
import {
  insertInArray,
  propertyOfObject,
  removeFromArray,
  rewriteString,
  scriptRange,
  stringOf,
} from "./script-edits.ts";

/** The nodes of an entry in a sidebar. */
export interface SidebarEntry {
  title?: es.Node | undefined;
  /** The string that names its page. */
  reference?: es.Node | undefined;
  /** The list of the entries below it. */
  items?: es.Node | undefined;
  /** The folder whose pages the tool lists here. */
  generates?: string;
}

/** How a tool writes a sidebar in a program. */
export interface SidebarForm {
  /** The list of entries, or an object with several lists by name; null if the program computes it. */
  sidebarOf(program: es.Program): es.Node | null;
  /** The parts of an object that is an entry; null for one of an unknown form. */
  entryOf(node: es.ObjectExpression): SidebarEntry | null;
  /** The page of a reference; null for none. */
  pageOf(reference: string): string | null;
  /** The reference to a page, in the style of another one. */
  referenceTo(page: string, like: string | null): string;
  /** Whether an entry has a title; null to do as the entries next to it. */
  hasTitles: boolean | null;
  write(entry: { title: string | null; reference: string }, quote: (text: string) => string): string;
}

/** The sidebar in a program, edited where its entries are literals in lists. */
export const sidebarReader =
  (formOf: (docs: Docs, pages: string) => SidebarForm) =>
  async (file: NavFile, workspace: Workspace): Promise<ToolNavigation> => {
    const form = formOf(await workspace.docs(), file.pages);
    const module = (await loadConfigModules(workspace.tree, file.path, createProblemList(0))).get(file.path);
    const sidebar = module?.kind === "program" ? form.sidebarOf(module.program) : null;
    // Offsets are those of the text without a byte order mark.
    if (sidebar === null || file.text.startsWith("\uFEFF"))
      throw cannotEdit(file, 0, "has no sidebar that is written as a list in this file");
    return readSidebar(file, form, sidebar);
  };

function readSidebar(file: { path: string; text: string }, form: SidebarForm, sidebar: es.Node): ToolNavigation {
  const { text } = file;
  const unread: { offset: number; text: string }[] = [];
  /** The list of the entries below an item, and the place of an item in a list. */
  const lists = new Map<NavItem, es.ArrayExpression>();
  const places = new Map<NavItem, { list: es.ArrayExpression; element: es.Node }>();

  function itemOf(node: es.Node, { title, reference, items, generates }: SidebarEntry): NavItem {
    const [named, written] = [stringOf(reference), stringOf(title)];
    // A titled entry is a group with what is generated.
    const generated = generates === undefined || title === undefined ? null : [itemOf(node, { generates })];
    const item: NavItem = {
      title: written,
      page: named === null ? null : form.pageOf(named),
      items: items === undefined ? generated : itemsOf(items),
      offset: scriptRange(node).start,
      block: scriptRange(node),
      label: title === undefined || written === null ? null : scriptRange(title),
      reference: reference === undefined || named === null ? null : scriptRange(reference),
      ...(generates !== undefined && generated === null && { generates }),
    };
    if (items?.type === "ArrayExpression") lists.set(item, items);
    return item;
  }

  function itemsOf(node: es.Node): NavItem[] {
    if (node.type === "ObjectExpression") return namedLists(node, null);
    if (node.type !== "ArrayExpression") return notRead(node);
    return node.elements.flatMap((element) => {
      const found = element === null ? [] : elementItems(element);
      if (found.length === 1 && element !== null) places.set(found[0]!, { list: node, element });
      return found;
    });
  }

  function elementItems(node: es.Node): NavItem[] {
    if (stringOf(node) !== null) return [itemOf(node, { reference: node })];
    const entry = node.type === "ObjectExpression" ? form.entryOf(node) : null;
    if (entry !== null) return [itemOf(node, entry)];
    if (!isNamedLists(node)) return notRead(node);
    return namedLists(node, node.properties.length === 1 ? scriptRange(node) : null);
  }

  /** A group for each key: `{ Title: [...] }` as an entry, or the sidebars of a site, whose names are no titles. */
  function namedLists(node: es.ObjectExpression, block: TextRange | null, isTop = false): NavItem[] {
    return node.properties.flatMap((property) => {
      if (property.type !== "Property" || property.computed) return notRead(property);
      const { key, value } = property;
      const list = value.type === "ObjectExpression" ? propertyOfObject(value, "items") : value;
      if (list === undefined || (list !== value && propertyOfObject(value, "base") !== undefined))
        return notRead(property);
      const item = itemOf(property, { title: key, items: list });
      const label = scriptRange(key);
      item.title ??= text.slice(label.start, label.end);
      return [Object.assign(item, { block, label: isTop ? null : label })];
    });
  }

  function notRead(node: es.Node): [] {
    const { start, end } = scriptRange(node);
    unread.push({ offset: start, text: text.slice(start, end) });
    return [];
  }

  const named = sidebar.type === "ObjectExpression" ? namedLists(sidebar, null, true) : [];
  // A single named list is the navigation; several are its first level.
  const root = named.length === 1 ? named[0]! : itemOf(sidebar, { items: named.length > 1 ? undefined : sidebar });
  root.items ??= named;
  return {
    ...file,
    root: root as ToolNavigation["root"],
    unread,
    hasTitles(group) {
      const named = (group.items ?? []).filter(({ page }) => page !== null);
      return form.hasTitles ?? named.filter(({ title }) => title !== null).length * 2 > named.length;
    },
    insert({ path: page, title }, { group, after }) {
      const list = lists.get(group);
      if (list === undefined) throw cannotEdit(file, group.offset, "is in no list that is written in this file");
      const like = group.items?.findLast((each) => each.reference !== null)?.reference ?? null;
      const write = (quoted: string) =>
        form.write({ title, reference: form.referenceTo(page, like && unquoted(text, like)) }, (value) =>
          rewriteString(value, quoted),
        );
      return insertInArray(text, list, { after: (after && places.get(after)?.element) ?? null, write });
    },
    remove(item) {
      const place = places.get(item);
      if (place === undefined) throw cannotEdit(file, item.offset, "is in no list that is written in this file");
      if ((item.items?.length ?? 0) > 0 && item.page !== null)
        throw cannotEdit(file, item.offset, "names this page and has others below it: move those first");
      return removeFromArray(text, place.list, place.element);
    },
    writeTitle: rewriteString,
    writeReference: (page, written) => rewriteString(form.referenceTo(page, written.slice(1, -1)), written),
  };
}

const unquoted = (text: string, { start, end }: TextRange): string => text.slice(start + 1, end - 1);

const isNamedLists = (node: es.Node): node is es.ObjectExpression =>
  node.type === "ObjectExpression" &&
  node.properties.every((each) => each.type === "Property" && each.value.type === "ArrayExpression");
