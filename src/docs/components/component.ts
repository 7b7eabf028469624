import { attributes } from "#docs/markup/html.ts";
import type { ElementNode } from "#docs/markup/page-nodes.ts";
import type { ComponentPrinter } from "./component-printer.ts";

/**
 * What an attribute is for.
 * - `words`: readers see them, so a chore that changes words changes them too.
 * - `literal`: readers see it as written: an API name, a type, a file.
 * - `list`: several texts that readers see.
 * - `link`, `source`: the address of a page or an image.
 * - `icon`: the name of an icon, or the address of an image.
 * - `option`, `flag`, `number`: how the component looks or behaves.
 */
export interface Attribute {
  kind: "words" | "literal" | "list" | "link" | "source" | "icon" | "option" | "flag" | "number";
  /** Whether words may have Markdown's marks of a line: emphasis, code, links. */
  hasMarkdown?: boolean;
  /** The default when the attribute is absent. */
  fallback?: string;
  /** All values of an option, in lower case; absent when there are too many to list. */
  values?: readonly string[];
  /** What readers see with any other value, as a sentence. By default, the same as without the attribute. */
  otherwise?: string;
}

/** A tag and the texts of its attributes as far as they are known: as written in a file, or evaluated for printing. */
export interface WrittenTag {
  name: string;
  /** Null when the attribute is absent, empty or not a string. */
  text(attribute: string): string | null;
  /** The texts of an attribute that is a list; empty for any other value. */
  texts(attribute: string): readonly string[];
}

/** What `#id` can refer to in a component: nothing, or its `id` and otherwise its title. */
export type Anchoring =
  | "none"
  | {
      /** Attributes that may hold the title; the first one that does applies. */
      titles: readonly string[];
      /** Rank in the page's outline; 0 is left out. */
      depth: number;
    };

/**
 * The definition of a component. The printer, the link checker, the plain text, the chores, the styles and the documentation
 * all read it here. A page's Markdown keeps a component as its author wrote it, so that no word is lost; only the file that
 * it `includes` replaces it.
 */
export interface Component {
  /** The name that the documentation uses, then the names in other dialects. */
  names: readonly [string, ...string[]];
  /** One line for the documentation. */
  summary: string;
  /** It stands within a line; any other is a block of its own. */
  isInline?: boolean;
  /** Without `id`, which `anchor` defines. */
  attributes?: Readonly<Record<string, Attribute>>;
  /** By default its `id`. */
  anchor?: Anchoring;
  /** The source of a second id, which links written for another host use; null for none. */
  alias?(tag: WrittenTag): string | null;
  /** The HTML tag that it is an alias of. */
  tag?: "a" | "img";
  /** The attribute that names a file whose content replaces the tag. */
  includes?: string;
  /** Whether a tag is left out of the page with all its content. */
  hides?(tag: WrittenTag): boolean;
  /** Which components inside get a title from this one if they lack one. */
  titlesFor?: { names: readonly string[]; title(tag: WrittenTag, index: number): string };
  /** Every text in the result went through the printer or `escapeHtml`. */
  html(element: ElementNode, printer: ComponentPrinter): string;
  /** CSS for what `html` prints, inside an element with the class `content`. */
  style?: string;
}

export const words: Attribute = { kind: "words" };
export const markdown: Attribute = { kind: "words", hasMarkdown: true };
export const literal: Attribute = { kind: "literal" };
export const list: Attribute = { kind: "list" };
export const link: Attribute = { kind: "link" };
export const source: Attribute = { kind: "source" };
export const flag: Attribute = { kind: "flag", fallback: "false" };
export const icons = { icon: { kind: "icon" }, iconType: { kind: "option" } } as const satisfies Record<
  string,
  Attribute
>;

/** An icon with a color of its own. */
export const colouredIcons = { ...icons, color: { kind: "option" } } as const satisfies Record<string, Attribute>;

const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl|hwb|oklch|oklab|lch|lab)a?\([\w\s.,%/+-]{1,60}\))$/i;

/** Whether a text is a color that an attribute of an SVG may have: it refers to nothing. */
export const isColour = (text: string): boolean => COLOUR.test(text);

/** `html` in a box of its own if an id is needed. */
export function withId(id: string | null, html: string): string {
  return id === null ? html : `<div${attributes({ id })}>${html}</div>\n`;
}

/** The rules of a box whose content has no margin at its edges. */
export function flush(className: string): string {
  return `.content .${className} > :first-child { margin-top: 0; }\n.content .${className} > :last-child { margin-bottom: 0; }\n`;
}
