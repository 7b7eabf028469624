import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { Content, type ElementNode, type Value } from "#docs/markup/page-nodes.ts";
import { type Component, flag, flush, list, literal, type WrittenTag } from "./component.ts";
import type { ComponentPrinter } from "./component-printer.ts";

const PLACES = ["path", "query", "body", "header"];

function field(names: Component["names"], summary: string): Component {
  return {
    names,
    summary,
    attributes: {
      path: literal,
      query: literal,
      body: literal,
      header: literal,
      name: literal,
      type: literal,
      required: flag,
      deprecated: flag,
      default: literal,
      pre: list,
      post: list,
    },
    anchor: { titles: [...PLACES, "name"], depth: 0 },
    alias: paramAnchor,
    html: printField,
  };
}

/**
 * The anchor of a field on Mintlify: `iconType` is at `#param-icon-type`, `API_KEY` at `#param-api-key`, `icons.library`
 * at `#param-icons-library`, as on its hosted sites (2026). Digits stay with their word: `base64`.
 */
function paramAnchor(tag: WrittenTag): string | null {
  const name = [...PLACES, "name"].map((place) => tag.text(place)).find((found) => found !== null) ?? "";
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-rt-z\d])/g, "$1 $2") // URLs stays one word
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? null : `param-${words.join("-")}`;
}

function printField(element: ElementNode, printer: ComponentPrinter): string {
  const place = PLACES.find((name) => printer.text(element, name) !== null) ?? null;
  const name = printer.text(element, place ?? "name") ?? "";
  const id = printer.id(element);
  const alias = printer.alias(element);
  const type = printer.text(element, "type");
  const fallback = element.props.get("default");
  const said = printer.language.words;
  const parts = [
    `<code class="field-name">${escapeHtml(name)}</code>`,
    ...notes(element, "pre", printer),
    type === null ? "" : `<span class="field-type">${escapeHtml(type)}</span>`,
    place === null ? "" : `<span class="field-place">${place}</span>`,
    printer.flag(element, "required") ? `<span class="field-required">${said.required}</span>` : "",
    printer.flag(element, "deprecated") ? `<span class="field-deprecated">${said.deprecated}</span>` : "",
    isShown(fallback)
      ? `<span class="field-default">${said.default}: <code>${escapeHtml(String(fallback))}</code></span>`
      : "",
    ...notes(element, "post", printer),
  ];
  return `<div class="field"${attributes({ id })}><div class="field-head"${attributes({ id: alias })}>${parts.filter(Boolean).join(" ")}</div><div class="field-body">${printer.blocks(element.children)}</div></div>\n`;
}

function isShown(value: Value): value is string | number | boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean";
}

function notes(element: ElementNode, name: string, printer: ComponentPrinter): string[] {
  const value = element.props.get(name);
  const items = Array.isArray(value) ? (value as readonly Value[]) : [];
  return items.map((item) => {
    const note = item instanceof Content ? printer.nodes(item.nodes) : escapeHtml(typeof item === "string" ? item : "");
    return `<span class="field-note">${note}</span>`;
  });
}

const group: Component = {
  names: ["Properties"],
  summary: "Several properties",
  html: (element, printer) =>
    `<div class="fields"${attributes({ id: printer.id(element) })}>${printer.nodes(element.children)}</div>\n`,
  style: `
.content .field { padding: 1em 0; border-top: 1px solid var(--border); }
.content .field:last-child { border-bottom: 1px solid var(--border); }
.content .field-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3em .7em; font-size: .9em; }
.content .field-head .field-name { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 650; font-size: 1em; }
.content :is(.field-type, .field-place, .field-note, .field-default) { color: var(--muted); font-size: .92em; }
.content .field-type { font-family: var(--font-mono, monospace); }
.content .field-required { color: light-dark(#b42318, #ff9a91); font-size: .92em; font-weight: 550; }
.content .field-deprecated { color: light-dark(#9a6700, #e0b03f); font-size: .92em; font-weight: 550; }
.content .field-body { margin-top: .45em; }
.content .field-body:empty { display: none; }
${flush("field-body")}
`,
};

export const fields: readonly Component[] = [
  field(["ParamField"], "A parameter; its name is in `path`, `query`, `body` or `header`"),
  field(["ResponseField", "Property"], "A field of a response"),
  group,
];
