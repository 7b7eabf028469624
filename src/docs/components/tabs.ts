import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { ElementNode, PageNode } from "#docs/markup/page-nodes.ts";
import { fillIn } from "#docs/words/site-language.ts";
import { partChildren } from "./children.ts";
import { type Component, flush, icons, list, literal, withId, words } from "./component.ts";
import { type Panel, printPanels } from "./panels.ts";

const TITLES = ["title", "label", "value"];

const tab: Component = {
  names: ["Tab", "Tabs.Tab", "TabItem"],
  summary: "One of the tabs; on its own it is a section",
  attributes: { title: words, label: words, value: literal, ...icons },
  anchor: { titles: TITLES, depth: 0 },
  html(element, printer) {
    const title = TITLES.map((name) => printer.html(element, name)).find((html) => html !== null) ?? null;
    return `<section class="tab-alone"${attributes({ id: printer.id(element) })}>${title === null ? "" : `<p class="tab-title">${title}</p>`}${printer.blocks(element.children)}</section>\n`;
  },
  style: `
.content .tab-title { color: var(--text-strong, var(--text)); font-weight: 650; }
`,
};

const titleOf = (titles: readonly string[], index: number) => titles[index] ?? `Tab ${index + 1}`;

const tabGroup: Component = {
  names: ["Tabs"],
  summary: "Text in tabs; groups with the same titles switch together",
  attributes: {
    items: list,
    defaultTabIndex: { kind: "number", fallback: "0" },
    sync: { kind: "flag", fallback: "true" },
  },
  titlesFor: { names: tab.names, title: (tag, index) => titleOf(tag.texts("items"), index) },
  html(element, printer) {
    const groupId = printer.id(element);
    const titles = printer.texts(element, "items");
    const { items, before, after } = partChildren(element.children, isTab, isWrapper);
    const tabs = items.filter(isTab);
    if (tabs.length === 0) return withId(groupId, printer.blocks(element.children));
    const panels = tabs.map((each, index): Panel => {
      const fallback = titleOf(titles, index);
      const written = TITLES.map((name) => printer.text(each, name)).find((text) => text !== null) ?? titles[index];
      const title = written ?? fillIn(printer.language.words.tab, { number: String(index + 1) });
      const id = printer.id(each, fallback);
      return { title, label: printer.icon(each) + escapeHtml(title), id, body: printer.blocks(each.children) };
    });
    const first = Number(printer.text(element, "defaultTabIndex") ?? 0);
    const sync = element.props.get("sync") !== false && printer.text(element, "sync") !== "false";
    const group = printPanels("", panels, { printer, id: groupId, first: first in panels ? first : 0, sync });
    return `${printer.blocks(before)}${group}${printer.blocks(after)}`;
  },
  style: `
.content .tabs { display: flex; flex-wrap: wrap; margin: 1.5em 0; }
.content .tab-input { position: absolute; width: 1px; height: 1px; margin: 0; opacity: 0; pointer-events: none; }
.content .tab-label { order: 0; display: inline-flex; align-items: center; gap: .4em; margin-inline-end: 1.4em; padding: .45em 0 .55em; border-bottom: 2px solid transparent; color: var(--muted); font-size: .92em; font-weight: 550; line-height: 1.4; cursor: pointer; }
.content .tab-label:hover { color: var(--text-strong, var(--text)); }
.content .tab-input:checked + .tab-label { border-color: var(--accent); color: var(--accent); }
.content .tab-input:focus-visible + .tab-label { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.content .tab-panel { order: 1; display: none; width: 100%; min-width: 0; padding-top: 1em; border-top: 1px solid var(--border); margin-top: -1px; }
.content .tab-input:checked + .tab-label + .tab-panel { display: block; }
${flush("tab-panel")}
.content .tab-panel > .code-block:only-child { margin: 0; }
@media print { .content .tab-panel { display: block; } }
`,
};

const isTab = (node: PageNode): node is ElementNode => node.kind === "element" && tab.names.includes(node.name);

/** Tags that only wrap tabs. */
const isWrapper = (node: PageNode): boolean =>
  node.kind === "markdown" ? node.node.type === "paragraph" : /^[a-z]/.test(node.name);

export const tabs: readonly Component[] = [tabGroup, tab];
