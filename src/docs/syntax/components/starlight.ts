import { type ElementNode, type Value, elementNode, textNode } from "#docs/markup/page-nodes.ts";
import { calloutNamed, titleOfKind } from "#docs/syntax/containers.ts";
import { stepsOfList, treeOfList } from "./lists.ts";
import { type TagReaders, as, codeBlock, renamed, text } from "./reader.ts";

/** Starlight's names of icons that have another name in the icon sets. */
const ICONS: Readonly<Record<string, string>> = {
  setting: "settings", document: "file-text", "add-document": "file-plus", "open-book": "book-open", information: "info",
  "approve-check": "check", "approve-check-circle": "circle-check", "right-arrow": "arrow-right", "left-arrow": "arrow-left",
  "up-arrow": "arrow-up", "down-arrow": "arrow-down", "right-caret": "chevron-right", "left-caret": "chevron-left",
  "up-caret": "chevron-up", "down-caret": "chevron-down", magnifier: "search", "list-format": "list", comment: "message-circle",
  "comment-alt": "message-square", error: "circle-x", close: "x", bars: "menu", translate: "languages", "cloud-download": "cloud-download",
  random: "shuffle", "seti:folder": "folder", "sun": "sun", external: "external-link", "forward-slash": "slash",
  analytics: "chart-column", warning: "triangle-alert", "bars-progress": "list", "vercel": "triangle", "x.com": "twitter",
}; // oxfmt-ignore

const BADGES: Readonly<Record<string, string>> = {
  note: "blue", info: "blue", tip: "purple", success: "green", caution: "yellow", warning: "yellow", danger: "red", default: "gray",
}; // oxfmt-ignore

const iconOf = (name: string | null): [string, Value][] => {
  if (name === null) return [];
  if (name.startsWith("seti:")) return [["icon", "file"]];
  return [["icon", Object.hasOwn(ICONS, name) ? (ICONS[name] ?? name) : name]];
};

/** A label with text and color as attributes: `<Badge text="New" variant="tip" />`. */
export function labelBadge(element: ElementNode, variant: string): ElementNode {
  const words = text(element, "text");
  const children = words === null ? element.children : [textNode(words)];
  return { ...renamed(element, "Badge", [["color", BADGES[variant] ?? "gray"]]), children };
}

export const starlightTags: TagReaders = {
  Aside(element) {
    const callout = calloutNamed(text(element, "type") ?? "note") ?? "Note";
    const props = [...element.props].filter(([name]) => name !== "icon");
    const label: [string, string] = ["label", titleOfKind(text(element, "type") ?? "note")];
    return [{ ...element, name: callout, props: new Map([...props, label]) }];
  },
  Badge: (element) => [labelBadge(element, text(element, "variant") ?? "default")],
  Card: (element) => [renamed(element, "Card", iconOf(text(element, "icon")))],
  CardGrid: as("CardGroup"),
  LinkCard(element) {
    const description = text(element, "description");
    const children = description === null ? element.children : [elementNode("p", [textNode(description)])];
    return [{ ...renamed(element, "Card"), children }];
  },
  LinkButton: (element) => [{ ...element, name: "Link", props: new Map([["href", text(element, "href") ?? ""]]) }],
  Icon(element) {
    const icon = iconOf(text(element, "name"));
    return [renamed(element, "Icon", [...icon, ["name", null]])];
  },
  Steps: stepsOfList,
  FileTree: treeOfList,
  TabItem: (element) => [renamed(element, "TabItem", iconOf(text(element, "icon")))],
  Code: (element) => [codeBlock(element, text(element, "code") ?? "", text(element, "lang"))],
};
