import type { Root } from "mdast";
import { countByteOrderMark } from "#docs/text-encoding.ts";
import { parseProblem, type MarkdownFormat, type ParseOutcome } from "#docs/parser.ts";
import { errorText } from "#lib/app-error.ts";

export interface PageParser {
  /** `column` counts from 1, null when unknown. */
  parse(source: string, format: MarkdownFormat): ParseOutcome & { column?: number | null };
  /** Whether it shows formulas as text. */
  lacksFormulas?: boolean;
}

type Parse = (source: string, options: object) => unknown;

/** The part of satteri that we use. */
interface NativeParser {
  mdxToMdast: Parse;
  markdownToMdast: Parse;
}

/**
 * satteri (50 times faster than micromark, same trees and formulas), or micromark if its native binary does not load. Runs only in the
 * render process, because satteri 0.10.5 can crash its process.
 */
export async function loadParser(
  importNative: () => Promise<NativeParser> = () => import("satteri"),
): Promise<PageParser> {
  let native: NativeParser;
  try {
    native = await importNative();
  } catch {
    // Loaded when the process starts, like the other parser, so that the process is ready only afterwards.
    const { parseWithMicromark } = await import("#docs/in-process-parser.ts");
    return { parse: parseWithMicromark, lacksFormulas: true };
  }
  return {
    parse(source, format) {
      const problem = parseProblem(source);
      if (problem !== null) return { ok: false, message: problem, line: null };
      const parse = format === "mdx" ? native.mdxToMdast : native.markdownToMdast;
      try {
        // Single dollars are prices more often than formulas.
        const math = source.includes("$$") ? { singleDollarTextMath: false } : false;
        const root = parse(source, { features: { gfm: true, frontmatter: true, math } }) as Root;
        trimEsm(root, source);
        countByteOrderMark(root, source);
        return { ok: true, root };
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

// satteri 0.10.5 includes the line end in `import` and `export` nodes; micromark does not.
function trimEsm(root: Root, source: string): void {
  for (const node of root.children) {
    const end = node.type === "mdxjsEsm" ? node.position?.end : undefined;
    if (end?.offset === undefined || source[end.offset - 1] !== "\n") continue;
    end.offset -= source[end.offset - 2] === "\r" ? 2 : 1;
    end.line -= 1;
    end.column = end.offset - source.lastIndexOf("\n", end.offset - 1);
  }
}
