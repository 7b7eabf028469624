import type { Nodes, Root } from "mdast";
import { readSyntax } from "#docs/syntax/syntax.ts";
import type { PageSource, RenderDeps } from "./render-page.ts";
import { markFormulas } from "./formulas/mark-formulas.ts";
import type { Warn } from "./page.ts";
import { type ParsedPage, parsePage, prepareSource } from "./parse-page.ts";

/** `parsePage` for a page that is written for another tool; lines in its tree and of warnings are those of its file. */
export function parseDialectPage(
  deps: RenderDeps,
  source: string,
  { page, warn }: { page: Pick<PageSource, "format" | "dialect" | "dollars" | "variables">; warn: Warn },
): ParsedPage & { format: PageSource["format"] } {
  const syntax = readSyntax(source, page.format, page.dialect ?? "native");
  const prepared = prepareSource(markFormulas(syntax.source, page.dollars ?? "likely"), page.variables);
  const lineOf = (line: number) => syntax.lineOf(prepared.lineOf(line));
  const parsed = parsePage(prepared.source, syntax.format, {
    ...deps,
    warn: (line, message, code) => warn(line === null ? null : lineOf(line), message, code),
  });
  syntax.finish(parsed.root);
  moveLines(parsed.root, lineOf);
  return { ...parsed, format: parsed.degraded === "plain" ? "md" : syntax.format };
}

function moveLines(root: Root, lineOf: (line: number) => number): void {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.position) {
      node.position.start.line = lineOf(node.position.start.line);
      node.position.end.line = lineOf(node.position.end.line);
    }
    if ("children" in node) open.push(...node.children);
  }
}
