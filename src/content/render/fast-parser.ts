import type { Root } from "mdast";
import { parseWithMicromark } from "#content/in-process-parser.ts";
import { parseProblem } from "#content/parse-limits.ts";
import type { MarkdownFormat, ParseOutcome } from "#content/parser.ts";
import { errorText } from "#lib/app-error.ts";

export interface PageParser {
  /** `column` counts from 1, null when unknown. */
  parse(source: string, format: MarkdownFormat): ParseOutcome & { column?: number | null };
}

type Native = (source: string, options: object) => unknown;

/**
 * satteri (50 times faster than micromark, same trees), or micromark where its native binary does not load. Runs in
 * the render process only: satteri 0.10.5 can crash the process it is in.
 */
export async function loadParser(): Promise<PageParser> {
  let native: { mdxToMdast: Native; markdownToMdast: Native };
  try {
    native = await import("satteri");
  } catch {
    return { parse: parseWithMicromark };
  }
  return {
    parse(source, format) {
      const problem = parseProblem(source);
      if (problem !== null) return { ok: false, message: problem, line: null };
      const parse = format === "mdx" ? native.mdxToMdast : native.markdownToMdast;
      try {
        // Single dollars are prices more often than mathematics.
        const math = source.includes("$$") ? { singleDollarTextMath: false } : false;
        return { ok: true, root: parse(source, { features: { gfm: true, frontmatter: true, math } }) as Root };
      } catch (error) {
        const [, line, column, message] = /^(\d+):(\d+): ([^]*)$/.exec(errorText(error)) ?? [];
        return {
          ok: false,
          message: (message ?? errorText(error)).replace(/ \((?:mdx|mdast|micromark)[\w-]*:[\w-]+\)$/, ""),
          line: line === undefined ? null : Number(line),
          column: column === undefined ? null : Number(column),
        };
      }
    },
  };
}
