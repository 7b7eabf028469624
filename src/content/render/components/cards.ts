import { attributes } from "#content/render/html.ts";
import type { ElementNode } from "#content/render/page-tree.ts";
import type { Printer } from "#content/render/printer.ts";

/** The whole card is clickable through its title's link (a pseudo-element in the styles), so links inside stay valid. */
export function printCard(element: ElementNode, printer: Printer): string {
  const title = printer.html(element, "title") ?? printer.html(element, "name") ?? "";
  const href = printer.text(element, "href") ?? printer.text(element, "url");
  const action = printer.html(element, "cta");
  const image = printer.text(element, "img") ?? printer.text(element, "image");
  const icon = printer.icon(element);
  const heading = href === null ? title : printer.link(href, title === "" ? "Open" : title, { line: element.line });
  const classes = ["card", href !== null && "card-link", printer.flag(element, "horizontal") && "card-horizontal"]
    .filter(Boolean)
    .join(" ");
  return (
    `<div${attributes({ class: classes })}>` +
    (image === null ? "" : printer.image(image, { class: "card-image", alt: "" }, element.line)) +
    (icon === "" ? "" : `<div class="card-icon">${icon}</div>`) +
    `<div class="card-content">${heading === "" ? "" : `<p class="card-title">${heading}</p>`}` +
    `<div class="card-body">${printer.blocks(element.children)}</div>` +
    (action === null ? "" : `<p class="card-action">${action}</p>`) +
    `</div></div>\n`
  );
}

export function printCardGrid(element: ElementNode, printer: Printer): string {
  const written = Number(
    printer.text(element, "cols") ?? printer.text(element, "columns") ?? printer.text(element, "num") ?? 2,
  );
  const columns = Number.isInteger(written) && written >= 1 && written <= 6 ? written : 2;
  return `<div class="card-grid card-grid-${columns}">${printer.nodes(element.children)}</div>\n`;
}

export function printColumn(element: ElementNode, printer: Printer): string {
  return `<div class="column">${printer.blocks(element.children)}</div>\n`;
}

export function printTile(element: ElementNode, printer: Printer): string {
  const title = printer.html(element, "title") ?? "";
  const description = printer.html(element, "description");
  const href = printer.text(element, "href");
  const heading = href === null ? title : printer.link(href, title === "" ? "Open" : title, { line: element.line });
  return (
    `<div class="card tile${href === null ? "" : " card-link"}"><div class="tile-picture">${printer.nodes(element.children)}</div>` +
    `<div class="card-content"><p class="card-title">${heading}</p>${description === null ? "" : `<p class="card-body">${description}</p>`}</div></div>\n`
  );
}

export function printFrame(element: ElementNode, printer: Printer): string {
  const caption = printer.html(element, "caption");
  const hint = printer.html(element, "hint");
  return (
    `<figure class="image-frame">${hint === null ? "" : `<p class="image-frame-hint">${hint}</p>`}<div class="image-frame-body">${printer.nodes(element.children)}</div>` +
    `${caption === null ? "" : `<figcaption>${caption}</figcaption>`}</figure>\n`
  );
}
