import { createHash } from "node:crypto";
import { createLruCache } from "#lib/lru-cache.ts";
import { holdsCredentials } from "#content/credential-files.ts";
import type { Problem } from "#content/problems.ts";
import { joinContentRoot } from "#content/routes.ts";
import type { Snapshot } from "#content/snapshot.ts";
import { decodeText } from "#content/text-encoding.ts";
import { apiAddress, type ApiAddresses } from "./api-addresses.ts";
import { MAX_DOCUMENT_CHARACTERS } from "./bounds.ts";
import type { ListedOperation } from "./listed-operation.ts";

/** A description of an API, read. */
export interface ApiReading {
  /** The whole of it as JSON, each reference one into itself; null when it cannot be used. */
  document: string | null;
  operations: readonly ListedOperation[];
  /** Of the API as a whole. */
  title: string | null;
  summary: string | null;
  /** Files that were read or looked for, below the site's root. */
  files: readonly string[];
  problems: readonly Problem[];
}

/** Reads descriptions in a process that can be killed. Rejects only when the machine is too busy. */
export interface ApiReader {
  readApi(input: {
    path: string;
    owner: string;
    /** A file below the site's root; null when there is none. */
    read(path: string): Promise<string | null>;
  }): Promise<ApiReading>;
}

/** The files of a site that a description may be put together from. */
export interface ApiFiles {
  owner: string;
  contentRoot: string;
  snapshot: Snapshot;
  /** Version of each regular file by its path in the repository. */
  versions: ReadonlyMap<string, string>;
  /** What there is of descriptions at addresses. */
  addresses: ApiAddresses;
}

/** A reading and what it was made from. */
export interface ApiDocument extends ApiReading {
  /** A file below the site's root, or an address. */
  path: string;
  /** The same exactly as long as none of its files changes. */
  version: string;
}

/** Descriptions of APIs, each read once for as long as its files stay what they are. */
export interface ApiDocuments {
  read(files: ApiFiles, path: string): Promise<ApiDocument>;
}

const MAX_KEPT_CHARACTERS = 100_000_000;

export function createApiDescriptions(reader: ApiReader): ApiDocuments {
  const kept = createLruCache<string, ApiDocument>({
    maxWeight: MAX_KEPT_CHARACTERS,
    weigh: ({ document, operations }) => (document?.length ?? 0) + operations.length * 300 + 2_000,
  });
  const running = new Map<string, Promise<ApiDocument>>();

  const versionOf = (all: ApiFiles, path: string, files: readonly string[]): string => {
    const { owner, contentRoot, versions, addresses } = all;
    const version = (file: string) =>
      apiAddress(file) === null ? versions.get(joinContentRoot(file, contentRoot)) : addresses.find(file).version;
    const parts = files.map((file) => `${file} ${version(file) ?? ""}`);
    return createHash("sha256")
      .update([owner, contentRoot, path, ...parts].join("\n"))
      .digest("base64url")
      .slice(0, 22);
  };

  return {
    async read(files, path) {
      const key = `${files.owner} ${files.contentRoot} ${path}`;
      const known = kept.get(key);
      if (known !== undefined && known.version === versionOf(files, path, known.files)) return known;
      const runKey = `${key} ${versionOf(files, path, [path, ...(known?.files ?? [])])}`;
      const already = running.get(runKey);
      if (already !== undefined) return already;
      const run = reader
        .readApi({ path, owner: files.owner, read: (file) => readFile(files, file) })
        .then((reading) => {
          const document = { ...reading, path, version: versionOf(files, path, reading.files) };
          kept.set(key, document);
          return document;
        })
        .finally(() => running.delete(runKey));
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
  const path = joinContentRoot(file, contentRoot);
  if (!versions.has(path) || holdsCredentials(path)) return null;
  const bytes = await snapshot.read(path);
  if (bytes === null || bytes.length > MAX_DOCUMENT_CHARACTERS) return null;
  return decodeText(bytes).text;
}
