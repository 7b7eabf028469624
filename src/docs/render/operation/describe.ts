import { Budget } from "#docs/markup/budget.ts";
import { Scope } from "#docs/markup/page-nodes.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import { parseProblem } from "#docs/parser.ts";
import { Expander } from "#docs/render/expand.ts";
import { checkSize } from "#docs/render/printer.ts";
import { PagePrinter } from "#docs/render/page-printer.ts";
import type { PageParser } from "#docs/render/fast-parser.ts";

/** What the parts of an API's page are printed with. */
export interface ApiTools {
  printer: PagePrinter;
  /** Prints Markdown of an API description, like a page's, without snippets and expressions; nothing prints as nothing. */
  describe(text: string | null): string;
}

/**
 * A printer of descriptions whose headings stay out of the page's outline. All descriptions of a page share a budget; one
 * that cannot be parsed is shown as text.
 */
export function createDescriber(deps: { parser: PageParser }, printer: PagePrinter): ApiTools["describe"] {
  const budget = new Budget();
  const { options } = printer;
  return (text) => {
    if (text === null) return "";
    if (!/[\n*_`[\]<>&#\\~|:]/.test(text)) return `<p>${escapeHtml(text)}</p>\n`;
    const outcome = parseProblem(text) === null ? deps.parser.parse(text, "md") : null;
    if (outcome === null || !outcome.ok) return `<p>${escapeHtml(text)}</p>\n`;
    const expander = new Expander({
      budget,
      warn: options.warn,
      anchors: new Map(),
      isProse: () => false,
      snippet: () => null,
    });
    const tree = expander.expand(outcome.root.children, new Scope(null));
    checkSize(tree);
    const inner = new PagePrinter({ ...options, definitions: expander.definitions, footnotes: expander.footnotes });
    const html = inner.blocks(tree);
    printer.links.push(...inner.links.map((link) => ({ ...link, line: null })));
    printer.images.push(...inner.images.map((image) => ({ ...image, line: null })));
    printer.anchors.push(...inner.anchors);
    return html;
  };
}
