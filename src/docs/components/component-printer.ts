import type { ElementNode, PageNode } from "#docs/markup/page-nodes.ts";
import type { SiteLanguage, Words } from "#docs/words/site-language.ts";
import { attributes } from "#docs/markup/html.ts";

/** A block of code as its author wrote it: the language and what stands behind it in a fence. */
export interface CodeSource {
  code: string;
  language: string;
  meta: string;
}

/** What a component asks of the page that it is printed into. */
export interface ComponentPrinter {
  /** The language of what the interface itself says. */
  readonly language: SiteLanguage;

  nodes(nodes: readonly PageNode[]): string;
  node(node: PageNode): string;
  /** Content for inside a block: text that stands between blocks becomes paragraphs. */
  blocks(nodes: readonly PageNode[]): string;

  /** An attribute as text, not yet escaped; null when it is absent or not a text. */
  text(element: ElementNode, name: string): string | null;
  /** The texts of an attribute that is a list; empty for any other value. */
  texts(element: ElementNode, name: string): string[];
  /** An attribute as HTML: text is escaped, JSX is printed; null when it is absent. */
  html(element: ElementNode, name: string): string | null;
  flag(element: ElementNode, name: string): boolean;
  /** An icon by name, by the address of a picture, or as JSX; empty when the attribute is absent or names no icon. */
  icon(element: ElementNode, name?: string): string;
  /** One of the sets' icons; empty when there is none of that name. */
  drawing(name: string): string;

  /** A name for a set of radio buttons, unique in the page. */
  groupName(): string;
  /** The id that the component's `anchor` gives it, to be printed once; `title` is for one without a title of its own. */
  id(element: ElementNode, title?: string): string | null;
  /** The second id, from the component's `alias`, to be printed once. */
  alias(element: ElementNode): string | null;
  /** A block of code; `title` in place of the one that its meta names. */
  code(source: CodeSource, options: { title?: string | null; id?: string | null }): string;
  /** A formula of TeX within a line; its source where it is wrong. */
  formula(tex: string, line: number | null): string;
  /** A diagram of Mermaid: its source, for the site's script to draw. */
  diagram(source: string, at: { line: number | null; id: string | null }): string;

  /** A link around finished HTML; without the link when it must not be made. */
  link(written: string, content: string, at: { line: number | null; className?: string }): string;
  image(written: string, values: Record<string, string | number | boolean | null>, line: number | null): string;
}

/** A component's title, already HTML, with a link to the component where it has an id. */
export function titleWithLink(title: string, id: string | null, words: Words): string {
  return id === null
    ? title
    : `${title}<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": words.linkToPart })}></a>`;
}
