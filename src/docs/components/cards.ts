import { attributes } from "#docs/markup/html.ts";
import { type ElementNode, elementNode } from "#docs/markup/page-nodes.ts";
import { CALLOUT_TYPES, calloutLook } from "./callouts.ts";
import { type Component, flag, flush, colouredIcons, link, literal, source, withId, words } from "./component.ts";
import type { ComponentPrinter } from "./component-printer.ts";

/** The whole card is clickable through its title's link (a pseudo-element in the styles), so links inside stay valid. */
const card: Component = {
  names: ["Card", "Cards.Card"],
  summary: "A box with a title; with `href` the whole box is a link",
  attributes: {
    title: words,
    name: words,
    ...colouredIcons,
    href: link,
    url: link,
    img: source,
    image: source,
    horizontal: flag,
    type: { kind: "option", values: CALLOUT_TYPES },
    cta: words,
  },
  html(element, printer) {
    const id = printer.id(element);
    const title = printer.html(element, "title") ?? printer.html(element, "name") ?? "";
    const href = printer.text(element, "href") ?? printer.text(element, "url");
    const action = printer.html(element, "cta");
    const image = printer.text(element, "img") ?? printer.text(element, "image");
    const look = calloutLook((printer.text(element, "type") ?? "").toLowerCase());
    const icon = printer.icon(element, { hasColour: true }) || (look === null ? "" : printer.drawing(look.icon));
    const heading = linkedTitle({ title, href, line: element.line }, printer);
    const classes = [
      "card",
      href !== null && "card-link",
      printer.flag(element, "horizontal") && "card-horizontal",
      look && `card-typed ${look.className}`,
    ];
    return (
      `<div${attributes({ class: classes.filter(Boolean).join(" "), id })}>` +
      (image === null ? "" : printer.image(image, { class: "card-image", alt: "" }, element.line)) +
      (icon === "" ? "" : `<div class="card-icon">${icon}</div>`) +
      `<div class="card-content">${heading === "" ? "" : `<p class="card-title">${heading}</p>`}` +
      `<div class="card-body">${printer.blocks(element.children)}</div>` +
      (action === null ? "" : `<p class="card-action">${action}</p>`) +
      `</div></div>\n`
    );
  },
  style: `
.content .card { position: relative; display: flex; flex-direction: column; gap: .65rem; margin: 1.2em 0; padding: 1.15rem 1.25rem; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--background, transparent); transition: border-color .15s; }
.content .card-horizontal { flex-direction: row; }
.content .card-typed { border-color: color-mix(in srgb, var(--tone) 28%, transparent); background: color-mix(in srgb, var(--tone) 8%, transparent); }
.content .card-typed .card-icon { color: var(--tone); }
.content .card-link:is(:hover, :focus-within) { border-color: var(--accent); }
.content .card-title a { color: inherit; font-weight: inherit; text-decoration: none; }
.content .card-title a::after { content: ""; position: absolute; inset: 0; border-radius: inherit; }
.content .card-title a:focus-visible { outline: none; }
.content .card:has(.card-title a:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.content .card-body a { position: relative; z-index: 1; }
.content .card-icon { color: var(--accent); font-size: 1.4rem; line-height: 1; }
.content .card-content { flex: 1; min-width: 0; }
.content .card-title { margin: 0 0 .25rem; color: var(--text-strong, var(--text)); font-weight: 620; line-height: 1.4; }
.content .card-body { margin: 0; color: var(--muted); font-size: .92em; line-height: 1.55; }
.content .card-body:empty { display: none; }
${flush("card-body")}
.content .card-action { margin: .6rem 0 0; color: var(--accent); font-size: .9em; font-weight: 550; }
.content .card-image { width: calc(100% + 2.5rem); max-width: none; margin: -1.15rem -1.25rem 0; border-radius: var(--radius, 10px) var(--radius, 10px) 0 0; }
.content .card-horizontal > .card-image { flex: none; width: 35%; align-self: stretch; object-fit: cover; margin-block: -1.15rem; margin-inline: -1.25rem .35rem; border-radius: 0; border-start-start-radius: var(--radius, 10px); border-end-start-radius: var(--radius, 10px); }
`,
};

const tile: Component = {
  names: ["Tile"],
  summary: "A picture with a title below it",
  attributes: { title: words, description: words, href: link },
  html(element, printer) {
    const id = printer.id(element);
    const description = printer.html(element, "description");
    const href = printer.text(element, "href");
    const picture = printer.nodes(element.children);
    const heading = linkedTitle({ title: printer.html(element, "title") ?? "", href, line: element.line }, printer);
    return (
      `<div${attributes({ class: `card tile${href === null ? "" : " card-link"}`, id })}><div class="tile-picture">${picture}</div>` +
      `<div class="card-content"><p class="card-title">${heading}</p>${description === null ? "" : `<p class="card-body">${description}</p>`}</div></div>\n`
    );
  },
  style: `
.content .tile { padding: 0; overflow: hidden; }
.content .tile-picture { display: grid; place-items: center; min-height: 8rem; padding: 1rem; background: var(--surface); }
.content .tile .card-content { padding: .2rem 1.15rem 1rem; }
`,
};

const columns = { kind: "number", fallback: "2", values: ["1", "2", "3", "4", "5", "6"] } as const;

const grid: Component = {
  names: ["CardGroup", "Cards", "Columns", "Tiles"],
  summary: "Cards, tiles or columns side by side",
  attributes: { cols: columns, columns, num: columns },
  html(element, printer) {
    const id = printer.id(element);
    const written = ["cols", "columns", "num"].map((name) => printer.text(element, name)).find((text) => text !== null);
    const wanted = Number(written ?? 2);
    const count = Number.isInteger(wanted) && wanted >= 1 && wanted <= 6 ? wanted : 2;
    return `<div${attributes({ class: `card-grid card-grid-${count}`, id })}>${printer.nodes(element.children)}</div>\n`;
  },
  style: `
.content .card-grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; margin: 1.5em 0; }
.content .card-grid-1 { grid-template-columns: 1fr; }
.content .card-grid-3 { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.content :is(.card-grid-4, .card-grid-5, .card-grid-6) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); }
.content .card-grid > .card { margin: 0; height: 100%; }
`,
};

const column: Component = {
  names: ["Column"],
  summary: "A column in `Columns`",
  html: (element, printer) =>
    `<div class="column"${attributes({ id: printer.id(element) })}>${printer.blocks(element.children)}</div>\n`,
  style: `
.content .column { min-width: 0; }
${flush("column")}
`,
};

const repository: Component = {
  names: ["GitHub", "GitHub.Repo"],
  summary: "A card that links to a repository",
  attributes: { repo: literal, url: literal, href: link },
  html(element, printer) {
    const name = printer.text(element, "repo") ?? printer.text(element, "url") ?? "";
    const isName = /^[\w.-]+\/[\w.-]+$/.test(name);
    const href = isName ? `https://github.com/${name}` : (printer.text(element, "href") ?? name);
    if (href === "") return withId(printer.id(element), printer.nodes(element.children));
    const props: [string, string][] = [["title", name], ["href", href], ["icon", "github"]]; // oxfmt-ignore
    const id = printer.text(element, "id");
    return printer.node(elementNode("Card", element.children, id === null ? props : [...props, ["id", id]]));
  },
};

export const cards: readonly Component[] = [grid, column, card, tile, repository];

function linkedTitle(
  { title, href, line }: { title: string; href: string | null; line: ElementNode["line"] },
  printer: ComponentPrinter,
): string {
  return href === null ? title : printer.link(href, title === "" ? printer.language.words.open : title, { line });
}
