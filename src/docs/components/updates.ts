import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { type ElementNode, ValueMap } from "#docs/markup/page-nodes.ts";
import { type Component, flush, list, words } from "./component.ts";
import { titleWithLink } from "./component-printer.ts";

/** What a feed shows for the entry instead of its label and text: `rss={{ title, description }}`. */
function feedEntry(element: ElementNode): Record<string, string | null> {
  const value = element.props.get("rss");
  if (!(value instanceof ValueMap)) return {};
  const text = (name: string) => {
    const written = value.entries.get(name);
    return typeof written === "string" ? written.slice(0, 2_000) : null;
  };
  return { "data-feed-title": text("title"), "data-feed-text": text("description") };
}

export const update: Component = {
  names: ["Update"],
  summary: "A changelog entry, listed in the page's outline",
  attributes: { label: words, description: words, tags: list, rss: { kind: "option" } },
  anchor: { titles: ["label"], depth: 2 },
  html(element, printer) {
    const label = printer.text(element, "label") ?? "";
    const id = printer.id(element);
    const tags = printer
      .texts(element, "tags")
      .filter(Boolean)
      .map((tag) => `<span class="badge badge-gray">${escapeHtml(tag)}</span>`);
    const description = printer.html(element, "description");
    return (
      `<section class="update"${attributes({ id, ...feedEntry(element) })}><div class="update-label"><p class="update-title">${titleWithLink(escapeHtml(label), id, printer.language.words)}</p>` +
      `${description === null ? "" : `<p class="update-description">${description}</p>`}${tags.join(" ")}</div>` +
      `<div class="update-body">${printer.blocks(element.children)}</div></section>\n`
    );
  },
  style: `
.content .update { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem 2rem; margin: 2.6em 0; }
@media (min-width: 48rem) { .content .update { grid-template-columns: 9rem minmax(0, 1fr); } .content .update-label { position: sticky; top: 6rem; align-self: start; } }
.content .update-title { position: relative; width: fit-content; margin: 0 0 .4em; padding: .1em .6em; border-radius: 7px; background: var(--accent-soft, var(--surface)); color: var(--accent); font-size: .92em; font-weight: 600; }
.content .update-title .heading-anchor { position: absolute; inset-inline-start: 100%; }
.content .update-description { margin: 0 0 .4em; color: var(--muted); font-size: .88em; }
${flush("update-body")}
`,
};
