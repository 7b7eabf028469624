import type { Root } from "mdast";
import type { ApiReading } from "#docs/api/api-documents.ts";
import { isIgnoredPath } from "#docs/config/config-file.ts";
import { checkLinks, type LinkReport } from "#docs/links/links.ts";
import type { LinkCache } from "#docs/links/parsed-file.ts";
import { loadDocs, type Docs, type PageHeads, withApiPages } from "#docs/tree/page-tree.ts";
import { markdownFormat, type MarkdownParser, type ParseOutcome } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { SnapshotFile } from "#docs/snapshot.ts";
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
import { createSparedPages, type SparedPages } from "./spared-pages.ts";
import type { VirtualTree } from "#tools/virtual-tree.ts";
import { createWritePolicy, MAX_FILE_BYTES, type WritePolicy } from "#tools/write-policy.ts";

const READS_AT_ONCE = 32;
const UNREADABLE = "is larger than 2 MB or not UTF-8 text";

/** A Markdown file's text, byte order mark and line ends included. */
export interface PageText {
  path: string;
  text: string;
}

/**
 * What a chore works on: the tree, with what is derived from it kept until a write makes it stale. Writes go through
 * the write policy and must leave a file that parsed parsing; they throw `AppError invalid` otherwise, and whoever made
 * the workspace drops the tree then.
 */
export interface Workspace {
  tree: VirtualTree;
  parser: MarkdownParser;
  signal: AbortSignal;
  /** Of the docs, or of a source. */
  history(options: { since: string | null; limit: number }, source?: string): Promise<HistoryEntry[]>;
  /** A text file of a source, credentials sealed. `AppError not_found` for a source that is not there. */
  sourceFile(source: string, path: string): Promise<TextFile>;
  docs(): Promise<Docs>;
  /** The same with the pages that are made of descriptions of APIs: what a link may lead to. */
  linked(): Promise<Docs>;
  /** Reads the description of an API from these files, credentials sealed; of a source where one is named. */
  readApi(path: string, source?: string): Promise<ApiReading>;
  /** Every internal link of the docs as they are now. Parses what it has not seen before. */
  links(): Promise<LinkReport>;
  /** The Markdown files of the documentation of up to 2 MB, parts that are no pages included, in path order. */
  markdownFiles(): Promise<SnapshotFile[]>;
  /** The texts of those Markdown files for which `isWanted` holds; files that are not UTF-8 are left out. */
  pageTexts(isWanted: (text: string, path: string) => boolean): Promise<PageText[]>;
  /** The same of what the chore is held to. Files there that are larger, or are not UTF-8, are spared. */
  scopedTexts(isInScope: (path: string) => boolean, isWanted?: (text: string) => boolean): Promise<PageText[]>;
  /** UTF-8 text of a file, its credentials sealed until it is written; null when there is none. */
  text(path: string): Promise<string | null>;
  /** The same, or in a sentence why there is none to read. */
  textFile(path: string): Promise<TextFile>;
  /** The page's syntax tree; null when it cannot be parsed: the page is spared then. */
  parse(page: PageText): Promise<Root | null>;
  /** The pages that the chore leaves because of what they are; its report names them. */
  spared: SparedPages;
  /** Why a page of many may not be written; of a page that somebody names the gate asks again. */
  refuseWrite(path: string, text: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Writes a page of many: where that is refused, the page is spared, and the answer is false. */
  writeOrSpare(path: string, text: string): Promise<boolean>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Paths written, moved or removed so far, in order. */
  changed(): string[];
  /** A text, JSON too, with the credentials of `text` as they may be shown. */
  masked(text: string): string;
}

/** What is known of file versions, kept from one chore to the next; both are bounded. */
export interface DocsCaches {
  heads: PageHeads;
  links: LinkCache;
}

// A page is parsed to be checked as it is written, and again for its anchors: once is enough.
const RECENT_PARSES = 16;

function createRecentParser(parser: MarkdownParser): MarkdownParser {
  const recent = createLruCache<string, Promise<ParseOutcome>>({ maxWeight: RECENT_PARSES });
  return {
    parse(source, format) {
      const key = `${format} ${source}`;
      const outcome = recent.get(key) ?? parser.parse(source, format);
      recent.set(key, outcome);
      return outcome;
    },
  };
}

export function createWorkspace(environment: ToolEnvironment, caches: DocsCaches): Workspace {
  const { signal, contentRoot } = environment;
  const parser = createRecentParser(environment.parser);
  const seals = createSeals(environment.redact);
  const before = environment.tree;
  const tree = before.fork();
  const changed = new Set<string>();
  const spared = createSparedPages();
  const origins = new Map<string, string>();
  let docs: Promise<Docs> | null = null;
  let links: Promise<LinkReport> | null = null;
  let policy: Promise<WritePolicy> | null = null;

  let linked: Promise<Docs> | null = null;
  const allPages = () => (linked ??= loaded().then((written) => withApiPages(written, tree, environment.addApiPages)));
  const loaded = () => (docs ??= loadDocs(tree, { heads: caches.heads, contentRoot }));
  const rules = async () => (policy ??= createWritePolicy(tree, (await loaded()).contentRoot));
  const allMarkdown = async () => {
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

  const workspace: Workspace = {
    tree,
    parser,
    signal,
    history: (options, source) =>
      source === undefined ? environment.history(options) : sourceNamed(environment, source).history(options),
    async sourceFile(name, path) {
      const source = sourceNamed(environment, name);
      const file = await readTextFile(source.files(await source.resolve(null)), path);
      return file.ok ? { ...file, text: seals.seal(file.text) } : file;
    },
    docs: loaded,
    readApi: (path, source) =>
      environment.readApi(path, async (each) => {
        const file = await (source === undefined ? workspace.textFile(each) : workspace.sourceFile(source, each));
        return file.ok ? file.text : null;
      }),
    linked: allPages,
    links: async () => (links ??= parsedLinks({ snapshot: tree, docs: await allPages(), parser, cache: caches.links })),
    markdownFiles: async () => (await allMarkdown()).filter(({ sizeBytes }) => sizeBytes <= MAX_FILE_BYTES),
    async pageTexts(isWanted) {
      const files = await workspace.markdownFiles();
      const texts = await mapConcurrently(files, READS_AT_ONCE, async ({ path }) => {
        signal.throwIfAborted();
        const text = await readText(path);
        if (text === null || !isWanted(text, path)) return null;
        const sealed = seals.seal(text);
        return sealed === text || isWanted(sealed, path) ? { path, text: sealed } : null;
      });
      return texts.filter((page) => page !== null);
    },
    async scopedTexts(isInScope, isWanted = () => true) {
      const readable = new Set<string>();
      const texts = await workspace.pageTexts((text, path) => {
        readable.add(path);
        return isInScope(path) && isWanted(text);
      });
      for (const { path } of await allMarkdown())
        if (isInScope(path) && !readable.has(path)) spared.add({ path, line: null, reason: UNREADABLE });
      return texts;
    },
    async text(path) {
      const text = await readText(path);
      return text === null ? null : seals.seal(text);
    },
    async textFile(path) {
      const file = await readTextFile(tree, path);
      return file.ok ? { ...file, text: seals.seal(file.text) } : file;
    },
    async parse({ path, text }) {
      signal.throwIfAborted();
      const format = markdownFormat(path);
      const outcome = format === null ? null : await parser.parse(text, format);
      if (outcome?.ok === false)
        spared.add({ path, line: outcome.line, reason: `does not parse (${outcome.message})` });
      return outcome?.ok ? outcome.root : null;
    },
    spared,
    async refuseWrite(path, text) {
      const refusal = (await rules()).refuseWrite(path, text);
      if (refusal !== null || !mayInstructAgents(path)) return refusal;
      return isForAgents(await loaded(), path) ? forAgentsProblem(path) : null;
    },
    async write(path, sealed) {
      const text = seals.open(sealed);
      if (text === null) throw new AppError("invalid", `${path}: ${SHOWN_CREDENTIAL}`);
      allow((await rules()).refuseWrite(path, text));
      if ((await tree.readText(path)) === text) return;
      const original = await before.readText(origins.get(path) ?? path);
      const problem = await newSyntaxProblem(parser, { path, before: original, after: text });
      allow(problem && `${path} would not parse: ${problem}.`);
      const isNew = !(await tree.exists(path));
      tree.write(path, text);
      markStale(path, isNew);
    },
    async writeOrSpare(path, text) {
      try {
        await workspace.write(path, text);
        return true;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "invalid") throw error;
        spared.add({ path, line: null, reason: `cannot be written: ${error.message.replace(/\.$/, "")}` });
        return false;
      }
    },
    async move(from, to) {
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
    async remove(path) {
      allow((await rules()).refuseRemove(path));
      tree.remove(path);
      markStale(path, true);
    },
    changed: () => [...changed],
    masked: (text) => seals.mask(text),
  };
  return workspace;
}

/** Without those of files that do not parse: what a chore changed there, nobody could judge. They are named as unparsed. */
async function parsedLinks(options: Parameters<typeof checkLinks>[0]): Promise<LinkReport> {
  const report = await checkLinks(options);
  const unparsed = new Set(report.unparsed.map(({ path }) => path));
  const isParsed = ({ path }: { path: string }) => !unparsed.has(path);
  const broken = report.broken.filter(isParsed);
  const links = report.links.filter(isParsed);
  return { ...report, links, broken, counts: { ...report.counts, links: links.length, broken: broken.length } };
}
