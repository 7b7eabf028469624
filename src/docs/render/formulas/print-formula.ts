import type { Nodes } from "mdast";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { MarkdownNode, PageNode } from "#docs/markup/page-nodes.ts";
import type { Printer } from "#docs/render/printer.ts";
import { SINGLE } from "./mark-formulas.ts";

interface WrittenFormula {
  tex: string;
  /** A block formula instead of one within a line. */
  display: boolean;
}

/** The formula of a Markdown node; null for any other node. */
export function formulaOf(node: Nodes): WrittenFormula | null {
  const { type, value, meta } = node as { type: string; value?: string; meta?: string | null };
  if (type === "inlineMath") return { tex: value ?? "", display: false };
  if (type !== "math") return null;
  // A formula may begin on the line of the opening dollars and end on the line of the closing ones.
  return { tex: [meta ?? "", (value ?? "").replace(/\$\$\s*$/, "")].join("\n").trim(), display: true };
}

/** Whether a paragraph consists only of a formula between double dollars, which is then a block formula. */
export function isDisplayed({ node, children }: MarkdownNode): boolean {
  const only = children[0];
  if (children.length !== 1 || only?.kind !== "markdown" || formulaOf(only.node) === null) return false;
  const [whole, formula] = [node.position, only.node.position];
  const inside = (formula?.end.offset ?? 0) - (formula?.start.offset ?? 0) - (formulaOf(only.node)?.tex.length ?? 0);
  return whole?.start.offset === formula?.start.offset && inside < 2 * SINGLE.length;
}

/** Turns a formula within a line into a block formula. */
export function asBlock(page: PageNode): PageNode {
  const tex = page.kind === "markdown" ? (formulaOf(page.node)?.tex ?? "") : "";
  const node = { type: "code" as const, lang: "math", meta: null, value: tex };
  return { kind: "markdown", node, children: [], anchor: page.anchor, line: page.line };
}

/** MathML; if it cannot be generated, the source and a warning. */
export function printFormula({ tex, display }: WrittenFormula, printer: Printer, line: number | null): string {
  const drawn = printer.options.formulas.formula(tex, display);
  if ("problem" in drawn) {
    printer.warn(line, `A formula is shown as its source: ${drawn.problem}.`, "formula");
    return display
      ? `<pre class="math" tabindex="0"><code>${escapeHtml(tex)}</code></pre>\n`
      : `<code class="math">${escapeHtml(tex)}</code>`;
  }
  if (display) return `<div class="formula" tabindex="0">${drawn.mathml}</div>\n`;
  return `<span${attributes({ class: tex.length > LONG ? "formula-inline formula-long" : "formula-inline" })}>${drawn.mathml}</span>`;
}

// Browsers do not break a formula into lines: a long one scrolls on a narrow screen.
const LONG = 30;

/** Whether the library is needed to print these nodes. */
export function hasFormulas(nodes: readonly PageNode[]): boolean {
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "element") {
      if (node.name === "Latex" || node.name === "CodeBlock") return true;
    } else if (formulaOf(node.node) !== null || (node.node.type === "code" && node.node.lang === "math")) return true;
    open.push(...node.children);
  }
  return false;
}
