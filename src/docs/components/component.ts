import { attributes } from "#docs/markup/html.ts";
import type { ElementNode } from "#docs/markup/page-nodes.ts";
import type { ComponentPrinter } from "./component-printer.ts";

/**
 * What an attribute is for.
 * - `words`: readers see them, so a chore that changes words changes them too.
 * - `literal`: readers see it as it is written: a name of an interface, a type, a file.
 * - `list`: several texts that readers see.
 * - `link`, `source`: the address of a page, of a picture.
 * - `icon`: the name of an icon, or the address of a picture.
 * - `option`, `flag`, `number`: how the component looks or behaves.
 */
export interface Attribute {
  kind: "words" | "literal" | "list" | "link" | "source" | "icon" | "option" | "flag" | "number";
  /** What holds where the attribute is not written. */
  fallback?: string;
  /** All that an option may be; without it there are too many to name. */
  values?: readonly string[];
}

/** A tag and the texts of its attributes as far as they are known: as written in a file, or evaluated for printing. */
export interface WrittenTag {
  name: string;
  /** Null when the attribute is absent, empty or not a text. */
  text(attribute: string): string | null;
  /** The texts of an attribute that is a list; empty for any other value. */
  texts(attribute: string): readonly string[];
}

/** What `#id` can lead to in a component: nothing, its `id`, or its `id` and else its title. */
export type Anchoring =
  | "none"
  | "id"
  | {
      /** Attributes that may hold the title; the first that does counts. */
      titles: readonly string[];
      /** Rank in the page's outline; 0 stays out of it. */
      depth: number;
    };

/**
 * All that is known of a component. The printer, the link checker, the plain text, the chores, the styles and the
 * documentation read it here and nowhere else. In a page's Markdown a component stands as its author wrote it, so that
 * no word is lost; only what it `includes` takes its place.
 */
export interface Component {
  /** The documentation's name for it, then the names that it has in other dialects. */
  names: readonly [string, ...string[]];
  /** One line for the documentation. */
  summary: string;
  /** Whether it stands within a line or is a block of its own. */
  flow: "inline" | "block";
  /** Without `id`, which `anchor` speaks of. */
  attributes: Readonly<Record<string, Attribute>>;
  anchor: Anchoring;
  /** What a second id is made from, to which links that were written for another host lead; null for none. */
  alias?(tag: WrittenTag): string | null;
  /** The HTML tag that it is another name of. */
  tag?: "a" | "img";
  /** The attribute that names a file whose content takes the tag's place. */
  includes?: string;
  /** Whether a tag and all that it contains is kept from the page. */
  hides?(tag: WrittenTag): boolean;
  /** The components inside that get a title from this one if they have none, and which. */
  titlesFor?: { names: readonly string[]; title(tag: WrittenTag, index: number): string };
  /** Every text in what it returns went through the printer or `escapeHtml`. */
  html(element: ElementNode, printer: ComponentPrinter): string;
  /** CSS for what `html` prints, inside an element with the class `content`. */
  style?: string;
}

export const words: Attribute = { kind: "words" };
export const literal: Attribute = { kind: "literal" };
export const list: Attribute = { kind: "list" };
export const link: Attribute = { kind: "link" };
export const source: Attribute = { kind: "source" };
export const flag: Attribute = { kind: "flag", fallback: "false" };
export const icons = { icon: { kind: "icon" }, iconType: { kind: "option" } } as const satisfies Record<
  string,
  Attribute
>;

/** `html` in a box of its own where it needs one to carry an id. */
export function withId(id: string | null, html: string): string {
  return id === null ? html : `<div${attributes({ id })}>${html}</div>\n`;
}

/** The rules of a box whose content keeps no margin towards its edges. */
export function flush(className: string): string {
  return `.content .${className} > :first-child { margin-top: 0; }\n.content .${className} > :last-child { margin-bottom: 0; }\n`;
}
