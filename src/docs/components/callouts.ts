import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { ElementNode } from "#docs/markup/page-nodes.ts";
import english from "#docs/words/languages/en.json" with { type: "json" };
import { type Component, flush, icons, words, type Attribute } from "./component.ts";
import type { ComponentPrinter } from "./component-printer.ts";

interface Look {
  kind: string;
  icon: string;
  label: "note" | "info" | "important" | "tip" | "success" | "warning" | "danger" | "error";
}

const LOOKS = {
  Note: { kind: "note", icon: "info", label: "note" },
  Info: { kind: "info", icon: "info", label: "info" },
  Important: { kind: "info", icon: "info", label: "important" },
  Tip: { kind: "tip", icon: "lightbulb", label: "tip" },
  Check: { kind: "check", icon: "circle-check", label: "success" },
  Warning: { kind: "warning", icon: "triangle-alert", label: "warning" },
  Danger: { kind: "danger", icon: "octagon-alert", label: "danger" },
  Error: { kind: "danger", icon: "octagon-alert", label: "error" },
} satisfies Record<string, Look>;

/** The look for each `type` of other dialects. */
const TYPES: Record<string, Look> = {
  note: LOOKS.Note,
  info: LOOKS.Info,
  default: LOOKS.Note,
  tip: LOOKS.Tip,
  success: LOOKS.Check,
  check: LOOKS.Check,
  warning: LOOKS.Warning,
  warn: LOOKS.Warning,
  danger: LOOKS.Danger,
  error: LOOKS.Danger,
};

/** The class and icon of a kind of callout, which other components may take on. */
export function calloutLook(type: string): { className: string; icon: string } | null {
  const look = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return look === undefined ? null : { className: `callout-${look.kind}`, icon: look.icon };
}

export const CALLOUT_TYPES: readonly string[] = Object.keys(TYPES);

function printCallout(element: ElementNode, printer: ComponentPrinter, look: Look | undefined): string {
  const id = printer.id(element);
  const icon = printer.icon(element) || (look === undefined ? "" : printer.drawing(look.icon));
  const title = printer.html(element, "title") ?? defaultTitle(printer.text(element, "label"), printer, look);
  const colour = printer.text(element, "color");
  return (
    `<aside${attributes({ class: `callout callout-${look?.kind ?? "plain"}`, role: "note", "aria-label": look && printer.language.words[look.label], id })}>` +
    (icon === "" ? "" : `<div class="callout-icon"${attributes({ "data-color": colour })}>${icon}</div>`) +
    `<div class="callout-body">${title === null ? "" : `<p class="callout-title">${title}</p>`}${printer.blocks(element.children)}</div></aside>\n`
  );
}

/** The title that a tool gives to a callout without one, in the language of the page. */
function defaultTitle(label: string | null, { language }: ComponentPrinter, look: Look | undefined): string | null {
  const isAsGiven = label === null || look === undefined || language.wordsTag === "en";
  return isAsGiven ? label && escapeHtml(label) : escapeHtml(language.words[look.label]);
}

function callout(names: Component["names"], look: Look): Component {
  return {
    names,
    summary: `A callout with the look of "${english[look.label]}"`,
    attributes: { title: words, label: words, ...icons, color: { kind: "option" } },
    html: (element, printer) => printCallout(element, printer, look),
  };
}

const type: Attribute = { kind: "option", values: CALLOUT_TYPES };

const typed: Component = {
  ...callout(["Callout", "Admonition"], LOOKS.Note),
  summary: "A callout with any look",
  attributes: { title: words, label: words, type, kind: type, intent: type, ...icons, color: { kind: "option" } },
  html(element, printer) {
    const written = ["type", "kind", "intent"].map((name) => printer.text(element, name)).find((text) => text !== null);
    const type = written?.toLowerCase() ?? "";
    return printCallout(element, printer, Object.hasOwn(TYPES, type) ? TYPES[type] : undefined);
  },
  style: `
.content .callout { --tone: var(--muted); display: flex; gap: .8em; margin: 1.4em 0; padding: .85em 1.1em; border: 1px solid color-mix(in srgb, var(--tone) 28%, transparent); border-radius: var(--radius, 10px); background: color-mix(in srgb, var(--tone) 8%, transparent); font-size: .96em; }
.content .callout-icon { flex: none; display: grid; place-items: center; height: 1.68em; color: var(--tone); font-size: 1.05em; }
.content .callout-body { flex: 1; min-width: 0; }
${flush("callout-body")}
.content .callout-title { margin-bottom: .3em !important; color: var(--text-strong, var(--text)); font-weight: 650; }
.content .callout a { color: inherit; text-decoration-color: currentColor; }
.content .callout-note { --tone: light-dark(#0b6bcb, #6cb6ff); }
.content .callout-info { --tone: light-dark(#57606a, #9aa7b1); }
.content .callout-tip { --tone: light-dark(#1a7f55, #56d3a0); }
.content .callout-check { --tone: light-dark(#1a7f37, #57ce73); }
.content .callout-warning { --tone: light-dark(#9a6700, #e0b03f); }
.content .callout-danger { --tone: light-dark(#c0343a, #ff8f87); }
`,
};

export const callouts: readonly Component[] = [
  ...Object.entries(LOOKS).map(([name, look]) => callout(name === "Check" ? [name, "Success"] : [name], look)),
  typed,
];
