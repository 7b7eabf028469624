import { gfm } from "micromark-extension-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { mdxjs } from "micromark-extension-mdxjs";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mdxFromMarkdown } from "mdast-util-mdx";
import { errorText } from "#lib/app-error.ts";
import { countByteOrderMark } from "./text-encoding.ts";
import { parseProblem, type MarkdownFormat, type MarkdownParser, type ParseOutcome } from "./parser.ts";

/**
 * The micromark parser, in this process: for tests, as the oracle of the fast parser, and inside the render process when the
 * fast parser's native binary is missing. Input that `parseProblem` accepts can still keep it busy for seconds, so the
 * server uses `createContentProcess`.
 */
export function createInProcessParser(): MarkdownParser {
  return { parse: (source, format) => Promise.resolve(parseWithMicromark(source, format)) };
}

/** `createInProcessParser` as a synchronous function. */
export function parseWithMicromark(source: string, format: MarkdownFormat): ParseOutcome {
  const problem = parseProblem(source);
  if (problem !== null) return { ok: false, message: problem, line: null };
  try {
    const root = fromMarkdown(source, {
      extensions: [frontmatter(["yaml"]), gfm(), ...(format === "mdx" ? [mdxjs()] : [])],
      mdastExtensions: [
        frontmatterFromMarkdown(["yaml"]),
        gfmFromMarkdown(),
        ...(format === "mdx" ? [mdxFromMarkdown()] : []),
      ],
    });
    countByteOrderMark(root, source);
    return { ok: true, root };
  } catch (error) {
    return { ok: false, message: errorText(error), line: lineOf(error) };
  }
}

function lineOf(error: unknown): number | null {
  return typeof error === "object" && error !== null && "line" in error && typeof error.line === "number"
    ? error.line
    : null;
}
