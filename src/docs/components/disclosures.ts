import { attributes } from "#docs/markup/html.ts";
import { type Component, flag, flush, icons, words } from "./component.ts";

/** The browser's own disclosure element, with a title that is always visible. */
function disclosure(names: Component["names"], className: string): Component {
  return {
    names,
    summary: "Text that opens with a click",
    attributes: {
      title: { kind: "words", fallback: "Details" },
      summary: words,
      description: words,
      ...icons,
      defaultOpen: flag,
      open: flag,
    },
    anchor: { titles: ["title"], depth: 0 },
    html(element, printer) {
      const title =
        printer.html(element, "title") ?? printer.html(element, "summary") ?? printer.language.words.details;
      const description = printer.html(element, "description");
      const id = printer.id(element);
      const open = printer.flag(element, "defaultOpen") || printer.flag(element, "open");
      return (
        `<details class="${className}"${attributes({ id, open })}><summary>${printer.icon(element)}<span class="${className}-title">${title}</span>` +
        `${description === null ? "" : `<span class="${className}-description">${description}</span>`}</summary>` +
        `<div class="${className}-body">${printer.blocks(element.children)}</div></details>\n`
      );
    },
    style: flush(`${className}-body`),
  };
}

const group: Component = {
  names: ["AccordionGroup", "Accordions"],
  summary: "Several accordions in one frame",
  html: (element, printer) =>
    `<div class="accordion-group"${attributes({ id: printer.id(element) })}>${printer.nodes(element.children)}</div>\n`,
  style: `
.content :is(.accordion, .expandable) { margin: 1em 0; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content :is(.accordion, .expandable) > summary { display: flex; flex-wrap: wrap; align-items: center; gap: .2em .6em; padding: .75em 1.1em; color: var(--text-strong, var(--text)); font-weight: 570; cursor: pointer; list-style: none; border-radius: inherit; }
.content :is(.accordion, .expandable) > summary::-webkit-details-marker { display: none; }
.content :is(.accordion, .expandable) > summary::before { content: ""; flex: none; width: .42em; height: .42em; margin-inline-end: .2em; border: solid var(--muted); border-width: 0 1.8px 1.8px 0; transform: rotate(-45deg); transition: transform .15s; }
.content :is(.accordion, .expandable)[open] > summary::before { transform: rotate(45deg); }
[dir="rtl"] .content :is(.accordion, .expandable):not([open]) > summary::before { transform: rotate(135deg); }
.content :is(.accordion, .expandable) > summary:hover { background: var(--surface); }
.content :is(.accordion-description, .expandable-description) { flex-basis: 100%; padding-inline-start: 1.2em; color: var(--muted); font-size: .9em; font-weight: 400; }
.content :is(.accordion-body, .expandable-body) { padding: .2em 1.1em 1em; }
.content .expandable { font-size: .95em; }
.content .accordion-group { margin: 1.4em 0; overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .accordion-group > .accordion { margin: 0; border: 0; border-radius: 0; }
.content .accordion-group > .accordion + .accordion { border-top: 1px solid var(--border); }
`,
};

export const disclosures: readonly Component[] = [
  disclosure(["Accordion", "Details"], "accordion"),
  disclosure(["Expandable"], "expandable"),
  group,
];
