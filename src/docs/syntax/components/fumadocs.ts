import {
  type ElementNode,
  type PageNode,
  type Value,
  Content,
  elementNode,
  textNode,
} from "#docs/markup/page-nodes.ts";
import { calloutNamed } from "#docs/syntax/containers.ts";
import { type TagReaders, as, codeBlock, fieldsOf, nothing, renamed, text } from "./reader.ts";

export const fumadocsTags: TagReaders = {
  Callout: (element) => [renamed(element, calloutNamed(text(element, "type") ?? "info") ?? "Callout")],
  Card(element) {
    const description = text(element, "description");
    return [
      description === null
        ? element
        : { ...element, children: [...element.children, elementNode("p", [textNode(description)])] },
    ];
  },
  Files: as("Tree"),
  Folder: as("Tree.Folder"),
  File: as("Tree.File"),
  TypeTable: (element) =>
    [...fieldsOf(element.props.get("type"))].map(([name, field]) => typeField(element, name, field)),
  ImageZoom: as("img"),
  InlineTOC: nothing,
  GithubInfo(element) {
    const [owner, repo] = [text(element, "owner"), text(element, "repo")];
    return owner === null || repo === null ? [] : [renamed(element, "GitHub", [["repo", `${owner}/${repo}`]])];
  },
  CodeBlockTabs: (element) => [
    {
      ...renamed(element, "Tabs"),
      children: element.children.filter((node) => node.kind === "element" && node.name === "Tab"),
    },
  ],
  CodeBlockTab: as("Tab"),
  CodeBlockTabsList: nothing,
  DynamicCodeBlock: (element) => [codeBlock(element, text(element, "code") ?? "", text(element, "lang"))],
};

function typeField(element: ElementNode, name: string, field: Value): PageNode {
  const fields = fieldsOf(field);
  const shown = (key: string): [string, Value][] => {
    const value = fields.get(key);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[key, value]] : [];
  };
  const description = fields.get("description");
  const children =
    description instanceof Content
      ? [...description.nodes]
      : typeof description === "string"
        ? [elementNode("p", [textNode(description)])]
        : [];
  const props: [string, Value][] = [["name", name], ...shown("type"), ...shown("default"), ...shown("required")];
  return { ...elementNode("ResponseField", children, props), line: element.line };
}
