import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { type Component, flush, icons, markdown, words } from "./component.ts";

function box(name: string, summary: string, className: string): Component {
  return {
    names: [name],
    summary,
    attributes: { title: words },
    html(element, printer) {
      const id = printer.id(element);
      const title = printer.html(element, "title");
      return `<div class="${className}"${attributes({ id })}>${title === null ? "" : `<p class="${className}-title">${title}</p>`}${printer.blocks(element.children)}</div>\n`;
    },
  };
}

const prompt: Component = {
  names: ["Prompt"],
  summary: "A prompt for an assistant",
  attributes: { description: { ...markdown, fallback: "Prompt" }, ...icons },
  html(element, printer) {
    const id = printer.id(element);
    const description = printer.html(element, "description") ?? printer.language.words.prompt;
    return (
      `<figure class="prompt"${attributes({ id })}><figcaption class="prompt-title">${printer.icon(element)}${description}</figcaption>` +
      `<div class="prompt-body">${printer.blocks(element.children)}</div></figure>\n`
    );
  },
  style: `
.content :is(.panel, .prompt, .content-banner) { margin: 1.4em 0; padding: 1em 1.2em; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--surface); }
${flush("panel")}
.content .prompt-title { margin-bottom: .5em; color: var(--text-strong, var(--text)); font-weight: 600; text-align: start; }
`,
};

/** All views follow each other, each under its title. */
const view: Component = {
  names: ["View"],
  summary: "One of several variants; all are shown, each under its title",
  attributes: { title: words, ...icons },
  html(element, printer) {
    const id = printer.id(element);
    const title = printer.text(element, "title");
    const head = title === null ? "" : `<p class="view-title">${printer.icon(element)}${escapeHtml(title)}</p>`;
    return `<section class="view"${attributes({ "data-view": title, id })}>${head}${printer.blocks(element.children)}</section>\n`;
  },
  style: `
.content .view { margin: 1.6em 0; }
${flush("view")}
.content .view-title { color: var(--text-strong, var(--text)); font-weight: 650; }
`,
};

export const boxes: readonly Component[] = [
  box("Panel", "A separate box", "panel"),
  box("Banner", "A separate box", "content-banner"),
  prompt,
  view,
];
