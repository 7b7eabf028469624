import { moveLines } from "./source-lines.ts";
import { createLines } from "#lib/line-index.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import type { Variables } from "#docs/variables.ts";
import type { PageParser } from "./fast-parser.ts";
import { readSyntax } from "#docs/syntax/syntax.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { putIncludesIn } from "#docs/syntax/includes.ts";
import { createLineMap } from "#docs/syntax/lines.ts";
import { type Rewritten, unchanged } from "#docs/syntax/rewriter.ts";
import { markFormulas } from "./formulas/mark-formulas.ts";
import type { Warn, PageToRender } from "./page.ts";
import { type ParsedPage, parsePage, prepareSource } from "./parse-page.ts";

interface DialectPage extends Pick<
  PageToRender,
  "path" | "source" | "format" | "dialect" | "contentRoot" | "dollars" | "rules"
> {
  variables: Variables;
  read(path: string): Promise<string | null>;
}

/** Inserts the files that a page of another tool includes. */
export async function readIncludes(
  page: DialectPage,
  { includes, warn }: { includes: string[]; warn: Warn },
): Promise<Rewritten> {
  const { contentRoot = "", rules = NO_RULES, dialect = "native" } = page;
  const { line } = createLines(page.source);
  return putIncludesIn(page.source, joinContentRoot(page.path, contentRoot), {
    dialect,
    contentRoot,
    rules,
    readsValues: true,
    read(path) {
      includes.push(`/${path}`);
      return page.read(`/${path}`);
    },
    warn: (offset, message) => warn(line(offset), message, "snippet"),
  });
}

/** `parsePage` for a page of another tool. Lines in its tree and in warnings are those of its file. */
export function parseDialectPage(
  deps: { parser: PageParser; now: () => number },
  source: string,
  {
    page,
    whole = unchanged(source),
    warn,
  }: {
    page: Pick<DialectPage, "format" | "dialect" | "dollars" | "variables" | "rules">;
    whole?: Rewritten;
    warn: Warn;
  },
): ParsedPage & { format: MarkdownFormat } {
  const syntax = readSyntax(whole.source, page.format, page.dialect ?? "native", page.rules);
  const prepared = prepareSource(markFormulas(syntax.source, page.dollars ?? "likely"), page.variables);
  const inFile = createLineMap(whole, source);
  const lineOf = (line: number) => inFile(syntax.lineOf(prepared.lineOf(line)));
  const parsed = parsePage(prepared.source, syntax.format, {
    ...deps,
    warn: (line, message, code) => warn(line === null ? null : lineOf(line), message, code),
  });
  const { line } = createLines(whole.source);
  for (const { offset, message } of syntax.leftOut) warn(inFile(line(offset)), message, "left_out");
  for (const at of syntax.finish(parsed.root)) warnOfUnclosed(source, lineOf(at), warn);
  const headingIds = page.rules?.headingIds;
  if (headingIds) parsed.root.data = { ...parsed.root.data, headingIds };
  moveLines(parsed.root, lineOf);
  return { ...parsed, format: parsed.degraded === "plain" ? "md" : syntax.format };
}

/** Other tools end an admonition by its indentation; these need a line of their own. */
const NEEDS_END = /^[ \t>]*(?::{3,}|\/{3,}|\{%)/;

function warnOfUnclosed(source: string, line: number, warn: Warn): void {
  const written = source.split("\n", line)[line - 1] ?? "";
  if (!NEEDS_END.test(written)) return;
  const shown = written
    .replace(/^[ \t>]*/, "")
    .trimEnd()
    .slice(0, 60);
  warn(
    line,
    `${shown} is not closed, so everything after it on the page, or in its list item or quote, is inside it.`,
    "syntax",
  );
}
