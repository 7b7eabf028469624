import { safeClass } from "#content/render/allowed-html.ts";
import { attributes, escapeHtml } from "#content/render/html.ts";
import type { ElementNode } from "#content/render/page-tree.ts";
import type { Printer } from "#content/render/printer.ts";

const KINDS: Record<string, { kind: string; icon: string; label: string }> = {
  Note: { kind: "note", icon: "info", label: "Note" },
  Info: { kind: "info", icon: "info", label: "Info" },
  Important: { kind: "info", icon: "info", label: "Important" },
  Tip: { kind: "tip", icon: "lightbulb", label: "Tip" },
  Check: { kind: "check", icon: "circle-check", label: "Success" },
  Success: { kind: "check", icon: "circle-check", label: "Success" },
  Warning: { kind: "warning", icon: "triangle-alert", label: "Warning" },
  Danger: { kind: "danger", icon: "octagon-alert", label: "Danger" },
  Error: { kind: "danger", icon: "octagon-alert", label: "Error" },
};

/** The kind that a `type`/`kind` attribute of other dialects names. */
const TYPES: Record<string, string> = {
  note: "Note",
  info: "Info",
  default: "Note",
  tip: "Tip",
  success: "Check",
  check: "Check",
  warning: "Warning",
  warn: "Warning",
  danger: "Danger",
  error: "Danger",
};

export function printCallout(element: ElementNode, printer: Printer): string {
  const type = (
    printer.text(element, "type") ??
    printer.text(element, "kind") ??
    printer.text(element, "intent") ??
    ""
  ).toLowerCase();
  const name = Object.hasOwn(KINDS, element.name) ? element.name : (TYPES[type] ?? "Callout");
  const known = KINDS[name];
  const own = printer.icon(element);
  const standard = known ? (printer.options.icons.svg(known.icon) ?? "") : "";
  const icon = own || standard;
  const title = printer.html(element, "title");
  const colour = printer.text(element, "color");
  return (
    `<aside${attributes({ class: `callout callout-${known?.kind ?? "plain"}`, role: "note", "aria-label": known?.label ?? null })}>` +
    (icon === "" ? "" : `<div class="callout-icon"${attributes({ "data-color": colour })}>${icon}</div>`) +
    `<div class="callout-body">${title === null ? "" : `<p class="callout-title">${title}</p>`}${printer.blocks(element.children)}</div></aside>\n`
  );
}

export function printBadge(element: ElementNode, printer: Printer): string {
  const colour = safeClass((printer.text(element, "color") ?? "gray").toLowerCase().replace(/[^a-z-]/g, ""));
  return `<span class="badge badge-${colour}">${printer.icon(element)}${printer.nodes(element.children)}</span>`;
}

export function printTooltip(element: ElementNode, printer: Printer): string {
  const tip =
    printer.html(element, "tip") ?? printer.html(element, "content") ?? printer.html(element, "description") ?? "";
  const headline = printer.html(element, "headline");
  const href = printer.text(element, "href");
  const action =
    href === null ? "" : ` ${printer.link(href, printer.html(element, "cta") ?? "Read more", { line: element.line })}`;
  const text = `${headline === null ? "" : `<strong>${headline}</strong> `}${tip}${action}`;
  return `<span class="tooltip" tabindex="0">${printer.nodes(element.children)}<span class="tooltip-text" role="tooltip">${text}</span></span>`;
}

/** `<Banner>` and `<Panel>`: a box of its own. */
export function printBox(className: string) {
  return (element: ElementNode, printer: Printer): string => {
    const title = printer.html(element, "title");
    return `<div class="${className}">${title === null ? "" : `<p class="${className}-title">${title}</p>`}${printer.blocks(element.children)}</div>\n`;
  };
}

/** Mathematics is shown as its source. */
export function printLatex(element: ElementNode, printer: Printer): string {
  return `<code class="math">${printer.html(element, "children") ?? printer.nodes(element.children)}</code>`;
}

export function printColour(element: ElementNode, printer: Printer): string {
  const name = printer.text(element, "name");
  const value = printer.text(element, "value") ?? printer.text(element, "hex");
  if (value === null)
    return `<div class="color-group">${name === null ? "" : `<p class="color-name">${escapeHtml(name)}</p>`}${printer.nodes(element.children)}</div>\n`;
  // A drawing, because a style attribute is not needed for anything else.
  const isColour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl|oklch)a?\([\d\s.,%/]{1,60}\))$/i.test(value);
  const swatch = isColour
    ? `<svg class="color-swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1"${attributes({ fill: value })}/></svg>`
    : "";
  return `<div class="color">${swatch}<span class="color-name">${escapeHtml(name ?? "")}</span> <code>${escapeHtml(value)}</code></div>\n`;
}
