import type { Node } from "jsonc-parser";
import { SWITCH_KINDS } from "#docs/config/written-navigation.ts";
import { propertyOf } from "./config-document.ts";
import { removeElement } from "./json-edits.ts";
import type { TextEdit } from "#chores/edits/page-edits.ts";

export const TITLE_KEYS = ["group", ...SWITCH_KINDS.map((kind) => (kind === "menu" ? "item" : kind))];
// What says how an entry looks and what it is called. Whatever else it has may be content, such as the pages of an API.
const ORNAMENTS = new Set<unknown>([
  ...TITLE_KEYS, "icon", "iconType", "tag", "color", "description", "hidden", "default", "expanded", "public",
]); // prettier-ignore

/** The title of a group, tab or other part of the navigation; null for what has none, such as a page. */
export function navigationTitle(object: Node): string | null {
  const value = titleNode(object)?.value as unknown;
  return typeof value === "string" ? value : null;
}

/** The string node that holds the title of a group, tab or other part of the navigation. */
export function titleNode(object: Node): Node | undefined {
  return TITLE_KEYS.map((key) => propertyOf(object, key)).find((node) => node?.type === "string");
}

/** The edit that removes a page's entry, and the outermost titled entry around it that goes with it, as it holds no more. */
export function removalOf(text: string, node: Node): { edit: TextEdit; group: Node | null } {
  let gone = node;
  let group: Node | null = null;
  for (let object = holderOf(gone); object !== null && isEmptyBut(object, gone); object = holderOf(gone)) {
    if (object.parent?.type !== "array" || isLastOfAll(object)) break;
    gone = object;
    if (navigationTitle(object) !== null) group = object;
  }
  const parent = gone.parent;
  if (parent?.type === "property") return { edit: removeProperty(text, parent), group };
  const nothing = { start: gone.offset, end: gone.offset, text: "" };
  return { edit: parent ? removeElement(text, parent, gone) : nothing, group };
}

/** The object that a node is a property of, or an element of a list of. */
function holderOf(node: Node): Node | null {
  const property = node.parent?.type === "array" ? node.parent.parent : node.parent;
  return property?.type === "property" ? (property.parent ?? null) : null;
}

/** Whether an object of the navigation has no content but one node, which is its own or stands in a list of its own. */
function isEmptyBut(object: Node, node: Node): boolean {
  return (object.children ?? []).every(({ children: [key, value] = [] }) => {
    if (value === undefined || value === node || ORNAMENTS.has(key?.value)) return true;
    return value.type === "array" && (value.children ?? []).every((child) => child === node);
  });
}

/** Whether nothing would be left of the navigation, or of the file that holds a part of it, without this entry. */
function isLastOfAll(entry: Node): boolean {
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
