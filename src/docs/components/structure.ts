import { type Component, flag, literal } from "./component.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";

const fragment: Component = {
  names: ["Fragment", "React.Fragment"],
  summary: "Its content only",
  anchor: "none",
  html: (element, printer) => printer.nodes(element.children),
};

/** The renderer replaces the tag by the file. This prints a tag whose file is missing. */
const snippet: Component = {
  names: ["Snippet"],
  summary: 'Includes a file: `<Snippet file="intro.mdx" />` is `snippets/intro.mdx`',
  attributes: { file: { kind: "option" } },
  anchor: "none",
  includes: "file",
  html: (element, printer) => printer.nodes(element.children),
};

const visibility: Component = {
  names: ["Visibility"],
  summary: 'With `for="agents"`: only in the Markdown of the page; with `for="humans"`: only on the page itself',
  attributes: {
    for: { kind: "option", values: ["agents", "humans"], otherwise: "Readers and agents both see the content." },
  },
  anchor: "none",
  hides: (tag) => tag.text("for") === "agents",
  html: (element, printer) => printer.blocks(element.children),
};

export const structure: readonly Component[] = [fragment, snippet, visibility];

const tree: Component = {
  names: ["Tree", "FileTree"],
  summary: "Folders and files",
  html: (element, printer) =>
    `<ul class="tree"${attributes({ id: printer.id(element) })}>${printer.nodes(element.children)}</ul>\n`,
  style: `
.content :is(.tree, .tree ul) { margin: 0; padding-inline-start: 1.1em; list-style: none; }
.content .tree { margin: 1.4em 0; padding: .9em 1.1em; border: 1px solid var(--border); border-radius: var(--radius, 10px); font: .9em/1.6 var(--font-mono, monospace); }
.content .tree details { margin: 0; padding: 0; border: 0; }
.content .tree summary { cursor: pointer; font-weight: 400; }
.content .tree .content-icon { margin-inline-end: .45em; color: var(--muted); }
`,
};

const folder: Component = {
  names: ["Tree.Folder", "FileTree.Folder"],
  summary: "A folder in a tree",
  attributes: { name: literal, defaultOpen: flag, open: flag },
  html(element, printer) {
    const id = printer.id(element);
    const name = escapeHtml(printer.text(element, "name") ?? "");
    const open = printer.flag(element, "defaultOpen") || printer.flag(element, "open");
    return `<li class="tree-folder"${attributes({ id })}><details${attributes({ open })}><summary>${printer.drawing("folder")}${name}</summary><ul>${printer.nodes(element.children)}</ul></details></li>\n`;
  },
};

const file: Component = {
  names: ["Tree.File", "FileTree.File"],
  summary: "A file in a tree",
  attributes: { name: literal },
  html: (element, printer) =>
    `<li class="tree-file"${attributes({ id: printer.id(element) })}>${printer.drawing("file")}${escapeHtml(printer.text(element, "name") ?? "")}${printer.nodes(element.children)}</li>\n`,
};

export const trees: readonly Component[] = [tree, folder, file];
