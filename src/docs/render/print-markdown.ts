import type { Nodes } from "mdast";
import { isBlock, type Printer } from "./printer.ts";
import { printCode } from "./code-block.ts";
import { asBlock, formulaOf, isDisplayed, printFormula } from "./formulas/print-formula.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { MarkdownNode, PageNode } from "#docs/markup/page-nodes.ts";
import { headingWords, htmlText } from "./plain-text.ts";
import { fillIn } from "#docs/words/site-language.ts";

type Of<Type extends Nodes["type"]> = Extract<Nodes, { type: Type }>;

/** Markdown's own nodes. */
export function printMarkdown(page: MarkdownNode, printer: Printer): string {
  const { node, children, line } = page;
  switch (node.type) {
    case "text":
      return escapeHtml(node.value);
    case "paragraph":
      if (isDisplayed(page)) return printer.nodes(children.map(asBlock));
      return children.some(isBlock)
        ? `<div class="paragraph">${printer.nodes(children)}</div>`
        : `<p>${printer.nodes(children)}</p>\n`;
    case "heading":
      return printHeading(page, node, printer);
    case "emphasis":
      return `<em>${printer.nodes(children)}</em>`;
    case "strong":
      return `<strong>${printer.nodes(children)}</strong>`;
    case "delete":
      return `<del>${printer.nodes(children)}</del>`;
    case "inlineCode":
      return `<code>${escapeHtml(node.value)}</code>`;
    case "break":
      return "<br>\n";
    case "thematicBreak":
      return "<hr>\n";
    case "blockquote":
      return `<blockquote>${printer.nodes(children)}</blockquote>\n`;
    case "code":
      return printCode({ code: node.value, language: node.lang ?? "", meta: node.meta ?? "", line }, printer);
    case "link":
      return printer.link(node.url, printer.nodes(children), { line, className: node.data?.button, title: node.title });
    case "image":
      return printer.image(node.url, { alt: node.alt ?? "", title: node.title ?? null, ...node.data?.size }, line);
    case "linkReference":
    case "imageReference":
      return printReference(page, node, printer);
    case "list":
      return printList(page, node, printer);
    case "listItem":
      return printItem(page, node, { printer, loose: true });
    case "table":
      return printTable(page, node, printer);
    case "footnoteReference":
      return printFootnoteReference(node, printer);
    default:
      return printOther(page, printer);
  }
}

function printHeading(page: MarkdownNode, node: Of<"heading">, printer: Printer): string {
  const children = withoutCustomId(page.children);
  const written = headingWords(page.children);
  const text = withoutId(written);
  const id = printer.anchor(page, { text, depth: node.depth, explicit: CUSTOM_ID.exec(written)?.[1] ?? null });
  const link = `<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": fillIn(printer.language.words.linkToSection, { title: text }) })}></a>`;
  const second = printer.secondId(page);
  const target = second === null ? "" : `<span${attributes({ id: second })}></span>`;
  return `<h${node.depth}${attributes({ id })}>${target}${printer.nodes(children)}${link}</h${node.depth}>\n`;
}

/** `## Title {#id}`. */
const CUSTOM_ID = /\{#([\w\-.:\u0080-\uFFFF]{1,200})\}$/;

const withoutId = (text: string) => (CUSTOM_ID.test(text) ? text.replace(CUSTOM_ID, "").trimEnd() : text);

function withoutCustomId(children: PageNode[]): PageNode[] {
  const last = children.at(-1);
  if (last?.kind !== "markdown" || last.node.type !== "text" || !CUSTOM_ID.test(last.node.value)) return children;
  return [...children.slice(0, -1), { ...last, node: { type: "text", value: withoutId(last.node.value) } }];
}

function printReference(
  page: MarkdownNode,
  node: Of<"linkReference"> | Of<"imageReference">,
  printer: Printer,
): string {
  const definition = printer.options.definitions.get(node.identifier.toLowerCase());
  if (node.type === "imageReference") {
    return definition
      ? printer.image(definition.url, { alt: node.alt ?? "", title: definition.title }, page.line)
      : escapeHtml(`![${node.alt ?? ""}]`);
  }
  const content = printer.nodes(page.children);
  if (definition) return printer.link(definition.url, content, { line: page.line, title: definition.title });
  const label =
    node.referenceType === "full"
      ? `[${escapeHtml(node.label ?? node.identifier)}]`
      : node.referenceType === "collapsed"
        ? "[]"
        : "";
  return `[${content}]${label}`;
}

function printList(page: MarkdownNode, node: Of<"list">, printer: Printer): string {
  const tag = node.ordered ? "ol" : "ul";
  const loose =
    (node.spread ?? false) ||
    page.children.some((child) => child.kind === "markdown" && child.node.type === "listItem" && child.node.spread);
  const items = page.children.map((child) =>
    child.kind === "markdown" && child.node.type === "listItem"
      ? printItem(child, child.node, { printer, loose })
      : printer.node(child),
  );
  const tasks = page.children.some(
    (child) => child.kind === "markdown" && child.node.type === "listItem" && typeof child.node.checked === "boolean",
  );
  const start = node.ordered && typeof node.start === "number" && node.start !== 1 ? node.start : null;
  return `<${tag}${attributes({ class: tasks ? "task-list" : null, start })}>\n${items.join("")}</${tag}>\n`;
}

function printItem(
  page: MarkdownNode,
  node: Of<"listItem">,
  { printer, loose }: { printer: Printer; loose: boolean },
): string {
  const content = page.children
    .map((child) =>
      !loose && child.kind === "markdown" && child.node.type === "paragraph"
        ? `${printer.nodes(child.children)}\n`
        : printer.node(child),
    )
    .join("");
  const box =
    typeof node.checked === "boolean"
      ? `<input type="checkbox" disabled${attributes({ checked: node.checked, "aria-label": taskLabel(content) })}> `
      : "";
  const inner = box === "" ? content : content.startsWith("<p>") ? `<p>${box}${content.slice(3)}` : box + content;
  return `<li${box === "" ? "" : ' class="task"'}>${inner}</li>\n`;
}

/** The label of a checkbox is its text; for a task with long content, the beginning. */
function taskLabel(html: string): string {
  return htmlText(html.slice(0, 1_000).replace(/<[^<>]*$/, ""))
    .trim()
    .slice(0, 200);
}

function printTable(page: MarkdownNode, node: Of<"table">, printer: Printer): string {
  const rows = page.children.map((row, index) => {
    const tag = index === 0 ? "th" : "td";
    const cells = row.children.map((cell, column) => {
      const align = node.align?.[column] ?? null;
      return `<${tag}${attributes({ scope: tag === "th" ? "col" : null, class: align === null ? null : `align-${align}` })}>${printer.nodes(cell.children)}</${tag}>`;
    });
    return `<tr>${cells.join("")}</tr>\n`;
  });
  const [head = "", ...body] = rows;
  return `<div class="table-scroll"><table>\n<thead>${head}</thead>\n${body.length > 0 ? `<tbody>${body.join("")}</tbody>\n` : ""}</table></div>\n`;
}

function printFootnoteReference(node: Of<"footnoteReference">, printer: Printer): string {
  const key = node.identifier.toLowerCase();
  if (!printer.options.footnotes.has(key)) return escapeHtml(`[^${node.label ?? node.identifier}]`);
  const { usedFootnotes } = printer;
  if (!usedFootnotes.has(key)) usedFootnotes.set(key, usedFootnotes.size + 1);
  const number = usedFootnotes.get(key);
  return `<sup class="footnote-reference"><a href="#footnote-${number}" id="footnote-reference-${number}"${attributes({ "aria-label": fillIn(printer.language.words.footnote, { number: String(number) }) })}>${number}</a></sup>`;
}

/** The notes at the end of a page; a note can refer to further notes. */
export function printFootnotes(printer: Printer): string {
  let items = "";
  for (const [key, number] of printer.usedFootnotes) {
    const nodes = printer.options.footnotes.get(key) ?? [];
    const back = ` <a class="footnote-back" href="#footnote-reference-${number}"${attributes({ "aria-label": printer.language.words.backToText })}>↩</a>`;
    const content = printer.nodes(nodes).replace(/<\/p>\s*$/, "");
    items += `<li id="footnote-${number}">${content}${back}${/<p>/.test(content) ? "</p>" : ""}</li>\n`;
  }
  return items === ""
    ? ""
    : `<section class="footnotes"${attributes({ "aria-label": printer.language.words.footnotes })}><hr><ol>\n${items}</ol></section>\n`;
}

/** Nodes of Markdown extensions. */
function printOther(page: MarkdownNode, printer: Printer): string {
  const formula = formulaOf(page.node);
  return formula === null ? printer.nodes(page.children) : printFormula(formula, printer, page.line);
}
