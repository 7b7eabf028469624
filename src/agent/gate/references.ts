import { posix } from "node:path";
import { resolveHref } from "#docs/hrefs.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { Fences } from "#docs/fences.ts";
import { markdownFormat } from "#docs/parser.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { isDataFile } from "#tools/write-policy.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";

const READS_AT_ONCE = 16;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
// An OpenAPI description includes another, which includes a third.
const MAX_DEPTH = 4;

interface Search {
  snapshot: Snapshot;
  docs: Docs;
  /** Paths in the repository. */
  requested: readonly string[];
}

/**
 * The requested files that the configuration or a page references: by an import, a link, the front matter, a component,
 * or a `$ref` of another referenced file. Pages are read only for files that the configuration does not reference.
 */
export async function referredFiles({ snapshot, docs, requested }: Search): Promise<Set<string>> {
  const found = new Set<string>();
  const open = new Set(requested);
  if (open.size === 0) return found;
  const look = async (path: string) => {
    const text = await readText(snapshot, path);
    for (const target of text === null ? [] : referencesIn(text, { path, docs, requested: open })) {
      open.delete(target);
      found.add(target);
    }
  };
  if (docs.configFile !== null) await look(docs.configFile);
  await throughData(snapshot, { docs, open, look });
  if (open.size === 0) return found;
  const pages = (await snapshot.files()).filter(
    ({ path, kind, sizeBytes }) =>
      kind === "file" &&
      sizeBytes <= MAX_FILE_BYTES &&
      markdownFormat(path) !== null &&
      stripContentRoot(path, docs.contentRoot) !== null,
  );
  await mapConcurrently(pages, READS_AT_ONCE, ({ path }) => (open.size === 0 ? Promise.resolve() : look(path)));
  return found;
}

/** Files referenced by data files of the configuration (a description in several files, a navigation in parts). */
async function throughData(
  snapshot: Snapshot,
  { docs, open, look }: { docs: Docs; open: ReadonlySet<string>; look(path: string): Promise<void> },
): Promise<void> {
  const data = new Set(
    (await snapshot.files()).map(({ path }) => path).filter((path) => /\.(?:json|ya?ml)$/i.test(path)),
  );
  let wave = docs.configFile === null ? [] : [docs.configFile];
  for (let depth = 0; depth < MAX_DEPTH && open.size > 0 && wave.length > 0; depth += 1) {
    const next: string[] = [];
    for (const path of wave) {
      const text = await readText(snapshot, path);
      const named = text === null ? [] : referencesIn(text, { path, docs, requested: data });
      for (const target of named) {
        data.delete(target);
        next.push(target);
      }
    }
    for (const path of next) await look(path);
    wave = next;
  }
}

async function readText(snapshot: Snapshot, path: string): Promise<string | null> {
  const bytes = await snapshot.read(path);
  return bytes === null || bytes.length > MAX_FILE_BYTES
    ? null
    : new TextDecoder().decode(bytes).replaceAll("\\/", "/");
}

const TOKEN = /[^\s"'`<>(){}[\]|,;#?=*]+/g;

/** The requested files that a text references, by path relative to its folder or to the site's root. */
function referencesIn(
  text: string,
  { path, docs, requested }: { path: string; docs: Docs; requested: ReadonlySet<string> },
): Set<string> {
  const found = new Set<string>();
  const stems = new Set([...requested].map(stemOf));
  const from = stripContentRoot(path, docs.contentRoot) ?? posix.basename(path);
  const isPage = markdownFormat(path) !== null;
  const read = isPage ? withoutFences(text) : text;
  const frontMatterEnd = /^---\r?\n/.test(read) ? read.indexOf("\n---", 3) : 0;
  for (const { 0: token, index } of read.matchAll(TOKEN)) {
    if (token.length > 400 || !stems.has(stemOf(token))) continue;
    const isMention =
      isPage && index > frontMatterEnd && !BEFORE_REFERENCE.test(read.slice(Math.max(0, index - 4), index));
    for (const candidate of candidatesFor(token, from)) {
      const target = joinContentRoot(candidate, docs.contentRoot);
      if (requested.has(target) && !(isMention && isDataFile(target))) found.add(target);
    }
  }
  return found;
}

// A mention of `config/limits.yaml` is not a reference; a link, an import or an attribute is.
const BEFORE_REFERENCE = /(?:[("'<=]|\]:\s{0,2})$/;

/** A page without its code blocks, whose samples name files of other programs. */
function withoutFences(text: string): string {
  const fences = new Fences();
  return text
    .split("\n")
    .map((line) => (fences.covers(line) ? "" : line))
    .join("\n");
}

const stemOf = (path: string) => (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");

function candidatesFor(token: string, from: string): string[] {
  const written = [
    token,
    `/${token}`,
    `/snippets/${token}`,
    `/snippets/${token}.mdx`,
    `/_snippets/${token}`,
    `/_snippets/${token}.mdx`,
  ];
  return written.flatMap((reference) => {
    const target = resolveHref(reference, from, "source");
    return target.kind === "internal" ? [target.path.slice(1)] : [];
  });
}
