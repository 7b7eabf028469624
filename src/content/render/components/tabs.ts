import { printCode } from "#content/render/code-block.ts";
import { parseCodeMeta } from "#content/render/code-meta.ts";
import { attributes, escapeHtml } from "#content/render/html.ts";
import { type ElementNode, type PageNode, valueText } from "#content/render/page-tree.ts";
import type { Printer } from "#content/render/printer.ts";
import { explicitId } from "#content/render/print-tag.ts";

interface Panel {
  title: string;
  /** Already HTML. */
  label: string;
  id: string | null;
  body: string;
}

interface PanelOptions {
  printer: Printer;
  /** Index of the one that is open. */
  first?: number;
  /** Whether it follows groups with equal titles. */
  sync?: boolean;
}

/**
 * Radio buttons, so that tabs change without a script: in the styles the panel after a checked one is shown. A script
 * may open the panel that the address names, and keep groups with equal titles in step by `data-tab`.
 */
function printPanels(
  className: string,
  panels: readonly Panel[],
  { printer, first = 0, sync = true }: PanelOptions,
): string {
  const group = printer.groupName();
  const items = panels.map(({ title, label, id, body }, index) => {
    const input = `${group}-${index + 1}`;
    return (
      `<input class="tab-input" type="radio"${attributes({ name: group, id: input, checked: index === first, "data-tab": sync ? title : null })}>` +
      `<label class="tab-label"${attributes({ for: input })}>${label}</label>` +
      `<div class="tab-panel"${attributes({ id })}>${body}</div>`
    );
  });
  return `<div class="tabs${className}" role="group" data-tabs>${items.join("")}</div>\n`;
}

export function printTabs(element: ElementNode, printer: Printer): string {
  const items = element.props.get("items");
  const titles = Array.isArray(items) ? items.map((item) => valueText(item as string)) : [];
  const tabs = tabsIn(element.children);
  if (tabs.length === 0) return printer.blocks(element.children);
  const panels = tabs.map((tab, index) => {
    const title =
      printer.text(tab, "title") ??
      printer.text(tab, "label") ??
      printer.text(tab, "value") ??
      titles[index] ??
      `Tab ${index + 1}`;
    const id = printer.anchor(tab, { text: title, depth: 0, explicit: explicitId(tab, printer) });
    return { title, label: printer.icon(tab) + escapeHtml(title), id, body: printer.blocks(tab.children) };
  });
  const first = Number(printer.text(element, "defaultTabIndex") ?? 0);
  const sync = element.props.get("sync") !== false && printer.text(element, "sync") !== "false";
  return printPanels("", panels, { printer, first: first in panels ? first : 0, sync });
}

/** A `<Tab>` outside `<Tabs>`. */
export function printLoneTab(element: ElementNode, printer: Printer): string {
  const title = printer.html(element, "title");
  return `<section class="tab-alone">${title === null ? "" : `<p class="tab-title">${title}</p>`}${printer.blocks(element.children)}</section>\n`;
}

export function printCodeGroup(className: string) {
  return (element: ElementNode, printer: Printer): string => {
    const panels: Panel[] = [];
    let other = "";
    for (const node of codesIn(element.children)) {
      const code = codeOf(node);
      if (code === null) other += printer.node(node);
      else {
        const title = code.title ?? (code.language || `Example ${panels.length + 1}`);
        panels.push({ title, label: escapeHtml(title), id: null, body: printCode(code, printer, { title: null }) });
      }
    }
    if (panels.length === 0) return `<div class="code-group${className}">${printer.nodes(element.children)}</div>\n`;
    return `${printPanels(` code-group${className}`, panels, { printer })}${other.trim() === "" ? "" : other}`;
  };
}

/** `<CodeBlock filename language>` around a text, a template or a fence. */
export function printCodeBlock(element: ElementNode, printer: Printer): string {
  const inner = codesIn(element.children).filter((node) => node.kind === "element" || node.node.type !== "text");
  const code = codeOf(element);
  if (inner.length === 1 && inner[0]?.kind === "markdown" && inner[0].node.type === "code") {
    const title = printer.text(element, "filename") ?? printer.text(element, "title");
    const { value, lang, meta } = inner[0].node;
    const options = title === null ? {} : { title };
    return printCode(
      { code: value, language: lang ?? printer.text(element, "language") ?? "", meta: meta ?? "" },
      printer,
      options,
    );
  }
  return code === null ? "" : printCode(code, printer, { title: code.title });
}

interface TitledCode {
  code: string;
  language: string;
  meta: string;
  title: string | null;
}

function codeOf(node: PageNode): TitledCode | null {
  if (node.kind === "markdown") {
    if (node.node.type !== "code") return null;
    const { value, lang, meta } = node.node;
    return { code: value, language: lang ?? "", meta: meta ?? "", title: parseCodeMeta(meta ?? "").title };
  }
  if (node.name !== "CodeBlock") return null;
  const prop = (name: string) => {
    const value = node.props.get(name);
    return typeof value === "string" && value !== "" ? value : null;
  };
  const meta = ["lines", "wrap", "expandable"].filter((name) => node.props.get(name) === true).join(" ");
  const highlight = valueText(node.props.get("highlight"));
  return {
    code: rawText(node.children).replace(/^\n+|\s+$/g, ""),
    language: prop("language") ?? prop("lang") ?? "",
    meta: `${meta} {${highlight.replace(/[^\d,-]/g, "")}}`,
    title: prop("filename") ?? prop("title"),
  };
}

function rawText(nodes: readonly PageNode[]): string {
  return nodes
    .map((node) => (node.kind === "markdown" && "value" in node.node ? node.node.value : rawText(node.children)))
    .join("");
}

/** Panels, also behind fragments and tags that only wrap them. */
function tabsIn(nodes: readonly PageNode[]): ElementNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === "markdown") return node.node.type === "paragraph" ? tabsIn(node.children) : [];
    if (node.name === "Tab" || node.name === "Tabs.Tab" || node.name === "TabItem") return [node];
    return /^[a-z]/.test(node.name) ? tabsIn(node.children) : [];
  });
}

function codesIn(nodes: readonly PageNode[]): PageNode[] {
  return nodes.flatMap((node) => {
    const isWrapper = node.kind === "element" ? /^(?:div|CodeGroup)$/.test(node.name) : node.node.type === "paragraph";
    if (isWrapper) return codesIn(node.children);
    return node.kind === "markdown" && node.node.type === "text" && !/\S/.test(node.node.value) ? [] : [node];
  });
}
