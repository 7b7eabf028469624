import type { ComponentPrinter } from "#docs/components/component-printer.ts";
import type { AnchorIds, Heading } from "#docs/links/headings.ts";
import type { Highlighter } from "./highlighter.ts";
import type { IconLibrary } from "#docs/navigation-icon.ts";
import type { Diagrams } from "./diagrams.ts";
import type { Formulas } from "./formulas/formulas.ts";
import type { ProblemCode } from "#docs/problems.ts";
import type { Icons } from "./icons.ts";
import type { PageImage, PageLink, Warn } from "./page.ts";
import { type PageNode, Content, type Value } from "#docs/markup/page-nodes.ts";
import type { SiteLanguage } from "#docs/words/site-language.ts";
import { componentNamed } from "#docs/components/registry.ts";
import { isAllowedTag, isDroppedTag, isInlineTag } from "#docs/markup/allowed-html.ts";
import { PageLimit } from "#docs/markup/budget.ts";

export interface PrinterOptions {
  pagePath: string;
  language: SiteLanguage;
  /** Whether the page is written in our own format, all of whose components are known. */
  isNative: boolean;
  /** Used after the page's own anchors have their ids. */
  ids: AnchorIds;
  /** The id that a link in Markdown refers to, by the text after its `#`; null if that is the id. */
  idOfLink: ((hash: string) => string) | null;
  warn: Warn;
  highlighter: Highlighter;
  icons: Icons;
  /** The icon set that the site chooses. */
  iconLibrary: IconLibrary | null;
  formulas: Formulas;
  diagrams: Diagrams;
  /** Class names from the author, collected while tags are printed. */
  classNames: Set<string>;
  /** Unknown components that were reported, collected likewise. */
  reportedComponents: Set<string>;
  /** Styles that the author put into `<style>`, collected like the class names. */
  styles: { line: number | null; source: string }[];
  definitions: ReadonlyMap<string, { url: string; title: string | null }>;
  footnotes: ReadonlyMap<string, PageNode[]>;
}

/** What printing Markdown nodes and HTML tags needs from the page. */
export interface Printer extends ComponentPrinter {
  readonly options: PrinterOptions;
  /** In document order, like all lists here. */
  readonly headings: Heading[];
  readonly anchors: string[];
  readonly links: PageLink[];
  readonly images: PageImage[];
  /** Numbers of the footnotes that were referenced, by their labels. */
  readonly usedFootnotes: Map<string, number>;

  warn(line: number | null, message: string, code: ProblemCode): void;
  /** The id of a heading or titled component, assigned here if it is from a snippet. Depth 0 stays out of the outline. */
  anchor(node: PageNode, from: { text: string; depth: number; explicit: string | null }): string;
  /** The second id of a heading, printed once; null without one. */
  secondId(node: PageNode): string | null;
  /** The opening tag alone; null when the link is unsafe. */
  linkStart(written: string, line: number | null, className?: string | null): string | null;
  /** The address of an image, video and so on; null when it must not be loaded. */
  source(written: string, line: number | null): string | null;
}

const INLINE_MARKDOWN = new Set([
  "text", "emphasis", "strong", "delete", "inlineCode", "break", "link", "linkReference", "image", "imageReference",
  "footnoteReference", "inlineMath",
]); // oxfmt-ignore

/** Whether a node cannot be inside a `<p>`. */
export function isBlock(node: PageNode): boolean {
  if (node.kind === "markdown") return !INLINE_MARKDOWN.has(node.node.type) || node.children.some(isBlock);
  if (isDroppedTag(node.name)) return false;
  const component = componentNamed(node.name);
  if (component !== undefined) return component.isInline !== true;
  if (isInlineTag(node.name)) return node.children.some(isBlock);
  return isAllowedTag(node.name) || /^[A-Z]/.test(node.name);
}

const MAX_NODES = 250_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * Counts the nodes that printing visits. Content can be used twice at each level, so a small page can expand to a tree that
 * exceeds any memory: it is counted as often as it would be printed, and rejected before anything recurses into it.
 */
export function checkSize(nodes: readonly PageNode[]): void {
  let visited = 0;
  let characters = 0;
  const open: PageNode[] = [...nodes];
  const visitValue = (value: Value): void => {
    visited += 1;
    if (typeof value === "string") characters += value.length;
    else if (value instanceof Content) open.push(...value.nodes);
    else if (Array.isArray(value)) for (const item of value as readonly Value[]) visitValue(item);
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visited += 1;
    if (node.kind === "element") for (const value of node.props.values()) visitValue(value);
    else if ("value" in node.node) characters += node.node.value.length;
    open.push(...node.children);
    if (visited > MAX_NODES || characters > MAX_CHARACTERS || open.length > MAX_NODES) {
      throw new PageLimit("The page grows too large when its snippets and expressions are put in.");
    }
  }
}
