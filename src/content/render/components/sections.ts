import { attributes, escapeHtml } from "#content/render/html.ts";
import type { ElementNode } from "#content/render/page-tree.ts";
import { plainText } from "#content/render/plain-text.ts";
import type { Printer } from "#content/render/printer.ts";
import { explicitId } from "#content/render/print-tag.ts";
import { Content, type Value } from "#content/render/page-tree.ts";

export function printSteps(element: ElementNode, printer: Printer): string {
  return `<div class="steps" role="list">${printer.nodes(element.children)}</div>\n`;
}

export function printStep(element: ElementNode, printer: Printer): string {
  const title = printer.html(element, "title");
  const id = anchorOf(element, "title", printer);
  const icon = printer.icon(element);
  const number = printer.text(element, "stepNumber");
  return (
    `<div class="step" role="listitem"${attributes({ id })}><div class="step-marker" aria-hidden="true"${attributes({ "data-number": number })}>${icon}</div>` +
    `<div class="step-content">${title === null ? "" : `<p class="step-title">${withLink(title, id)}</p>`}${printer.blocks(element.children)}</div></div>\n`
  );
}

/** `<Accordion>` and `<Expandable>`: the browser's own disclosure. */
export function printDisclosure(className: string) {
  return (element: ElementNode, printer: Printer): string => {
    const title = printer.html(element, "title") ?? printer.html(element, "summary") ?? "Details";
    const description = printer.html(element, "description");
    const id = anchorOf(element, "title", printer);
    const open = printer.flag(element, "defaultOpen") || printer.flag(element, "open");
    return (
      `<details class="${className}"${attributes({ id, open })}><summary>${printer.icon(element)}<span class="${className}-title">${title}</span>` +
      `${description === null ? "" : `<span class="${className}-description">${description}</span>`}</summary>` +
      `<div class="${className}-body">${printer.blocks(element.children)}</div></details>\n`
    );
  };
}

export function printGroup(className: string) {
  return (element: ElementNode, printer: Printer): string =>
    `<div class="${className}">${printer.nodes(element.children)}</div>\n`;
}

export function printUpdate(element: ElementNode, printer: Printer): string {
  const label = printer.text(element, "label") ?? "";
  const id =
    label === ""
      ? explicitId(element, printer)
      : printer.anchor(element, { text: label, depth: 2, explicit: explicitId(element, printer) });
  const tags = element.props.get("tags");
  const list = Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  const description = printer.html(element, "description");
  return (
    `<section class="update"${attributes({ id })}><div class="update-label"><p class="update-title">${withLink(escapeHtml(label), id)}</p>` +
    `${description === null ? "" : `<p class="update-description">${description}</p>`}` +
    `${list.map((tag) => `<span class="badge badge-gray">${escapeHtml(tag)}</span>`).join(" ")}</div>` +
    `<div class="update-body">${printer.blocks(element.children)}</div></section>\n`
  );
}

const PLACES = ["path", "query", "body", "header"];

/** `<ParamField>` and `<ResponseField>`. */
export function printField(element: ElementNode, printer: Printer): string {
  const place = PLACES.find((name) => printer.text(element, name) !== null) ?? null;
  const name = (place === null ? null : printer.text(element, place)) ?? printer.text(element, "name") ?? "";
  const id =
    name === ""
      ? explicitId(element, printer)
      : printer.anchor(element, { text: name, depth: 0, explicit: explicitId(element, printer) });
  const fallback = element.props.get("default");
  const parts = [
    `<code class="field-name">${escapeHtml(name)}</code>`,
    ...fieldNotes(element, "pre", printer),
    printer.text(element, "type") === null
      ? ""
      : `<span class="field-type">${escapeHtml(printer.text(element, "type") ?? "")}</span>`,
    place === null ? "" : `<span class="field-place">${place}</span>`,
    printer.flag(element, "required") ? `<span class="field-required">required</span>` : "",
    printer.flag(element, "deprecated") ? `<span class="field-deprecated">deprecated</span>` : "",
    isShown(fallback) ? `<span class="field-default">default: <code>${escapeHtml(String(fallback))}</code></span>` : "",
    ...fieldNotes(element, "post", printer),
  ];
  return `<div class="field"${attributes({ id })}><div class="field-head">${parts.filter(Boolean).join(" ")}</div><div class="field-body">${printer.blocks(element.children)}</div></div>\n`;
}

function isShown(value: Value): value is string | number | boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean";
}

function fieldNotes(element: ElementNode, name: string, printer: Printer): string[] {
  const notes = element.props.get(name);
  const list = Array.isArray(notes) ? (notes as Value[]) : [];
  return list.map(
    (note) =>
      `<span class="field-note">${note instanceof Content ? printer.nodes(note.nodes) : escapeHtml(typeof note === "string" ? note : "")}</span>`,
  );
}

export function printTree(element: ElementNode, printer: Printer): string {
  return `<ul class="tree">${printer.nodes(element.children)}</ul>\n`;
}

export function printTreeFolder(element: ElementNode, printer: Printer): string {
  const name = escapeHtml(printer.text(element, "name") ?? plainText([]));
  const icon = printer.options.icons.svg("folder") ?? "";
  const open = printer.flag(element, "defaultOpen") || printer.flag(element, "open");
  return `<li class="tree-folder"><details${attributes({ open })}><summary>${icon}${name}</summary><ul>${printer.nodes(element.children)}</ul></details></li>\n`;
}

export function printTreeFile(element: ElementNode, printer: Printer): string {
  const icon = printer.options.icons.svg("file") ?? "";
  return `<li class="tree-file">${icon}${escapeHtml(printer.text(element, "name") ?? "")}</li>\n`;
}

/** `<View title="Python">`: all views follow each other, each under its title. */
export function printView(element: ElementNode, printer: Printer): string {
  const title = printer.text(element, "title");
  return `<section class="view"${attributes({ "data-view": title })}>${title === null ? "" : `<p class="view-title">${printer.icon(element)}${escapeHtml(title)}</p>`}${printer.blocks(element.children)}</section>\n`;
}

export function printPrompt(element: ElementNode, printer: Printer): string {
  const description = printer.html(element, "description") ?? "Prompt";
  return (
    `<figure class="prompt"><figcaption class="prompt-title">${printer.icon(element)}${description}</figcaption>` +
    `<div class="prompt-body">${printer.blocks(element.children)}</div></figure>\n`
  );
}

function anchorOf(element: ElementNode, attribute: string, printer: Printer): string | null {
  const title = printer.text(element, attribute);
  const explicit = explicitId(element, printer);
  return title === null && explicit === null
    ? null
    : printer.anchor(element, { text: title ?? "", depth: 0, explicit });
}

function withLink(title: string, id: string | null): string {
  return id === null
    ? title
    : `${title}<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": "Link to this part" })}></a>`;
}
