import type { ApiDocument, ApiDocuments } from "#docs/api/api-documents.ts";

/** API descriptions that a version of a site lacks, because they were not parsed in time. */
export interface AwaitedDescriptions {
  paths: readonly string[];
  /** Resolves when all of them are parsed. */
  done: Promise<unknown>;
  /** Whether a version that is built now may have more of its APIs. */
  isReadAgain(): boolean;
}

/** The message to readers for one of them. */
export const beingRead = (path: string): string =>
  `The description of this API, ${path}, is being read. What it says is shown here as soon as that is done.`;

/** The message where pages may be missing because of one of them; null when all are parsed. */
export const stillBeingRead = ({ paths }: AwaitedDescriptions): string | null =>
  paths.length === 0
    ? null
    : `Descriptions of APIs are being read, and have their pages as soon as that is done: ${paths.slice(0, MAX_NAMED).join(", ")}.`;

/** How often a version is rebuilt with the descriptions parsed so far, while others are still being parsed. */
const SOME_EVERY_MS = 10_000;
const MAX_NAMED = 10;

/** `expiresAt`: when a description that could not be read is tried again; see `ApiDocument`. */
export function awaitedDescriptions(
  awaited: ReadonlyMap<string, Promise<ApiDocument>>,
  expiresAt: number | null,
): AwaitedDescriptions {
  const madeAt = performance.now();
  let read = 0;
  const each = [...awaited.values()].map((reading) => reading.then(() => void (read += 1)).catch(() => undefined));
  return {
    paths: [...awaited.keys()],
    done: Promise.all(each),
    isReadAgain() {
      const now = performance.now();
      if (expiresAt !== null && now > expiresAt) return true;
      return read > 0 && (read === awaited.size || now - madeAt > SOME_EVERY_MS);
    },
  };
}

/** The time limit of one version for its API descriptions; null when it waits until they are parsed. */
export function patienceOf(patienceMs: number | null): (Disposable & { end: Promise<void> }) | null {
  if (patienceMs === null) return null;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  return { end, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** The same descriptions; `expiresAt` is the earliest expiry of those that were read. */
export function withTimes(documents: ApiDocuments): { documents: ApiDocuments; expiresAt(): number | null } {
  let until: number | null = null;
  return {
    documents: {
      async read(files, path) {
        const document = await documents.read(files, path);
        if (document.expiresAt !== null) until = Math.min(until ?? Infinity, document.expiresAt);
        return document;
      },
    },
    expiresAt: () => until,
  };
}
