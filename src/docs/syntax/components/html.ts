import { type ElementNode, type PageNode, type Value, elementNode, textNode } from "#docs/markup/page-nodes.ts";
import {
  isBlank,
  isItem,
  isList,
  nothing,
  onlyChildren,
  type TagReaders,
  renamed,
  text,
  shownWords,
} from "./reader.ts";
import { labelBadge } from "./starlight.ts";

export const vitepressTags: TagReaders = {
  ClientOnly: onlyChildren,
  // Where a page has its headings, the renderer has put their list before.
  TOCInline: nothing,
  Badge: (element) => [labelBadge(element, text(element, "type") ?? "tip")],
};

const hasClass = (element: ElementNode, name: string): boolean =>
  (text(element, "class") ?? "").split(/\s+/).includes(name);

/** Material's `<div class="grid cards" markdown>` around a list. */
export const mkdocsTags: TagReaders = {
  div(element) {
    if (!hasClass(element, "grid") || !hasClass(element, "cards")) return [element];
    const cards = element.children.flatMap((node): PageNode[] =>
      isList(node)
        ? node.children.filter(isItem).map((item) => elementNode("Card", item.children))
        : isBlank(node)
          ? []
          : [node],
    );
    return [{ ...element, name: "CardGroup", props: new Map(), children: cards }];
  },
};

/** GitBook's `<table data-view="cards">`: a row is a card, some of its columns are its link and its image. */
export const gitbookTags: TagReaders = {
  // Buttons follow each other without a space.
  a: (element) => (hasClass(element, "button") ? [element, textNode(" ")] : [element]),
  // File names contain spaces, which end an address here.
  source(element) {
    const address = text(element, "srcset");
    return [
      address === null ? element : renamed(element, "source", [["srcset", address.trim().replaceAll(" ", "%20")]]),
    ];
  },
  table(element) {
    if (text(element, "data-view") !== "cards") return [element];
    const rows = elementsIn(element, "tr");
    const heads = rows.flatMap((row) => elementsIn(row, "th")).slice(0, 50);
    const cards = rows.flatMap((row) => {
      const cells = elementsIn(row, "td");
      return cells.length === 0 ? [] : [cardOf(cells, heads)];
    });
    return [{ ...element, name: "CardGroup", props: new Map(), children: cards }];
  },
};

function cardOf(cells: readonly ElementNode[], heads: readonly ElementNode[]): PageNode {
  const props = new Map<string, Value>();
  const children: PageNode[] = [];
  for (const [index, cell] of cells.entries()) {
    const head = heads[index];
    const is = (name: string) => head?.props.has(name) ?? false;
    const isFile = head !== undefined && text(head, "data-type") === "files";
    const link = elementsIn(cell, "a")[0];
    const href = link === undefined ? null : text(link, "href");
    if (is("data-card-cover") || is("data-card-cover-dark") || isFile) {
      if (href !== null && !is("data-card-cover-dark")) props.set("img", href);
    } else if (is("data-card-target")) {
      if (href !== null) props.set("href", href);
    } else if (!is("data-hidden") && shownWords(cell.children) !== "")
      children.push({ ...cell, name: "div", props: new Map() });
  }
  const [title, ...rest] = children;
  if (title === undefined) return { ...elementNode("Card", []), props };
  const named = new Map(props).set("title", shownWords([title]));
  return { ...elementNode("Card", rest), props: named, line: title.line };
}

function elementsIn(element: ElementNode, name: string): ElementNode[] {
  return element.children.flatMap((node): ElementNode[] => {
    if (node.kind === "element" && node.name === name) return [node];
    return elementsIn({ ...element, children: node.children }, name);
  });
}
