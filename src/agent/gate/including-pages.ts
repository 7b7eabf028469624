import { holdsCredentials } from "#docs/credential-files.ts";
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
 * The unchanged pages whose Markdown differs, because files that they include were changed. All pages are read if a file that
 * is no page changed. Changed pages are not looked for, because readers see their text at their own address.
 *
 * @param texts The changed files; a renamed one has its former path.
 */
export async function includingPages(
  { base, head, before, after }: JudgedChange,
  texts: readonly ChangedText[],
  sites: IncludingSites,
): Promise<ChangedText[]> {
  const mayBeIncluded = ({ path, after: text }: ChangedText) =>
    text !== "" && !text.includes("\0") && !after.pagesByPath.has(path) && !/\.(?:json|ya?ml)$/i.test(path);
  const hasSameRules = JSON.stringify(before.config.rules) === JSON.stringify(after.config.rules);
  if (hasSameRules && !texts.some(mayBeIncluded)) return [];
  const edited = new Set(texts.filter((text) => text.before !== text.after).map(({ path }) => path));
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

/** The source of a page with the files that it includes. */
export const inlined = (site: IncludingSite, path: string, source: string): Promise<Rewritten> =>
  inlinedSource(site, { path, format: markdownFormat(path) ?? "md" }, source);
