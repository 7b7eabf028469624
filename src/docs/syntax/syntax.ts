import { createLines } from "#lib/line-index.ts";
import { nodesOf } from "#docs/nodes.ts";
import type { Root } from "mdast";
import type { DialectName } from "#docs/dialect.ts";
import { NO_RULES, type PageRules, type TextStep } from "#docs/page-rules.ts";
import type { MarkdownFormat, ParseOutcome } from "#docs/parser.ts";
import { readCode } from "./code.ts";
import { readContainers } from "./containers.ts";
import { readFormat } from "./format.ts";
import { withoutIncludes } from "./include-syntax.ts";
import { readIndented } from "./indented.ts";
import { readInline } from "./inline.ts";
import { readMdx } from "./mdx.ts";
import { readTemplates } from "./templates.ts";
import { createLineMap } from "./lines.ts";
import { Marks } from "./markers.ts";
import { readLists } from "./attribute-lists.ts";
import { readPackageCommands } from "./package-managers.ts";
import { dropRedefined, dropUnresolved } from "./references.ts";
import { composed, type Rewritten, unchanged } from "./rewriter.ts";
import { readOutline } from "./vue.ts";

declare module "mdast" {
  interface RootData {
    /** The tool that the page is written for, whose rules apply to ids of headings; absent for native pages. */
    dialect?: DialectName;
    /** How the configuration of that tool derives ids of headings; absent for the tool's usual way. */
    headingIds?: readonly TextStep[];
  }
}

/** A page in a form that Markdown and MDX parsers can read, with what is needed to complete its tree. */
export interface ReadPage extends Rewritten {
  /** The format in which the tool parses the page. */
  format: MarkdownFormat;
  /** Content that is not shown to readers, by offsets in the page's source. */
  leftOut: readonly { offset: number; message: string }[];
  /** The line in the page's file, from 1. */
  lineOf(line: number): number;
  /**
   * Turns a tool's own syntax into components. Positions stay those of the rewritten source. Returns the lines of containers
   * without an end.
   */
  finish(root: Root): readonly number[];
}

type Pass = (source: string) => Rewritten;

/**
 * Rewrites a tool's own syntax into Markdown and marks of our components. This is done on the source, because a tree does not
 * show what the parser misread: indented text as code, `{#id}` as an expression.
 */
export function readSyntax(
  source: string,
  format: MarkdownFormat,
  dialect: DialectName,
  rules: Pick<PageRules, "pathAliases"> = NO_RULES,
): ReadPage {
  const marks = new Marks();
  const written = readFormat(format, dialect);
  let page = unchanged(source);
  const leftOut: { offset: number; message: string }[] = [];
  for (const pass of passesOf(dialect, written, { marks, rules })) {
    const next = pass(page.source);
    for (const each of marks.leftOut.splice(0)) leftOut.push({ ...each, offset: page.start(each.offset) });
    page = composed(page, next);
  }
  let lineOf: ((line: number) => number) | null = null;
  return {
    ...page,
    format: written,
    leftOut,
    lineOf: (line) => (lineOf ??= createLineMap(page, source))(line),
    finish(root) {
      marks.join(root);
      readCode(root, dialect);
      if (dialect === "mkdocs") {
        readLists(root);
        dropRedefined(root);
        dropUnresolved(root);
      }
      root.data = { ...root.data, dialect };
      return marks.unclosed;
    },
  };
}

function passesOf(
  dialect: DialectName,
  format: MarkdownFormat,
  { marks, rules }: { marks: Marks; rules: Pick<PageRules, "pathAliases"> },
): Pass[] {
  const mdx: Pass[] = format === "mdx" ? [(source) => readMdx(source, dialect, rules)] : [];
  const own: Pass = (source) => withoutIncludes(source, dialect);
  return [own, ...mdx, ...blocksOf(dialect, marks), (source) => readInline(source, dialect)];
}

function blocksOf(dialect: DialectName, marks: Marks): Pass[] {
  switch (dialect) {
    case "docusaurus":
      return [(source) => readPackageCommands(source, marks), (source) => readContainers(source, dialect, marks)];
    case "vitepress":
      return [(source) => readContainers(source, dialect, marks), (source) => readOutline(source, marks)];
    case "starlight":
    case "fumadocs":
      return [(source) => readContainers(source, dialect, marks)];
    case "mkdocs":
      return [(source) => readIndented(source, marks)];
    case "gitbook":
      return [(source) => readTemplates(source, marks)];
    default:
      return [];
  }
}

type Parse = (source: string, format: MarkdownFormat) => ParseOutcome;

/** Parses a page as its tool does, with positions in the page's own source. */
export function parseInDialect(
  parse: Parse,
  source: string,
  { format, dialect }: { format: MarkdownFormat; dialect: DialectName },
): ParseOutcome {
  if (dialect === "native") return parse(source, format);
  const page = readSyntax(source, format, dialect);
  let outcome = parse(page.source, page.format);
  // The tool falls back to Markdown for invalid MDX in a `.md` file.
  if (!outcome.ok && page.format !== format) outcome = parse(page.source, format);
  if (!outcome.ok) return { ...outcome, line: outcome.line === null ? null : page.lineOf(outcome.line) };
  page.finish(outcome.root);
  movePlaces(outcome.root, page, source);
  return outcome;
}

function movePlaces(root: Root, page: Rewritten, source: string): void {
  const { line, starts } = createLines(source);
  const move = (point: { line: number; column: number; offset?: number | undefined }, offset: number) => {
    point.offset = offset;
    point.line = line(offset);
    point.column = offset - (starts[point.line - 1] ?? 0) + 1;
  };
  for (const node of nodesOf(root)) {
    if (node.position) {
      const { start, end } = node.position;
      const [from, to] = [page.start(start.offset ?? 0), page.end(end.offset ?? 0)];
      move(start, from);
      move(end, Math.max(from, to));
    }
  }
}
