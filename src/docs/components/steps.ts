import { attributes } from "#docs/markup/html.ts";
import { type Component, flush, icons, words } from "./component.ts";
import { titleWithLink } from "./component-printer.ts";

const stepList: Component = {
  names: ["Steps"],
  summary: "Numbered steps",
  html: (element, printer) =>
    `<div class="steps" role="list"${attributes({ id: printer.id(element) })}>${printer.nodes(element.children)}</div>\n`,
  style: `
.content .steps { margin: 1.6em 0; counter-reset: step; }
`,
};

const step: Component = {
  names: ["Step"],
  summary: "A step",
  attributes: { title: words, ...icons, stepNumber: { kind: "number" } },
  anchor: { titles: ["title"], depth: 0 },
  html(element, printer) {
    const title = printer.html(element, "title");
    const id = printer.id(element);
    const icon = printer.icon(element);
    const number = printer.text(element, "stepNumber");
    return (
      `<div class="step" role="listitem"${attributes({ id })}><div class="step-marker" aria-hidden="true"${attributes({ "data-number": number })}>${icon}</div>` +
      `<div class="step-content">${title === null ? "" : `<p class="step-title">${titleWithLink(title, id, printer.language.words)}</p>`}${printer.blocks(element.children)}</div></div>\n`
    );
  },
  style: `
.content .step { position: relative; display: flex; gap: 1.1rem; padding-bottom: 1.7rem; counter-increment: step; }
.content .step:last-child { padding-bottom: 0; }
.content .step::before { content: ""; position: absolute; inset-inline-start: .95rem; top: 2.2rem; bottom: .3rem; width: 1px; background: var(--border); }
.content .step:last-child::before { display: none; }
.content .step-marker { flex: none; display: grid; place-items: center; width: 1.9rem; height: 1.9rem; border-radius: 50%; background: var(--surface-strong, var(--surface)); color: var(--text-strong, var(--text)); font-size: .86rem; font-weight: 650; }
.content .step-marker:empty::before { content: counter(step); }
.content .step-marker[data-number]:empty::before { content: attr(data-number); }
.content .step-content { flex: 1; min-width: 0; padding-top: .1rem; }
${flush("step-content")}
.content .step-title { margin: 0 0 .5em; color: var(--text-strong, var(--text)); font-weight: 650; }
`,
};

export const steps: readonly Component[] = [stepList, step];
