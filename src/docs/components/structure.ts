import type { Component } from "./component.ts";

const fragment: Component = {
  names: ["Fragment", "React.Fragment"],
  summary: "Its content only",
  flow: "block",
  attributes: {},
  anchor: "none",
  html: (element, printer) => printer.nodes(element.children),
};

/** The renderer puts the file in its place; what is printed here is a tag whose file is missing. */
const snippet: Component = {
  names: ["Snippet"],
  summary: 'Includes a file: `<Snippet file="intro.mdx" />` is `snippets/intro.mdx`',
  flow: "block",
  attributes: { file: { kind: "option" } },
  anchor: "none",
  includes: "file",
  html: (element, printer) => printer.nodes(element.children),
};

const visibility: Component = {
  names: ["Visibility"],
  summary: 'With `for="agents"`: only in the Markdown of the page; with `for="humans"`: only on the page itself',
  flow: "block",
  attributes: { for: { kind: "option", values: ["agents", "humans"] } },
  anchor: "none",
  hides: (tag) => tag.text("for") === "agents",
  html: (element, printer) => printer.blocks(element.children),
};

export const structure: readonly Component[] = [fragment, snippet, visibility];
