import { type Value, ValueMap } from "#docs/markup/page-nodes.ts";
import { stepsOfHeadings, treeOfList } from "./lists.ts";
import { type TagReaders, fieldsOf, onlyChildren, renamed, text } from "./reader.ts";

const CALLOUTS: Readonly<Record<string, string>> = {
  default: "Tip",
  info: "Info",
  warning: "Warning",
  error: "Error",
  important: "Important",
};

export const nextraTags: TagReaders = {
  Callout: (element) => [renamed(element, CALLOUTS[text(element, "type") ?? "default"] ?? "Callout")],
  Tabs(element) {
    const items = element.props.get("items");
    const names = Array.isArray(items)
      ? (items as readonly Value[]).map((each) => (each instanceof ValueMap ? fieldsOf(each).get("label") : each))
      : [];
    const first = element.props.get("defaultIndex");
    return [renamed(element, "Tabs", [["items", names], ["defaultTabIndex", first]])]; // oxfmt-ignore
  },
  Steps: stepsOfHeadings,
  FileTree: treeOfList,
  Bleed: onlyChildren,
};
