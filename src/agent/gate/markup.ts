import { posix } from "node:path";
import { resolveHref } from "#docs/hrefs.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import { markdownFormat } from "#docs/parser.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { buildCodeIn } from "./markup/build-code.ts";
import { error, type Judge, type ParsedText, Multiset } from "./judge.ts";
import { createLineIndex } from "#lib/line-index.ts";
import { inspectMarkup } from "./markup/unsafe-markup.ts";
import { inspectLines, type UnsafeMarkup } from "./markup/unsafe-text.ts";

/**
 * Refuses new markup that could run in a reader's browser or a site's build, cover the page, collect readers' input, or
 * include a file outside the docs. Markup that only moved from one file to another is not new.
 */
export const judgeMarkup: Judge = async (_deps, { parsed, base, head, before, after }) => {
  const importsBefore = await importTest(base, before);
  const importsAfter = await importTest(head, after);
  // The base decides, because a change could make a site that of another tool.
  const hasAttributeLists = before.config.dialect === "mkdocs";
  const buildOf = (mayImport: (specifier: string) => boolean) => ({ mayImport, hasAttributeLists });
  const known = new Set(
    parsed.flatMap(({ path, before: text }) => inspect(text, importsBefore(path)).map(({ key }) => key)),
  );
  const code = new Multiset(
    parsed.flatMap(({ path, before: text }) =>
      inspectCode(path, text, buildOf(importsBefore(path))).map(({ key }) => key),
    ),
  );
  return parsed.flatMap(({ path, after: text }) =>
    [
      ...inspect(text, importsAfter(path)).filter(({ key }) => !known.has(key)),
      ...inspectCode(path, text, buildOf(importsAfter(path))).filter(({ key }) => !code.remove(key)),
    ]
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, reason, text: markup }) => {
        const excerpt = markup.replace(/\s+/g, " ").trim().slice(0, 160);
        return error({ check: "markup", path, line, message: `${reason}: ${excerpt}` });
      }),
  );
};

function inspect({ source, root, failure }: ParsedText, mayImport: (specifier: string) => boolean): UnsafeMarkup[] {
  if (root) return inspectMarkup(root, source, mayImport);
  return failure ? inspectLines(source) : [];
}

/** For Markdown: text that some builds run as code. One more copy of the same text is new. */
function inspectCode(
  path: string,
  { source, root }: ParsedText,
  build: Parameters<typeof buildCodeIn>[2],
): UnsafeMarkup[] {
  if (root === null || markdownFormat(path) !== "md") return [];
  const lineOf = createLineIndex(source);
  return buildCodeIn(root, source, build).map(({ offset, reason, text }) => ({
    line: lineOf(offset),
    reason,
    text,
    key: `${reason}\n${text}`,
  }));
}

const IMPORTABLE = /\.(?:mdx?|markdown|jsx?|tsx?|mjs|json|ya?ml|csv|txt|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm)$/i;
// A path that every build resolves to the same file: no query (`?raw`), loader (`!`), alias (`@`) or encoding.
const PLAIN_SPECIFIER = /^(?:\/|\.{1,2}\/|snippets\/)[\p{L}\p{M}\p{N} _.,+()[\]/-]+$/u;

/** Returns a test of whether a page's import specifier names an existing file of the docs that may be imported. */
async function importTest(snapshot: Snapshot, docs: Docs): Promise<(path: string) => (specifier: string) => boolean> {
  const files = new Set((await snapshot.files()).filter(({ kind }) => kind === "file").map(({ path }) => path));
  return (path) => {
    const from = stripContentRoot(path, docs.contentRoot) ?? posix.basename(path);
    return (specifier) => {
      if (!PLAIN_SPECIFIER.test(specifier) || !IMPORTABLE.test(specifier)) return false;
      const target = resolveHref(specifier.startsWith("snippets/") ? `/${specifier}` : specifier, from, "source");
      if (target.kind !== "internal") return false;
      const file = joinContentRoot(target.path.slice(1), docs.contentRoot);
      return files.has(file) && !isIgnoredPath(file);
    };
  };
}
