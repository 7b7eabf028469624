import { anchorSource } from "#docs/components/anchors.ts";
import { attributeProblems } from "#docs/components/attribute-problems.ts";
import type { CodeSource, LinkPlace } from "#docs/components/component-printer.ts";
import { type Component, isColour, type WrittenTag } from "#docs/components/component.ts";
import { componentNamed, isHidden } from "#docs/components/registry.ts";
import type { Heading } from "#docs/links/headings.ts";
import { printCode } from "./code-block.ts";
import { ICON_LIBRARIES } from "#docs/navigation-icon.ts";
import type { ProblemCode } from "#docs/problems.ts";
import { printFormula } from "./formulas/print-formula.ts";
import { type Href, resolveHref } from "#docs/hrefs.ts";
import { type IconLook, withLook } from "./icons.ts";
import { isBlock, type Printer, type PrinterOptions } from "./printer.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { PageImage, PageLink } from "./page.ts";
import { Content, type ElementNode, type PageNode, type Value, valueText } from "#docs/markup/page-nodes.ts";
import { printMarkdown } from "./print-markdown.ts";
import { authorClass, printTag } from "./print-tag.ts";
import type { SiteLanguage } from "#docs/words/site-language.ts";

/** Prints one page. This is the only place where text becomes HTML, and where each text and value is escaped. */
export class PagePrinter implements Printer {
  readonly options: PrinterOptions;
  readonly headings: Heading[] = [];
  readonly anchors: string[] = [];
  readonly links: PageLink[] = [];
  readonly images: PageImage[] = [];
  /** Labels of the footnotes that were referenced, in order. */
  readonly usedFootnotes = new Map<string, number>();
  #groups = 0;

  constructor(options: PrinterOptions) {
    this.options = options;
  }

  get language(): SiteLanguage {
    return this.options.language;
  }

  nodes(nodes: readonly PageNode[]): string {
    let html = "";
    for (const node of nodes) html += this.node(node);
    return html;
  }

  node(node: PageNode): string {
    return node.kind === "markdown" ? printMarkdown(node, this) : this.element(node);
  }

  element(element: ElementNode): string {
    const component = componentNamed(element.name);
    if (component === undefined) return printTag(element, this);
    if (isHidden(this.#tag(element))) return "";
    this.#warnOfAttributes(element, component);
    return component.html(element, this);
  }

  #warnOfAttributes(element: ElementNode, component: Component): void {
    const { name, line } = element;
    const text = (attribute: string) => this.text(element, attribute);
    for (const message of attributeProblems(component, {
      name,
      isNative: this.options.isNative,
      attributes: element.props.keys(),
      text,
    }))
      this.warn(line, message, "left_out");
  }

  blocks(nodes: readonly PageNode[]): string {
    let html = "";
    let run: PageNode[] = [];
    const endRun = () => {
      const inline = this.nodes(run);
      html += /\S/.test(inline) ? `<p>${inline}</p>\n` : inline;
      run = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) run.push(node);
      else {
        endRun();
        html += this.node(node);
      }
    }
    endRun();
    return html;
  }

  warn(line: number | null, message: string, code: ProblemCode): void {
    this.options.warn(line, message, code);
  }

  text(element: ElementNode, name: string): string | null {
    const value = element.props.get(name);
    if (typeof value !== "string" && typeof value !== "number") return null;
    const text = valueText(value);
    return text === "" ? null : text;
  }

  texts(element: ElementNode, name: string): string[] {
    const value = element.props.get(name);
    const items = Array.isArray(value) ? (value as readonly Value[]) : [];
    return items.map(valueText);
  }

  html(element: ElementNode, name: string): string | null {
    const value: Value = element.props.get(name);
    if (value instanceof Content) return this.nodes(value.nodes);
    const text = this.text(element, name);
    return text === null ? null : escapeHtml(text);
  }

  flag(element: ElementNode, name: string): boolean {
    const value = element.props.get(name);
    return value === true || value === "true" || value === "";
  }

  groupName(): string {
    this.#groups += 1;
    return `group-${this.#groups}`;
  }

  #tag(element: ElementNode): WrittenTag {
    const { name } = element;
    return {
      name,
      text: (attribute) => this.text(element, attribute),
      texts: (attribute) => this.texts(element, attribute),
    };
  }

  id(element: ElementNode, title: string | null = null): string | null {
    const source = anchorSource(this.#tag(element), title);
    return source === null ? null : this.anchor(element, source);
  }

  alias(element: ElementNode): string | null {
    const text = anchorSource(this.#tag(element))?.alias ?? null;
    const id = element.anchor ? (element.anchor.alias ?? null) : this.options.ids.alias(text);
    if (id !== null) this.anchors.push(id);
    return id;
  }

  code(source: CodeSource, options: { title?: string | null; id?: string | null }): string {
    return printCode(source, this, options);
  }

  formula(tex: string, line: number | null): string {
    return printFormula({ tex, display: false }, this, line);
  }

  diagram(source: string, { line, id }: { line: number | null; id: string | null }): string {
    const problem = this.options.diagrams.problem(source);
    if (problem?.isKnown) this.warn(line, `A diagram is shown as its source: ${problem.message}.`, "diagram");
    else if (problem) this.warn(line, `A diagram was not checked: ${problem.message}.`, "not_checked");
    const pre = `<pre class="mermaid" tabindex="0"><code>${escapeHtml(source)}</code></pre>`;
    if (!problem?.isKnown) return `<figure class="diagram"${attributes({ id })}>${pre}</figure>\n`;
    // Shown by a style, so that the note is not among the words of the page.
    const note = this.language.words.diagramNotDrawn;
    return `<figure class="diagram-undrawn"${attributes({ id, "data-note": note })}>${pre}</figure>\n`;
  }

  anchor(node: PageNode, from: { text: string; depth: number; explicit: string | null }): string {
    const id = node.anchor?.id ?? this.options.ids.next(from.text, from.explicit);
    this.anchors.push(id);
    if (from.depth > 0) this.headings.push({ id, text: from.text, depth: from.depth, line: node.line ?? 1 });
    return id;
  }

  /** The second id of a heading, printed once. */
  secondId(node: PageNode): string | null {
    const id = node.anchor?.alias ?? null;
    if (id !== null) this.anchors.push(id);
    return id;
  }

  linkStart(
    written: string,
    line: number | null,
    className: string | null = null,
    target = resolveHref(written, this.options.pagePath),
  ): string | null {
    switch (target.kind) {
      case "external":
        this.links.push({ href: target.href, written, line });
        return `<a${attributes({ class: className, href: target.href, rel: /^https?:/i.test(target.href) ? "noopener nofollow" : null })}>`;
      case "internal":
        this.links.push({ href: target.href, written, line });
        return `<a${attributes({ class: className, href: target.href })}>`;
      case "outside":
        this.warn(line, `The link ${written.slice(0, 200)} leads out of the site.`, "broken_link");
        return null;
      case "refused":
        this.warn(line, `A link is left out: ${target.reason}.`, "left_out");
        return null;
    }
  }

  /** A link to a file, such as `/a.pdf#page=2`, stays as it is written. */
  #asLinked(target: Href): Href {
    const { idOfLink } = this.options;
    if (target.kind !== "internal" || !target.hash || idOfLink === null) return target;
    if (/\.(?!html?$)\w+$/i.test(target.path)) return target;
    const [bare = ""] = target.href.split("#", 1);
    return { ...target, href: `${bare}#${encodeURI(idOfLink(target.hash).toWellFormed())}` };
  }

  link(written: string, content: string, { line, className, title }: LinkPlace): string {
    const target = this.#asLinked(resolveHref(written, this.options.pagePath));
    const start = this.linkStart(written, line, className ?? null, target);
    return start === null
      ? `<span class="link-refused">${content}</span>`
      : `${start.slice(0, -1)}${attributes({ title })}>${content}</a>`;
  }

  source(written: string, line: number | null): string | null {
    const target = resolveHref(written, this.options.pagePath, "source");
    if (target.kind === "external" || target.kind === "internal") return target.href;
    this.warn(
      line,
      target.kind === "outside"
        ? `${written.slice(0, 200)} lies outside the site.`
        : `A source is left out: ${target.reason}.`,
      target.kind === "outside" ? "missing_file" : "left_out",
    );
    return null;
  }

  image(written: string, values: Record<string, string | number | boolean | null>, line: number | null): string {
    const src = this.source(written, line);
    const alt = typeof values.alt === "string" ? values.alt : null;
    if (src === null) return escapeHtml(alt ?? "");
    this.images.push({ src, alt, line });
    return `<img${attributes({ ...values, src, alt: alt ?? "", loading: "lazy", decoding: "async" })}>`;
  }

  icon(
    element: ElementNode,
    { name = "icon", hasOwnLook = false, hasColour = hasOwnLook }: Parameters<Printer["icon"]>[1] = {},
  ): string {
    const value = element.props.get(name);
    if (value instanceof Content) return `<span class="content-icon">${this.nodes(value.nodes)}</span>`;
    const text = this.text(element, name);
    if (text === null) return "";
    const look = this.#lookOf(element, { hasColour, hasOwnLook });
    if (/[/.]/.test(text) || text.startsWith("data:")) {
      if (!/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(text))
        return this.image(text, { class: look.class, alt: "", width: look.size, height: look.size }, element.line);
      this.warn(
        element.line,
        `The icon ${text.slice(0, 100)} is left out: icons are files of the repository, or of a set.`,
        "left_out",
      );
      return "";
    }
    const library =
      ICON_LIBRARIES.find((each) => each === this.text(element, "iconLibrary")) ?? this.options.iconLibrary;
    const svg = this.options.icons.svg(text, this.text(element, "iconType"), library);
    if (svg === null)
      this.warn(
        element.line,
        `There is no icon "${text.slice(0, 100)}" in Lucide, Font Awesome Free or Tabler.`,
        "unknown_icon",
      );
    return svg === null ? "" : withLook(svg, look);
  }

  #lookOf(element: ElementNode, { hasColour, hasOwnLook }: { hasColour: boolean; hasOwnLook: boolean }): IconLook {
    const written = (name: string) => (hasOwnLook ? (this.text(element, name) ?? "") : "");
    const own = authorClass(written("className"), element, this);
    const size = /^(\d{1,4}(?:\.\d{1,3})?)(?:px)?$/.exec(written("size"))?.[1] ?? null;
    const colour = hasColour ? this.text(element, "color") : null;
    const isKnown = colour !== null && isColour(colour);
    if (written("size") !== "" && size === null) this.#warnOfLook(element, "size", "it is not a number of pixels");
    if (colour !== null && !isKnown) this.#warnOfLook(element, "color", "it is not a color of CSS");
    return { class: own === null ? "content-icon" : `content-icon ${own}`, size, color: isKnown ? colour : null };
  }

  #warnOfLook(element: ElementNode, name: string, reason: string): void {
    const value = this.text(element, name) ?? "";
    this.warn(
      element.line,
      `The ${name} ${value.slice(0, 100)} of <${element.name}> is left out: ${reason}.`,
      "left_out",
    );
  }

  drawing(name: string): string {
    return this.options.icons.svg(name) ?? "";
  }
}
