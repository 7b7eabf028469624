import type { AnchorIds, Heading } from "#content/headings.ts";
import type { Highlighter } from "./highlighter.ts";
import type { Icons } from "./icons.ts";
import type { PageImage, PageLink } from "./page.ts";
import type { ElementNode, PageNode } from "./page-tree.ts";
import type { Warn } from "./warnings.ts";

export interface PrinterOptions {
  pagePath: string;
  /** After the page's own anchors were given out. */
  ids: AnchorIds;
  warn: Warn;
  highlighter: Highlighter;
  icons: Icons;
  definitions: ReadonlyMap<string, { url: string; title: string | null }>;
  footnotes: ReadonlyMap<string, PageNode[]>;
}

/** What the parts that print (Markdown's nodes, tags, each component) ask of the page they print into. */
export interface Printer {
  readonly options: PrinterOptions;
  /** In document order, like all of these. */
  readonly headings: Heading[];
  readonly anchors: string[];
  readonly links: PageLink[];
  readonly images: PageImage[];
  /** Labels of the footnotes that were referred to. */
  readonly usedFootnotes: string[];

  nodes(nodes: readonly PageNode[]): string;
  node(node: PageNode): string;
  /** Content for inside a block: text that stands between blocks becomes paragraphs. */
  blocks(nodes: readonly PageNode[]): string;
  warn(line: number | null, message: string): void;

  /** An attribute as text, not yet escaped; null when it is absent or not a text. */
  text(element: ElementNode, name: string): string | null;
  /** An attribute as HTML: text is escaped, JSX is printed. */
  html(element: ElementNode, name: string): string | null;
  flag(element: ElementNode, name: string): boolean;
  /** An icon by name, by the address of a picture, or as JSX; empty when there is none. */
  icon(element: ElementNode, name?: string): string;

  /** A name for a set of radio buttons, unique in the page. */
  groupName(): string;
  /** The id of a heading or titled component, given out here if it came from a snippet. Depth 0 stays out of the outline. */
  anchor(node: PageNode, from: { text: string; depth: number; explicit: string | null }): string;

  /** A link around finished HTML; without the link when it must not be made. */
  link(written: string, content: string, at: { line: number | null; className?: string }): string;
  /** The opening tag alone, null when the link must not be made. */
  linkStart(written: string, line: number | null, className?: string | null): string | null;
  /** The address of an image, video or the like; null when it must not be loaded. */
  source(written: string, line: number | null): string | null;
  image(written: string, values: Record<string, string | number | boolean | null>, line: number | null): string;
}
