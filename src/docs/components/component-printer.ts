import type { ElementNode, PageNode } from "#docs/markup/page-nodes.ts";
import type { SiteLanguage, Words } from "#docs/words/site-language.ts";
import { attributes } from "#docs/markup/html.ts";

/** A block of code as its author wrote it: the language and the meta text after it in a fence. */
export interface CodeSource {
  code: string;
  language: string;
  meta: string;
  /** Where problems with it are reported. */
  line?: number | null;
}

export interface LinkPlace {
  line: number | null;
  className?: string | undefined;
  title?: string | null | undefined;
}

/** What a component needs from the page that it is printed into. */
export interface ComponentPrinter {
  /** The language of the interface texts. */
  readonly language: SiteLanguage;

  nodes(nodes: readonly PageNode[]): string;
  node(node: PageNode): string;
  /** Content of a block: text between blocks becomes paragraphs. */
  blocks(nodes: readonly PageNode[]): string;

  /** An attribute as text, not yet escaped; null when it is absent or not a string. */
  text(element: ElementNode, name: string): string | null;
  /** The texts of an attribute that is a list; empty for any other value. */
  texts(element: ElementNode, name: string): string[];
  /** An attribute as HTML: text is escaped, JSX is printed; null when it is absent. */
  html(element: ElementNode, name: string): string | null;
  flag(element: ElementNode, name: string): boolean;
  /**
   * An icon by name, by the address of an image, or as JSX; empty when the attribute is absent or names no known icon. It
   * has the `color` of its element with `hasColour`, and with `hasOwnLook` the `size` and `className`, too.
   */
  icon(element: ElementNode, options?: { name?: string; hasColour?: boolean; hasOwnLook?: boolean }): string;
  /** An icon of one of the sets; empty when the name is unknown. */
  drawing(name: string): string;

  /** A name for a set of radio buttons, unique in the page. */
  groupName(): string;
  /** The id that the component's `anchor` defines, printed once. `title` is for a component without a title of its own. */
  id(element: ElementNode, title?: string): string | null;
  /** The second id, from the component's `alias`, printed once. */
  alias(element: ElementNode): string | null;
  /** A block of code; `title` replaces the one in its meta text. */
  code(source: CodeSource, options: { title?: string | null; id?: string | null }): string;
  /** A TeX formula within a line; its source if it is invalid. */
  formula(tex: string, line: number | null): string;
  /** A Mermaid diagram: its source, which the site's script draws. */
  diagram(source: string, at: { line: number | null; id: string | null }): string;

  /** A link around finished HTML; only the HTML when the link is unsafe. */
  link(written: string, content: string, at: LinkPlace): string;
  image(written: string, values: Record<string, string | number | boolean | null>, line: number | null): string;
}

/** A component's title, already HTML, as a link to the component if it has an id. */
export function titleWithLink(title: string, id: string | null, words: Words): string {
  return id === null
    ? title
    : `${title}<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": words.linkToPart })}></a>`;
}
