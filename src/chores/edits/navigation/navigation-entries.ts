import type { Node } from "jsonc-parser";
import { SWITCH_KINDS } from "#docs/config/written-navigation.ts";
import { propertyOf } from "./config-document.ts";
import { removeElement } from "./json-edits.ts";
import type { TextEdit } from "#chores/edits/page-edits.ts";

export const TITLE_KEYS = ["group", ...SWITCH_KINDS.map((kind) => (kind === "menu" ? "item" : kind))];
// Properties for the look and name of an entry. Any other property may be content, such as the pages of an API.
const ORNAMENTS = new Set<unknown>([
  ...TITLE_KEYS, "icon", "iconType", "tag", "color", "description", "hidden", "default", "expanded", "public",
]); // prettier-ignore

/** The title of a group, tab or other part of the navigation; null for a part without one, such as a page. */
export function navigationTitle(object: Node): string | null {
  const value = titleNode(object)?.value as unknown;
  return typeof value === "string" ? value : null;
}

/** The string node that holds the title of a group, tab or other part of the navigation. */
export function titleNode(object: Node): Node | undefined {
  return TITLE_KEYS.map((key) => propertyOf(object, key)).find((node) => node?.type === "string");
}

/** The edit that removes a page's entry, together with the outermost titled entry that becomes empty. */
export function removalOf(text: string, node: Node): { edit: TextEdit; group: Node | null } {
  let removed = node;
  let group: Node | null = null;
  for (let object = holderOf(removed); object !== null && hasOnly(object, removed); object = holderOf(removed)) {
    if (object.parent?.type !== "array" || isLastEntry(object)) break;
    removed = object;
    if (navigationTitle(object) !== null) group = object;
  }
  const parent = removed.parent;
  if (parent?.type === "property") return { edit: removeProperty(text, parent), group };
  const nothing = { start: removed.offset, end: removed.offset, text: "" };
  return { edit: parent ? removeElement(text, parent, removed) : nothing, group };
}

/** The object that has a node as a property, or in a list. */
function holderOf(node: Node): Node | null {
  const property = node.parent?.type === "array" ? node.parent.parent : node.parent;
  return property?.type === "property" ? (property.parent ?? null) : null;
}

/** Whether a node, directly or in a list, is the only content of a navigation object. */
function hasOnly(object: Node, node: Node): boolean {
  return (object.children ?? []).every(({ children: [key, value] = [] }) => {
    if (value === undefined || value === node || ORNAMENTS.has(key?.value)) return true;
    return value.type === "array" && (value.children ?? []).every((child) => child === node);
  });
}

/** Whether the navigation, or the file with a part of it, would be empty without this entry. */
function isLastEntry(entry: Node): boolean {
  const list = entry.parent;
  if (list?.children?.length !== 1) return false;
  const object = holderOf(entry);
  if (object === null || list.parent?.children?.[0]?.value === "navigation") return true;
  const isTop = object.parent?.type !== "array";
  return isTop && !object.children?.some(({ children: [, value] = [] }) => value !== list && hasElements(value));
}

const hasElements = (node: Node | undefined) => node?.type === "array" && (node.children ?? []).length > 0;

function removeProperty(text: string, property: Node): TextEdit {
  const object = property.parent;
  return object ? removeElement(text, object, property) : { start: property.offset, end: property.offset, text: "" };
}
