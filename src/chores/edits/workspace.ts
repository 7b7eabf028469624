import type { Root } from "mdast";
import type { ApiReading } from "#docs/api/api-documents.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { checkLinks, type LinkReport } from "#docs/links/links.ts";
import type { LinkCache } from "#docs/links/parsed-file.ts";
import { loadDocs, type Docs, type PageHeads, withApiPages } from "#docs/tree/page-tree.ts";
import type { DialectName } from "#docs/dialect.ts";
import { markdownFormat, type MarkdownParser, parserOf, type ParseOutcome } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { AppError } from "#lib/app-error.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { HistoryEntry } from "#tools/history.ts";
import type { ToolEnvironment } from "#tools/tool.ts";
import { sourceNamed } from "#tools/sources/source-tool.ts";
import { newSyntaxProblem } from "#tools/syntax.ts";
import { readTextFile, type TextFile } from "#tools/text-file.ts";
import { forAgentsProblem, isForAgents } from "#tools/agent-folders.ts";
import { mayInstructAgents } from "#tools/obeyed-names.ts";
import { createSeals, SHOWN_CREDENTIAL } from "#tools/sealed-text.ts";
import { createWritePolicy, MAX_FILE_BYTES, type WritePolicy } from "#tools/write-policy.ts";

const READS_AT_ONCE = 32;
const UNREADABLE = "is larger than 2 MB or not UTF-8 text";

/** A Markdown file's text, including byte order mark and line ends. */
export interface PageText {
  path: string;
  text: string;
}

/** A page that a chore left unchanged because of the page itself. */
export interface SkippedPage {
  path: string;
  /** Line of the problem, from 1; null if it is unknown. */
  line: number | null;
  /** The reason, worded to follow the path: `does not parse (…)`. */
  reason: string;
}

/** Data about file versions, cached across chores; both caches are bounded. */
export interface DocsCaches {
  heads: PageHeads;
  links: LinkCache;
}

// A page is parsed to check it when it is written, and again for its anchors: once is enough.
const RECENT_PARSES = 16;

function createRecentParser(parser: MarkdownParser): MarkdownParser {
  const recent = createLruCache<string, Promise<ParseOutcome>>({ maxWeight: RECENT_PARSES });
  return {
    parse(source, format, dialect) {
      const key = `${format} ${dialect ?? ""} ${source}`;
      const outcome = recent.get(key) ?? parser.parse(source, format, dialect);
      recent.set(key, outcome);
      return outcome;
    },
  };
}

export type Workspace = ReturnType<typeof createWorkspace>;

/**
 * What a chore works on: the tree, and data derived from it, which is cached until a write invalidates it. Writes go through
 * the write policy, and a file that parsed must still parse; otherwise they throw `AppError invalid`, and the caller that
 * created the workspace discards the tree.
 */
export function createWorkspace(environment: ToolEnvironment, caches: DocsCaches) {
  const { signal, contentRoot } = environment;
  const parser = createRecentParser(environment.parser);
  const seals = createSeals(environment.redact);
  const before = environment.tree;
  const tree = before.fork();
  const changed = new Set<string>();
  const skipped = new Map<string, SkippedPage>();
  const origins = new Map<string, string>();
  let docs: Promise<Docs> | null = null;
  let links: Promise<LinkReport> | null = null;
  let policy: Promise<WritePolicy> | null = null;
  let linked: Promise<Docs> | null = null;
  const docsOf = (snapshot: Snapshot) => loadDocs(snapshot, { heads: caches.heads, contentRoot });
  const loaded = (): Promise<Docs> => (docs ??= docsOf(tree));
  const allPages = (): Promise<Docs> =>
    (linked ??= loaded().then((written) => withApiPages(written, tree, environment.addApiPages)));
  const rules = async () => (policy ??= createWritePolicy(tree, (await loaded()).contentRoot));
  const markdownFiles = async () => {
    const { contentRoot } = await loaded();
    return (await tree.files()).filter(
      ({ kind, path }) =>
        kind === "file" &&
        markdownFormat(path) !== null &&
        stripContentRoot(path, contentRoot) !== null &&
        !isIgnoredPath(path),
    );
  };
  const allow = (refusal: string | null) => {
    if (refusal !== null) throw new AppError("invalid", refusal);
  };
  /** Only the first reason for each page is kept. */
  const skip = (page: SkippedPage) => {
    if (!skipped.has(page.path)) skipped.set(page.path, page);
  };
  const markStale = (path: string, isNewSet: boolean) => {
    changed.add(path);
    docs = null;
    linked = null;
    links = null;
    if (isNewSet) policy = null;
  };
  const readText = async (path: string) => {
    const bytes = await tree.read(path);
    if (bytes === null) return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  };
  const withSeals = (file: TextFile): TextFile => (file.ok ? { ...file, text: seals.seal(file.text) } : file);

  const workspace = {
    tree,
    parser,
    signal,
    /** Folder of the docs from the project's settings; null to use the repository's configuration. */
    contentRoot,
    /** History of the docs, or of a source. */
    history: (options: { since: string | null; limit: number }, source?: string): Promise<HistoryEntry[]> =>
      source === undefined ? environment.history(options) : sourceNamed(environment, source).history(options),
    /** A text file of a source, with placeholders for credentials. `AppError not_found` for an unknown source. */
    async sourceFile(name: string, path: string): Promise<TextFile> {
      const source = sourceNamed(environment, name);
      return withSeals(await readTextFile(source.files(await source.resolve(null)), path));
    },
    docs: loaded,
    /** The docs in another state of the tree. */
    docsOf,
    /** The same with the pages generated from API descriptions, as targets of links. */
    linked: allPages,
    /** Reads an API description from the docs or from a source, with placeholders for credentials. */
    readApi: (path: string, source?: string): Promise<ApiReading> =>
      environment.readApi(path, async (each) => {
        const file = await (source === undefined ? workspace.textFile(each) : workspace.sourceFile(source, each));
        return file.ok ? file.text : null;
      }),
    /** Every internal link of the current docs. Parses only new file versions. */
    links: async (): Promise<LinkReport> =>
      (links ??= parsedLinks({ snapshot: tree, docs: await allPages(), parser, cache: caches.links })),
    /** The texts of the Markdown files of up to 2 MB for which `isWanted` holds; files that are not UTF-8 are left out. */
    async pageTexts(isWanted: (text: string, path: string) => boolean): Promise<PageText[]> {
      const files = (await markdownFiles()).filter(({ sizeBytes }) => sizeBytes <= MAX_FILE_BYTES);
      const texts = await mapConcurrently(files, READS_AT_ONCE, async ({ path }) => {
        signal.throwIfAborted();
        const text = await readText(path);
        if (text === null || !isWanted(text, path)) return null;
        const sealed = seals.seal(text);
        return sealed === text || isWanted(sealed, path) ? { path, text: sealed } : null;
      });
      return texts.filter((page) => page !== null);
    },
    /** The same within the scope of the chore. Files there that are larger, or are not UTF-8, are reported as skipped. */
    async scopedTexts(isInScope: (path: string) => boolean, isWanted = (_text: string) => true): Promise<PageText[]> {
      const readable = new Set<string>();
      const texts = await workspace.pageTexts((text, path) => {
        readable.add(path);
        return isInScope(path) && isWanted(text);
      });
      for (const { path } of await markdownFiles())
        if (isInScope(path) && !readable.has(path)) skip({ path, line: null, reason: UNREADABLE });
      return texts;
    },
    /** UTF-8 text of a file, with placeholders for credentials until it is written; null when it does not exist. */
    async text(path: string): Promise<string | null> {
      const text = await readText(path);
      return text === null ? null : seals.seal(text);
    },
    /** The same with its credentials. For text of callers, which no model sees. */
    unsealedText: readText,
    /** The same as `text`, or a sentence that says why the text cannot be read. */
    textFile: async (path: string): Promise<TextFile> => withSeals(await readTextFile(tree, path)),
    /** The page's syntax tree; null when it cannot be parsed, so that the page is skipped. */
    async parse({ path, text }: PageText): Promise<Root | null> {
      signal.throwIfAborted();
      const format = markdownFormat(path);
      const outcome = format === null ? null : await parser.parse(text, format);
      if (outcome?.ok === false) skip({ path, line: outcome.line, reason: `does not parse (${outcome.message})` });
      return outcome?.ok ? outcome.root : null;
    },
    /** A page with its text and its syntax tree; null when it has none. */
    async page(path: string): Promise<{ text: string; root: Root } | null> {
      const text = await workspace.text(path);
      const root = text === null ? null : await workspace.parse({ path, text });
      return text === null || root === null ? null : { text, root };
    },
    skip,
    /** The pages that the chore skipped, in path order, for its report. */
    skipped: (): SkippedPage[] => [...skipped.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    /** Why one of many pages may not be written; for a page that the request names, the gate checks again. */
    async refuseWrite(path: string, text: string): Promise<string | null> {
      const refusal = (await rules()).refuseWrite(path, text);
      if (refusal !== null || !mayInstructAgents(path)) return refusal;
      return isForAgents(await loaded(), path) ? forAgentsProblem(path) : null;
    },
    /** `dialect`: the tool that the text is written for, if it is not that of the repository. */
    async write(path: string, sealed: string, dialect?: DialectName): Promise<void> {
      const text = seals.open(sealed);
      if (text === null) throw new AppError("invalid", `${path}: ${SHOWN_CREDENTIAL}`);
      const current = await tree.readText(path);
      allow((await rules()).refuseWrite(path, text, current));
      if (current === text) return;
      const original = await before.readText(origins.get(path) ?? path);
      const own = dialect === undefined ? parser : parserOf(environment.parser, { dialect });
      const problem = await newSyntaxProblem(own, { path, before: original, after: text });
      allow(problem && `${path} would not parse: ${problem}.`);
      const isNew = !(await tree.exists(path));
      tree.write(path, text);
      markStale(path, isNew);
    },
    /** Writes one of many pages. If that is refused, the page is skipped and the result is false. */
    async writeOrSkip(path: string, text: string): Promise<boolean> {
      try {
        allow(await workspace.refuseWrite(path, text));
        await workspace.write(path, text);
        return true;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "invalid") throw error;
        skip({ path, line: null, reason: `cannot be written: ${error.message.replace(/\.$/, "")}` });
        return false;
      }
    },
    async move(from: string, to: string): Promise<void> {
      allow((await rules()).refuseMove(from, to));
      if (await tree.exists(to)) throw new AppError("conflict", `${JSON.stringify(to)} exists already.`);
      const bytes = await tree.read(from);
      if (bytes === null) throw new AppError("not_found", `There is no file ${JSON.stringify(from)}.`);
      tree.remove(from);
      tree.write(to, bytes);
      origins.set(to, origins.get(from) ?? from);
      markStale(from, true);
      markStale(to, true);
    },
    /** Moves many files, judged by the tree as it was. Returns why files that stay could not be moved. */
    async moveAll(moves: Iterable<readonly [from: string, to: string]>): Promise<Map<string, string>> {
      const { refuseMove } = await rules();
      const refused = new Map<string, string>();
      for (const [from, to] of moves) {
        const bytes = await tree.read(from);
        const refusal = refuseMove(from, to) ?? ((await tree.exists(to)) ? `${to} exists already` : null);
        if (refusal !== null || bytes === null) {
          refused.set(from, refusal ?? "it cannot be read");
          continue;
        }
        tree.remove(from);
        tree.write(to, bytes);
        origins.set(to, origins.get(from) ?? from);
        markStale(from, true);
        markStale(to, true);
      }
      return refused;
    },
    async remove(path: string): Promise<void> {
      allow((await rules()).refuseRemove(path));
      tree.remove(path);
      markStale(path, true);
    },
    /** Paths written, moved or removed so far, in order. */
    changed: (): string[] => [...changed],
    /** Masks the credentials of `text` in a text or JSON. */
    masked: (text: string): string => seals.mask(text),
  };
  return workspace;
}

/** Without links of files that do not parse: a chore's changes there cannot be checked. Those files are listed as unparsed. */
async function parsedLinks(options: Parameters<typeof checkLinks>[0]): Promise<LinkReport> {
  const report = await checkLinks(options);
  const unparsed = new Set(report.unparsed.map(({ path }) => path));
  const isParsed = ({ path }: { path: string }) => !unparsed.has(path);
  const broken = report.broken.filter(isParsed);
  const links = report.links.filter(isParsed);
  return { ...report, links, broken, counts: { ...report.counts, links: links.length, broken: broken.length } };
}
