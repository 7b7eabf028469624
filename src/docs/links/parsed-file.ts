import { unreadableText } from "#lib/file-unreadable.ts";
import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { markdownFormat, type MarkdownParser, parserOf } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { readIfPossible, type Snapshot } from "#docs/snapshot.ts";
import { decodeText } from "#docs/text-encoding.ts";
import { fillVariables, variablesKey } from "#docs/variables.ts";
import { readWrittenFile, type WrittenFile, type WrittenLink } from "./link-extraction.ts";

/** The parts of a file that the link checker reads. */
export type LinkedFile =
  | ({ ok: true } & WrittenFile)
  /** `links` are those of the file as plain Markdown. `isLost`: its content cannot be read for now. */
  | { ok: false; message: string; line: number | null; links: readonly WrittenLink[]; isLost?: true };

/** Parsed files by path and version, kept from one check to the next. */
export type LinkCache = LruCache<string, LinkedFile>;

/** The cache key of a file. */
export function linkKey(docs: Pick<Docs, "contentRoot" | "config">, file: { path: string; version: string }): string {
  const { dialect, rules } = docs.config;
  const ids = rules.headingIds === null ? "" : JSON.stringify(rules.headingIds);
  return `${dialect}${ids} ${file.version} ${docs.contentRoot} ${file.path}${variablesKey(docs.config.variables)}`;
}

/** Room for about 10,000 pages with 40 links and anchors each. */
export function createLinkCache(maxEntries = 400_000): LinkCache {
  const weigh = (file: LinkedFile) => file.links.length + (file.ok ? file.anchors.length : 0) + 5;
  return createLruCache({ maxWeight: maxEntries, weigh });
}

type Reading = { snapshot: Snapshot; parser: MarkdownParser; path: string; docs: Docs };

/** Parses a Markdown file of the site for its links and anchors. */
export async function parseLinkedFile({ snapshot, path, docs, ...reading }: Reading): Promise<LinkedFile> {
  const bytes = await readIfPossible(snapshot, path);
  if (bytes === null) return { ok: false, message: unreadableText(path), line: null, links: [], isLost: true };
  const { text: source } = decodeText(bytes);
  const format = markdownFormat(path) ?? "md";
  const parser = parserOf(reading.parser, docs.config);
  const outcome = await parser.parse(source, format);
  const place = { path: stripContentRoot(path, docs.contentRoot) ?? path, dialect: docs.config.dialect };
  if (!outcome.ok) {
    // Readers still see its links: a page that does not parse is shown as text.
    const plain = format === "md" ? outcome : await parser.parse(source, "md");
    return { ...outcome, links: plain.ok ? readWrittenFile(source, plain.root, place).links : [] };
  }
  const written = readWrittenFile(source, outcome.root, place);
  const { variables } = docs.config;
  const filled = fillVariables(source, variables);
  if (filled === source) return { ok: true, ...written };
  // Links keep their position in the source, and are resolved with variables filled in; so are the anchors of headings.
  const links = written.links.map((link) => ({ ...link, url: fillVariables(link.url, variables) }));
  // Ids come from headings and titles in tags: elsewhere a variable cannot change an id.
  const hasOtherAnchors = source.split("\n").some(mayNameAnchor);
  const shown = hasOtherAnchors ? await parser.parse(filled, format) : outcome;
  const anchors = shown.ok && hasOtherAnchors ? readWrittenFile(filled, shown.root, place).anchors : written.anchors;
  return { ok: true, ...written, links, anchors };
}

/** Whether a line has a variable in a heading, or after a tag. */
function mayNameAnchor(line: string): boolean {
  const at = line.lastIndexOf("{{");
  return at !== -1 && (line.startsWith("#") || line.lastIndexOf("<", at) !== -1);
}
