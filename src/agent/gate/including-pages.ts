import { posix } from "node:path";
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
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Of files that include each other, as in rendering. */
const MAX_DEPTH = 12;

/**
 * The unchanged pages that include a changed file, also through other files. A changed file that is a page itself is left
 * out, because readers see its text at its own address, and so are JSON and YAML.
 */
export async function includingPages(
  { base, head, after, texts }: JudgedChange,
  site: IncludingSite,
): Promise<ChangedText[]> {
  const included = texts
    .filter((text) => text.after !== "" && !after.pagesByPath.has(text.path) && !/\.(?:json|ya?ml)$/i.test(text.path))
    .map(({ path }) => path);
  if (included.length === 0) return [];
  const changed = new Set(texts.map(({ path }) => path));
  const mentioning = await filesThatMention(included, { head, after });
  const pages = [...mentioning].filter((path) => after.pagesByPath.has(path) && !changed.has(path));
  const found = await mapConcurrently(pages, READS_AT_ONCE, async (path) => {
    const text = await textOf(head, path);
    const read = new Set<string>();
    const files = { has: (file: string) => site.files.has(file) && read.add(file).size > 0 };
    await inlined({ ...site, files }, path, text);
    return included.some((file) => read.has(file)) ? [{ path, before: await textOf(base, path), after: text }] : [];
  });
  return found.flat();
}

/** Markdown files that contain the name of one of the files, or of a file that does and is no page itself. */
async function filesThatMention(
  paths: readonly string[],
  { head, after }: Pick<JudgedChange, "head" | "after">,
): Promise<Set<string>> {
  const unread = new Set(
    (await head.files())
      .filter(({ path, kind, sizeBytes }) => kind === "file" && isMarkdown(path) && sizeBytes <= MAX_FILE_BYTES)
      .map(({ path }) => path),
  );
  const found = new Set<string>();
  let names = paths.map(nameOf);
  for (let depth = 0; depth < MAX_DEPTH && names.length > 0; depth += 1) {
    const wave: string[] = [];
    await mapConcurrently([...unread], READS_AT_ONCE, async (path) => {
      const text = await textOf(head, path);
      if (names.some((name) => text.includes(name))) wave.push(path);
    });
    for (const path of wave) {
      unread.delete(path);
      found.add(path);
    }
    names = wave.filter((path) => !after.pagesByPath.has(path)).map(nameOf);
  }
  return found;
}

const isMarkdown = (path: string) => markdownFormat(path) !== null;
const nameOf = (path: string) => posix.basename(path).replace(/\.[^.]*$/, "");

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
