import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, ShuttingDown } from "#lib/app-error.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { holdsCredentials } from "#docs/credential-files.ts";
import type { Problem } from "#docs/problems.ts";
import { joinContentRoot, spelledAsIn } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { decodeText } from "#docs/text-encoding.ts";
import { apiAddress, type ApiAddresses } from "./api-addresses.ts";
import { MAX_DOCUMENT_CHARACTERS } from "./bounds.ts";
import type { ListedOperation } from "./operations.ts";

/** The result of reading an API description. */
export interface ApiReading {
  /** The whole description as JSON in which each `$ref` points into the same document; null when it cannot be used. */
  document: string | null;
  operations: readonly ListedOperation[];
  /** Title of the whole API. */
  title: string | null;
  summary: string | null;
  /** Files that were read or looked for, relative to the site's root. */
  files: readonly string[];
  problems: readonly Problem[];
}

/** Reads descriptions in a process that can be killed. Rejects when the machine, not the file, is at fault. */
export interface ApiReader {
  readApi(input: {
    path: string;
    owner: string;
    /** Reads a file below the site's root; null when it does not exist. */
    read(path: string): Promise<string | null>;
  }): Promise<ApiReading>;
}

/** The files of a site that an API description may consist of. */
export interface ApiFiles {
  owner: string;
  contentRoot: string;
  snapshot: Snapshot;
  /** Version of each regular file by its path in the repository. */
  versions: ReadonlyMap<string, string>;
  /** Copies of descriptions at addresses. */
  addresses: ApiAddresses;
}

/** A reading with its source. */
export interface ApiDocument extends ApiReading {
  /** A file below the site's root, or an address. */
  path: string;
  /** Changes exactly when one of its files does. */
  version: string;
  /** When a reading that failed because of the machine expires, by `performance.now()`. Null: valid until a file changes. */
  expiresAt: number | null;
}

/** API descriptions. Each is read once and cached until one of its files changes. */
export interface ApiDocuments {
  /**
   * Takes minutes on a busy machine. A read that is killed from outside is retried. Rejects only when the server stops.
   */
  read(files: ApiFiles, path: string): Promise<ApiDocument>;
}

const MAX_KEPT_CHARACTERS = 100_000_000;
/** Per description: a site's branch and its previews may have different editions. */
const MAX_KEPT_EDITIONS = 3;
/** Pauses between attempts to read a file. After the last attempt the author sees the problem. */
const PAUSES_MS = [1_000, 5_000, 20_000, 60_000];
const FAILED_READ_MAX_AGE_MS = 10 * 60_000;

export function createApiDescriptions(reader: ApiReader, pausesMs: readonly number[] = PAUSES_MS): ApiDocuments {
  const kept = createLruCache<string, readonly ApiDocument[]>({
    maxWeight: cacheLimit(MAX_KEPT_CHARACTERS),
    weigh: (editions) =>
      editions.reduce((sum, each) => sum + (each.document?.length ?? 0) + each.operations.length * 300 + 2_000, 0),
  });
  const running = new Map<string, Promise<ApiDocument>>();

  const versionOf = (all: ApiFiles, path: string, files: readonly string[]): string => {
    const { owner, contentRoot, versions, addresses } = all;
    const version = (file: string) =>
      apiAddress(file) === null
        ? versions.get(spelledAsIn(versions, joinContentRoot(file, contentRoot)))
        : addresses.find(file).version;
    const parts = files.map((file) => `${file} ${version(file) ?? ""}`);
    return createHash("sha256")
      .update([owner, contentRoot, path, ...parts].join("\n"))
      .digest("base64url")
      .slice(0, 22);
  };
  const isCurrent = ({ expiresAt }: ApiDocument) => expiresAt === null || expiresAt > performance.now();

  async function readNow(files: ApiFiles, path: string): Promise<ApiDocument> {
    const read = (file: string) => readFile(files, file);
    for (const pauseMs of [...pausesMs, null]) {
      try {
        const reading = await reader.readApi({ path, owner: files.owner, read });
        return { ...reading, path, version: versionOf(files, path, reading.files), expiresAt: null };
      } catch (error) {
        if (error instanceof ShuttingDown) throw error;
        if (pauseMs === null) return unread(files, path, error);
        await sleep(pauseMs, undefined, { ref: false });
      }
    }
    throw new Error("unreachable");
  }

  function unread(files: ApiFiles, path: string, error: unknown): ApiDocument {
    const reason = error instanceof AppError ? error.message : "One of its files could not be fetched.";
    const message = `The description could not be read, and is read again in ten minutes. ${reason}`;
    return {
      document: null,
      operations: [],
      title: null,
      summary: null,
      files: [path],
      problems: [{ severity: "warning", code: "api_description", path, line: null, message }],
      path,
      version: versionOf(files, path, [path]),
      expiresAt: performance.now() + FAILED_READ_MAX_AGE_MS,
    };
  }

  return {
    async read(files, path) {
      const key = `${files.owner} ${files.contentRoot} ${path}`;
      const editions = kept.get(key) ?? [];
      const known = editions.find((each) => isCurrent(each) && each.version === versionOf(files, path, each.files));
      if (known !== undefined) return known;
      const runKey = `${key} ${versionOf(files, path, [path, ...(editions[0]?.files ?? [])])}`;
      const already = running.get(runKey);
      if (already !== undefined) return already;
      const run = readNow(files, path)
        .then((document) => {
          const others = (kept.get(key) ?? []).filter((each) => isCurrent(each) && each.version !== document.version);
          kept.set(key, [document, ...others].slice(0, MAX_KEPT_EDITIONS));
          return document;
        })
        .finally(() => running.delete(runKey));
      run.catch(() => undefined); // callers may have stopped waiting
      running.set(runKey, run);
      return run;
    },
  };
}

async function readFile(files: ApiFiles, file: string): Promise<string | null> {
  const { snapshot, contentRoot, versions, addresses } = files;
  if (apiAddress(file) !== null) {
    const { version } = addresses.find(file);
    return version === null ? null : addresses.read(file, version);
  }
  const path = spelledAsIn(versions, joinContentRoot(file, contentRoot));
  if (!versions.has(path) || holdsCredentials(path)) return null;
  const bytes = await snapshot.read(path).catch((error: unknown) => {
    // The file is still too large on the next attempt.
    if (error instanceof AppError && error.code === "too_large") return null;
    throw error;
  });
  if (bytes === null || bytes.length > MAX_DOCUMENT_CHARACTERS) return null;
  return decodeText(bytes).text;
}
