import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { type ElementNode, type PageNode, ValueMap, valueText } from "#docs/markup/page-nodes.ts";
import { type Component, flag, icons, isColour, link, literal, words } from "./component.ts";
import type { ComponentPrinter } from "./component-printer.ts";

const BADGE_COLOURS = "gray green success red destructive danger yellow orange warning blue purple".split(" ");
const BADGE_SIZES = ["xs", "sm", "md", "lg"];
const BADGE_SHAPES = ["rounded", "pill"];

const badge: Component = {
  names: ["Badge"],
  summary: "A short label within a text",
  isInline: true,
  attributes: {
    color: { kind: "option", fallback: "gray", values: BADGE_COLOURS },
    size: { kind: "option", values: BADGE_SIZES },
    shape: { kind: "option", values: BADGE_SHAPES },
    stroke: flag,
    disabled: flag,
    ...icons,
  },
  html(element, printer) {
    const id = printer.id(element);
    const known = (name: string, values: readonly string[]) =>
      values.find((value) => value === printer.text(element, name)?.toLowerCase());
    const colour = known("color", BADGE_COLOURS) ?? "gray";
    const looks = [known("size", BADGE_SIZES), known("shape", BADGE_SHAPES)];
    for (const name of ["stroke", "disabled"]) if (printer.flag(element, name)) looks.push(name);
    const classes = ["badge", ...[colour, ...looks].filter(Boolean).map((look) => `badge-${look}`)];
    return `<span${attributes({ class: classes.join(" "), id })}>${printer.icon(element)}${printer.nodes(element.children)}</span>`;
  },
  style: `
.content .badge { display: inline-flex; align-items: center; gap: .3em; padding: .05em .55em; border-radius: 99px; background: color-mix(in srgb, var(--tone, var(--muted)) 14%, transparent); color: var(--tone, var(--muted)); font-size: .78em; font-weight: 600; line-height: 1.6; vertical-align: .08em; }
.content .badge-rounded { border-radius: 5px; }
.content .badge-stroke { border: 1px solid currentcolor; background: none; }
.content .badge-disabled { opacity: .5; }
.content .badge-xs { font-size: .66em; }
.content .badge-sm { font-size: .72em; }
.content .badge-lg { font-size: .92em; }
.content :is(.badge-green, .badge-success) { --tone: light-dark(#14672b, #57ce73); }
.content :is(.badge-red, .badge-destructive, .badge-danger) { --tone: light-dark(#a3262c, #ff8f87); }
.content :is(.badge-yellow, .badge-orange, .badge-warning) { --tone: light-dark(#784e00, #e0b03f); }
.content .badge-blue { --tone: light-dark(#0a58a8, #6cb6ff); }
.content .badge-purple { --tone: light-dark(#6b34b5, #c4a5ff); }
`,
};

const tooltip: Component = {
  names: ["Tooltip"],
  summary: "Words with an explanation on hover or focus",
  isInline: true,
  attributes: { tip: words, content: words, description: words, headline: words, href: link, cta: words },
  html(element, printer) {
    const id = printer.id(element);
    const tip =
      printer.html(element, "tip") ?? printer.html(element, "content") ?? printer.html(element, "description") ?? "";
    const headline = printer.html(element, "headline");
    const href = printer.text(element, "href");
    const cta = printer.html(element, "cta") ?? printer.language.words.readMore;
    const action = href === null ? "" : ` ${printer.link(href, cta, { line: element.line })}`;
    const text = `${headline === null ? "" : `<strong>${headline}</strong> `}${tip}${action}`;
    return `<span class="tooltip" tabindex="0"${attributes({ id })}>${printer.nodes(element.children)}<span class="tooltip-text" role="tooltip">${text}</span></span>`;
  },
  style: `
.content .tooltip { position: relative; border-bottom: 1px dotted var(--muted); cursor: help; }
.content .tooltip-text { position: absolute; bottom: calc(100% + .5em); left: 50%; z-index: 10; width: max-content; max-width: min(18rem, 70vw); padding: .5em .8em; border: 1px solid var(--border); border-radius: 8px; background: var(--background, var(--surface)); color: var(--text); box-shadow: 0 6px 24px rgb(0 0 0 / .14); font-size: .85rem; font-weight: 400; line-height: 1.5; transform: translateX(-50%); visibility: hidden; opacity: 0; transition: opacity .12s; }
.content .tooltip:is(:hover, :focus, :focus-within) > .tooltip-text { visibility: visible; opacity: 1; }
`,
};

const latex: Component = {
  names: ["Latex"],
  summary: "A formula",
  isInline: true,
  attributes: { children: literal },
  html(element, printer) {
    const id = printer.id(element);
    const tex = printer.text(element, "children") ?? textOf(element.children);
    const formula = printer.formula(tex.trim(), element.line);
    return id === null ? formula : `<span${attributes({ id })}>${formula}</span>`;
  },
};

/** Restores TeX that Markdown parsed as emphasis or code. */
function textOf(nodes: readonly PageNode[]): string {
  return nodes
    .map(({ children, ...each }) => {
      const node = each.kind === "markdown" ? each.node : null;
      if (node !== null && "value" in node) return node.value;
      const mark = node?.type === "emphasis" ? "_" : "";
      return mark + textOf(children) + mark;
    })
    .join("");
}

/** Several colors, with a title. On its own, `<Color name value>` is one color. */
const colours: Component = {
  names: ["Color", "Color.Row"],
  summary: "A color, or a group of colors",
  attributes: { title: words, name: literal, value: literal, hex: literal },
  html(element, printer) {
    if (coloursOf(element, printer).length > 0) return printColour(element, printer, "div");
    const id = printer.id(element);
    const title = printer.html(element, "title") ?? printer.html(element, "name");
    const label = title === null ? "" : `<p class="color-name">${title}</p>`;
    return `<div class="color-group"${attributes({ id })}>${label}${printer.nodes(element.children)}</div>\n`;
  },
  style: `
.content .color { display: inline-flex; align-items: center; gap: .5em; margin: 0 1em .5em 0; }
.content .color-swatch { width: 1.6em; height: 1.6em; border: 1px solid var(--border); border-radius: 6px; }
`,
};

const colourItem: Component = {
  names: ["Color.Item"],
  summary: "A color; `value={{ light, dark }}` has one for each mode",
  isInline: true,
  attributes: { name: literal, value: literal, hex: literal },
  html: (element, printer) => printColour(element, printer, "span"),
};

/** One color, or those of the light and the dark mode. */
function coloursOf(element: ElementNode, printer: ComponentPrinter): string[] {
  const value = element.props.get("value");
  const written =
    value instanceof ValueMap
      ? ["light", "dark"].map((mode) => valueText(value.entries.get(mode)))
      : [printer.text(element, "value") ?? printer.text(element, "hex") ?? ""];
  return written.filter((each) => each !== "");
}

function printColour(element: ElementNode, printer: ComponentPrinter, tag: "span" | "div"): string {
  const id = printer.id(element);
  const title = printer.html(element, "title");
  const name = printer.html(element, "name") ?? "";
  // An SVG, so that nothing needs a style attribute.
  const values = coloursOf(element, printer);
  const swatches = values
    .filter((value) => isColour(value))
    .map(
      (value) =>
        `<svg class="color-swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1"${attributes({ fill: value })}/></svg>`,
    );
  const label = `<span class="color-name">${title === null ? name : `${title} ${name}`}</span>`;
  const codes = values.map((value) => `<code>${escapeHtml(value)}</code>`);
  return `<${tag} class="color"${attributes({ id })}>${swatches.join("")}${label} ${codes.join(" ")}${printer.nodes(element.children)}</${tag}>\n`;
}

export const inline: readonly Component[] = [badge, tooltip, latex, colours, colourItem];
