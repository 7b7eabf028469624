import { attributes } from "#docs/markup/html.ts";
import { type Component, colouredIcons, literal, markdown, link, source, words } from "./component.ts";

const frame: Component = {
  names: ["Frame"],
  summary: "A frame around a picture",
  attributes: { caption: markdown, hint: words },
  html(element, printer) {
    const id = printer.id(element);
    const caption = printer.html(element, "caption");
    const hint = printer.html(element, "hint");
    return (
      `<figure class="image-frame"${attributes({ id })}>${hint === null ? "" : `<p class="image-frame-hint">${hint}</p>`}<div class="image-frame-body">${printer.nodes(element.children)}</div>` +
      `${caption === null ? "" : `<figcaption>${caption}</figcaption>`}</figure>\n`
    );
  },
  style: `
.content .image-frame { padding: .6rem; border: 1px solid var(--border); border-radius: calc(var(--radius, 10px) * 1.3); background: var(--surface); }
.content .image-frame-body { overflow: hidden; border-radius: var(--radius, 10px); text-align: center; }
.content .image-frame-body > :is(img, video, iframe) { display: block; margin: 0 auto; }
.content .image-frame figcaption, .content .image-frame-hint { margin: .6rem 0 .1rem; color: var(--muted); font-size: .88em; }
`,
};

const image: Component = {
  names: ["Image"],
  summary: "Same as `<img>`",
  isInline: true,
  attributes: {
    src: source,
    alt: words,
    title: { kind: "option" },
    width: { kind: "number" },
    height: { kind: "number" },
  },
  tag: "img",
  html: (element, printer) => printer.node({ ...element, name: "img" }) + printer.nodes(element.children),
};

const anchor: Component = {
  names: ["Link"],
  summary: "Same as `<a>`",
  isInline: true,
  attributes: { href: link },
  tag: "a",
  html: (element, printer) => printer.node({ ...element, name: "a" }),
};

const icon: Component = {
  names: ["Icon"],
  summary: "An icon within a text",
  isInline: true,
  attributes: {
    ...colouredIcons,
    name: { kind: "icon" },
    size: { kind: "number" },
    className: { kind: "option" },
  },
  anchor: "none",
  html: (element, printer) =>
    (printer.icon(element, { hasOwnLook: true }) || printer.icon(element, { name: "name", hasOwnLook: true })) +
    printer.nodes(element.children),
};

/** The site's script draws it. */
const diagram: Component = {
  names: ["Mermaid"],
  summary: "A Mermaid diagram",
  attributes: { chart: literal },
  html(element, printer) {
    const source = printer.text(element, "chart") ?? "";
    return printer.diagram(source, { line: element.line, id: printer.id(element) }) + printer.blocks(element.children);
  },
};

export const media: readonly Component[] = [frame, image, anchor, icon, diagram];
