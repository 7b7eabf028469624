import { posix } from "node:path";
import { holdsCredentials } from "#docs/credential-files.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { inlinedSource, type IncludingSite } from "#docs/links/inlined-source.ts";
import { markdownFormat } from "#docs/parser.ts";
import { readIfPossible, type Snapshot } from "#docs/snapshot.ts";
import type { Rewritten } from "#docs/syntax/rewriter.ts";
import { decodeText } from "#docs/text-encoding.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { ChangedText, JudgedChange } from "./judge.ts";

const READS_AT_ONCE = 16;

export interface IncludingSites {
  before: IncludingSite;
  after: IncludingSite;
}

/**
 * The unchanged pages whose Markdown differs, because a file that they include changed, or because they now include another
 * one. All pages are read if a file that is no page changed, or one was renamed. An included page that changed is no reason,
 * because readers see its text at its own address.
 *
 * @param texts The changed files; a renamed one has its former path.
 */
export async function includingPages(
  { base, head, before, after }: JudgedChange,
  texts: readonly ChangedText[],
  sites: IncludingSites,
): Promise<ChangedText[]> {
  const isPage = ({ path, after: text }: ChangedText) => (text === "" ? before : after).pagesByPath.has(path);
  const isBinary = (text: ChangedText) => text.before.includes("\0") || text.after.includes("\0");
  const changesIncludes = (text: ChangedText) =>
    text.from !== undefined || (!isPage(text) && !isBinary(text) && !/\.(?:json|ya?ml)$/i.test(text.path));
  const hasSameRules = JSON.stringify(before.config.rules) === JSON.stringify(after.config.rules);
  if (hasSameRules && !texts.some(changesIncludes)) return [];
  const edited = new Set(texts.filter(isRewritten).map(({ path }) => path));
  const formerPaths = new Map(texts.map(({ path, from = path }) => [path, from]));
  const pages = [...after.pagesByPath.keys()].filter((path) => !edited.has(path));
  const found = await mapConcurrently(pages, READS_AT_ONCE, async (path): Promise<ChangedText[]> => {
    const text = await textOf(head, path);
    const now = (await inlined(sites.after, path, text)).source;
    if (now === text) return [];
    const from = formerPaths.get(path) ?? path;
    const formerText = await textOf(base, from);
    const was = (await inlined(sites.before, from, formerText)).source;
    return now === was ? [] : [{ path, from, before: formerText, after: text }];
  });
  return found.flat();
}

/** Whether a file has another text, or is read in another format. */
export const isRewritten = ({ path, from = path, before, after }: ChangedText): boolean =>
  before !== after || posix.extname(from) !== posix.extname(path);

async function textOf(snapshot: Snapshot, path: string): Promise<string> {
  const bytes = await readIfPossible(snapshot, path);
  return bytes === null ? "" : decodeText(bytes).text;
}

/** A site as `inlined` reads it: without the files that each page has at its end, which are judged on their own. */
export async function includingSite(snapshot: Snapshot, { contentRoot, config }: Docs): Promise<IncludingSite> {
  const files = (await snapshot.files()).filter(({ kind, path }) => kind === "file" && !holdsCredentials(path));
  const rules = { ...config.rules, snippets: { ...config.rules.snippets, appended: [] } };
  return {
    snapshot,
    docs: { contentRoot, config: { ...config, rules } },
    files: new Set(files.map(({ path }) => path)),
  };
}

/** The source of a page with the files that it includes. As in its Markdown, they are looked for in the trimmed body. */
export async function inlined(site: IncludingSite, path: string, source: string): Promise<Rewritten> {
  const { bodyStart } = readFrontMatter(source);
  const start = bodyStart + /^\s*/.exec(source.slice(bodyStart))![0].length;
  const body = await inlinedSource(site, { path, format: markdownFormat(path) ?? "md" }, source.slice(start));
  const positionOf = (offset: number) => (offset < start ? offset : start + body.start(offset - start));
  return { source: source.slice(0, start) + body.source, start: positionOf, end: positionOf };
}
