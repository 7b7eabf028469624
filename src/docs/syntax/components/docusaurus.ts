import { type ElementNode, type PageNode, type Value } from "#docs/markup/page-nodes.ts";
import { calloutNamed, titleOfKind } from "#docs/syntax/containers.ts";
import { type TagReaders, fieldsOf, nothing, onlyChildren, renamed, text } from "./reader.ts";

export const docusaurusTags: TagReaders = {
  Admonition: (element) => [
    renamed(element, calloutNamed(text(element, "type") ?? "note") ?? "Callout", [
      ["label", titleOfKind(text(element, "type") ?? "note")],
    ]),
  ],
  Tabs: (element) => [tabs(element)],
  Link: (element) => [renamed(element, "Link", [["href", text(element, "to") ?? text(element, "href") ?? ""]])],
  ThemedImage(element) {
    const source = fieldsOf(element.props.get("sources")).get("light");
    return typeof source === "string" ? [renamed(element, "img", [["src", source]])] : [];
  },
  Translate: onlyChildren,
  MDXContent: onlyChildren,
  BrowserOnly: nothing,
  Head: nothing,
  // The site's own navigation lists pages, and its outline the headings.
  DocCardList: nothing,
  TOCInline: nothing,
};

/** The group may define the names of tabs: `values={[{ label: "npm", value: "npm" }]}`. */
function tabs(element: ElementNode): ElementNode {
  const values = element.props.get("values");
  const labels = new Map<Value, Value>();
  if (Array.isArray(values)) {
    for (const each of values as readonly Value[]) labels.set(fieldsOf(each).get("value"), fieldsOf(each).get("label"));
  }
  const tabs = element.children.filter(
    (node): node is ElementNode => node.kind === "element" && node.name === "TabItem",
  );
  const named = (tab: ElementNode): ElementNode => {
    const label = tab.props.get("label") ?? labels.get(tab.props.get("value"));
    return label === undefined || label === null ? tab : renamed(tab, "TabItem", [["title", label]]);
  };
  const first = tabs.findIndex(
    (tab) => tab.props.get("default") === true || tab.props.get("value") === element.props.get("defaultValue"),
  );
  const children = element.children.map((node): PageNode =>
    tabs.includes(node as ElementNode) ? named(node as ElementNode) : node,
  );
  const props: [string, Value][] = first > 0 ? [["defaultTabIndex", first]] : [];
  return { ...renamed(element, "Tabs", props), children };
}
