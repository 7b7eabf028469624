import { setImmediate } from "node:timers/promises";
import type { ApiSource, ConfigNode } from "#docs/config/written-navigation.ts";
import type { SiteInLoading } from "#docs/tree/page-tree.ts";
import type { Place } from "#docs/problems.ts";
import { apiAddress } from "#docs/api/api-addresses.ts";
import type { ApiDocument, ApiDocuments, ApiFiles } from "#docs/api/api-documents.ts";
import { MAX_ADDRESSES, MAX_SITE_CHARACTERS } from "#docs/api/bounds.ts";
import type { ListedOperation } from "#docs/api/operations.ts";
import { apiFilePath, type OperationReference } from "./operation-reference.ts";
import { joinContentRoot, spelledAsIn, stripContentRoot } from "#docs/routes.ts";
import { readIfPossible } from "#docs/snapshot.ts";
import { FileUnreadable } from "#lib/file-unreadable.ts";
import { decodeText } from "#docs/text-encoding.ts";

export interface Found {
  document: ApiDocument;
  operation: ListedOperation;
}

/** A description that is still being read, so that its content is unknown. */
export interface AwaitedDescription {
  awaits: string;
}

export const isAwaited = (found: object | null): found is AwaitedDescription => found !== null && "awaits" in found;

/** Limits how long a site waits for descriptions. */
export interface ApiPatience {
  /** Resolves when the wait is over. */
  end: Promise<unknown>;
  /** The descriptions that were not read by then. */
  awaited: Map<string, Promise<ApiDocument>>;
}

/** Finds the descriptions that one site names, and operations in them. Reports what cannot be found at `at`. */
export interface Finder {
  /** Null when it is not a file of the site, or an address without a copy. */
  document(written: string, at: () => Place): Promise<ApiDocument | AwaitedDescription | null>;
  find(
    reference: OperationReference,
    source: ApiSource | null,
    at: () => Place,
  ): Promise<Found | AwaitedDescription | null>;
}

export function createFinder(
  site: SiteInLoading,
  {
    documents,
    files,
    asked,
    patience,
  }: { documents: ApiDocuments; files: ApiFiles; asked: Set<string>; patience: ApiPatience | null },
): Finder {
  const { config, contentRoot, problems } = site;
  const read = new Map<string, ApiDocument | AwaitedDescription | null>();
  const operations = new Map<string, ReadonlyMap<string, ListedOperation>>();
  let discovered: Promise<Discovered> | null = null;
  let characters = 0;
  let all: readonly NamedDescription[] | null = null;
  const sources = [...(config.api.source ? [config.api.source] : []), ...sourcesIn(config.navigation ?? [])];

  async function readAt(path: string, at: () => Place): Promise<ApiDocument | AwaitedDescription | null> {
    const known = read.get(path);
    if (known !== undefined) return known;
    if (characters > MAX_SITE_CHARACTERS) {
      const message = `${path.slice(0, 200)} is not read: the descriptions of APIs before it have ${MAX_SITE_CHARACTERS / 1_000_000} MB in all.`;
      problems.error(at, message, "api_description");
      read.set(path, null);
      return null;
    }
    const isAddress = apiAddress(path) !== null;
    const document =
      isAddress && !isKept(path, at)
        ? null
        : await inTime(path).catch((error: unknown) => {
            if (!(error instanceof FileUnreadable)) throw error;
            problems.error(at, error.message, "api_description");
            return null;
          });
    if (isAwaited(document)) {
      read.set(path, document);
      return document;
    }
    characters += document?.document?.length ?? 0;
    read.set(path, document);
    const placeOf = (file: string, line: number | null): Place | (() => Place) =>
      isAddress ? at : { path: contentRoot === "" ? file : `${contentRoot}/${file}`, line };
    for (const { severity, path: file, line, message } of document?.problems ?? []) {
      const words = isAddress ? `${path.slice(0, 200)}${line === null ? "" : `, line ${line}`}: ${message}` : message;
      problems[severity](placeOf(file, line), words, "api_description");
    }
    return document;
  }

  async function inTime(path: string): Promise<ApiDocument | AwaitedDescription> {
    const reading = documents.read(files, path);
    if (patience === null) return reading;
    const { end, awaited } = patience;
    // A description that is already read resolves a moment later: its promise may be queued behind `end`.
    const late = end.then(() => setImmediate()).then((): AwaitedDescription => ({ awaits: path }));
    const document = await Promise.race([reading, late]);
    if (isAwaited(document)) awaited.set(path, reading);
    return document;
  }

  /** Whether there is a copy of the description at an address. Its problems are reported where the author named it. */
  function isKept(address: string, at: () => Place): boolean {
    const warn = (words: string) =>
      problems.warning(at, `The API at ${address.slice(0, 200)}: ${words}`, "api_description");
    if (asked.size >= MAX_ADDRESSES) {
      warn(`Only the first ${MAX_ADDRESSES} addresses are read.`);
      return false;
    }
    asked.add(address);
    const { version, trouble } = files.addresses.find(address);
    if (trouble !== null) warn(trouble);
    return version !== null;
  }

  function byName({ path, operations: all }: ApiDocument): ReadonlyMap<string, ListedOperation> {
    const known = operations.get(path) ?? new Map(all.map((operation) => [nameOf(operation), operation]));
    operations.set(path, known);
    return known;
  }

  const declared = config.api.source?.files ?? [];
  const pathOf = (written: string): string | null => {
    const path = apiFilePath(written);
    return path === null ? apiAddress(written) : withExtension(path, files, declared);
  };
  const named = ({ files: written, locate }: ApiSource): NamedDescription[] =>
    written.flatMap((each) => {
      const path = pathOf(each);
      return path === null ? [] : [{ path, at: locate }];
    });

  async function document(written: string, at: () => Place): Promise<ApiDocument | AwaitedDescription | null> {
    const path = pathOf(written);
    if (path !== null) return readAt(path, at);
    const message = `The API at ${written.slice(0, 200)} is not read: it is neither a file of the site nor an http or https address.`;
    problems.warning(at, message, "api_description");
    return null;
  }

  async function find(
    reference: OperationReference,
    source: ApiSource | null,
    at: () => Place,
  ): Promise<Found | AwaitedDescription | null> {
    /** A description that is still being read may have the operation, unless another one has it. */
    const search = async (places: readonly NamedDescription[]): Promise<Found | AwaitedDescription | null> => {
      let awaited: AwaitedDescription | null = null;
      for (const { path, at: place } of places) {
        const each = await readAt(path, place);
        if (each === null) continue;
        if (isAwaited(each)) {
          awaited ??= each;
          continue;
        }
        const operation = byName(each).get(nameOf(reference));
        if (operation !== undefined) return { document: each, operation };
      }
      return awaited;
    };
    const searchOthers = async () => {
      discovered ??= discoverDocuments(files);
      return search((await discovered).paths.map((path) => ({ path, at: () => ({ path, line: null }) })));
    };
    const missing = async (where: string) => {
      const leftOut = (await discovered)?.leftOut ?? 0;
      const more =
        leftOut === 0 ? "" : ` ${leftOut} further JSON and YAML files were not looked at: name the one in docs.json.`;
      const message = `${reference.method} ${reference.path} is not described in ${where}.${more}`;
      problems.warning(at, message, "api_description");
      return null;
    };
    if (reference.file !== null) {
      const own = await document(reference.file, at);
      if (own === null || isAwaited(own)) return own;
      const found = await search([{ path: own.path, at }]);
      if (found !== null) return found;
      // A translated description is often outdated: readers are better served by one that has the operation.
      const other = await searchOthers();
      if (other === null) return missing(reference.file);
      if (isAwaited(other)) return other;
      const message = `${reference.method} ${reference.path} is not described in ${reference.file}: ${other.document.path} is shown.`;
      problems.warning(at, message, "api_description");
      return other;
    }
    const near = source === null ? [] : named(source);
    all ??= [...new Map(sources.flatMap(named).map((each) => [each.path, each])).values()];
    const found = (await search(near)) ?? (await search(all)) ?? (await searchOthers());
    if (found !== null) return found;
    // The operation may be in a description that could not be read, which is already reported.
    if ([...near, ...all].some(({ path }) => read.get(path) === null)) return null;
    return missing(near.length > 0 ? near.map(({ path }) => path).join(", ") : "any file of the site");
  }

  return { document, find };
}

/** A description and where it is named. */
interface NamedDescription {
  path: string;
  at(): Place;
}

/** Used in place of a method: finds the channel with this name, whatever its badge. */
export const CHANNEL = "CHANNEL";
const BADGES = new Set(["WSS", "PUB", "SUB", "PUB/SUB"]);

/** A slash at either end does not matter. */
function nameOf({ method: written, path }: { method: string; path: string }): string {
  const method = BADGES.has(written) ? CHANNEL : written;
  return `${method} ${path.replace(/^\//, "").replace(/\/$/, "")}`;
}

/** The first bytes are read when a page names an operation that no named description has: 5,000 files take about a second. */
const MAX_LOOKED_AT = 5_000;
const MAX_LOOKED_AT_BYTES = 200_000_000;

interface Discovered {
  /** Paths of descriptions, the likeliest first. */
  paths: string[];
  /** How many files were not looked at. */
  leftOut: number;
}

/** The API descriptions that a navigation names, in reading order. */
function sourcesIn(nodes: readonly ConfigNode[]): ApiSource[] {
  return nodes.flatMap((node) => {
    if (node.kind === "page" || node.kind === "link" || node.kind === "operation") return [];
    return [...(node.api === null ? [] : [node.api]), ...sourcesIn(node.children)];
  });
}

/**
 * The file that `openapi` abbreviates: one of the files that the site names, otherwise one in the same folder. A path that is
 * a file, or abbreviates none, is returned unchanged.
 */
function withExtension(path: string, { versions, contentRoot }: ApiFiles, named: readonly string[]): string {
  const isFile = (each: string) => versions.has(spelledAsIn(versions, joinContentRoot(each, contentRoot)));
  if (isFile(path)) return path;
  const isAbbreviated = (each: string) => {
    const stem = each.replace(/\.(?:json|ya?ml)$/i, "");
    return stem === path || (!path.includes("/") && stem.split("/").at(-1) === path);
  };
  const declared = named.map(apiFilePath).find((each) => each !== null && isAbbreviated(each) && isFile(each));
  return declared ?? [".json", ".yaml", ".yml"].map((end) => path + end).find(isFile) ?? path;
}

/** Finds API descriptions that nothing names by the way the files begin, the likeliest names first. */
async function discoverDocuments(files: ApiFiles): Promise<Discovered> {
  const candidates = [...files.versions.keys()]
    .map((path) => stripContentRoot(path, files.contentRoot))
    .filter(
      (path): path is string =>
        path !== null && /\.(?:json|ya?ml)$/i.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path),
    )
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const paths: string[] = [];
  let [lookedAt, bytesLeft] = [0, MAX_LOOKED_AT_BYTES];
  for (const path of candidates) {
    if (lookedAt >= MAX_LOOKED_AT || bytesLeft <= 0) break;
    lookedAt += 1;
    const bytes = await readIfPossible(files.snapshot, joinContentRoot(path, files.contentRoot));
    const { text: start } = decodeText(bytes?.subarray(0, 4_096) ?? new Uint8Array(), { isCut: true });
    if (/^[\uFEFF\s{]{0,100}["']?(?:openapi|swagger|asyncapi)["']?\s*:/m.test(start)) paths.push(path);
    bytesLeft -= bytes?.length ?? 0;
  }
  return { paths, leftOut: candidates.length - lookedAt };
}

function rank(path: string): number {
  return (/openapi|swagger|asyncapi/i.test(path) ? 0 : /api/i.test(path) ? 100 : 200) + path.split("/").length;
}
