import type { ApiDocument, ApiDocuments } from "#docs/api/api-documents.ts";

/** Descriptions of APIs that a version of a site went on without, as they were not read in time. */
export interface AwaitedDescriptions {
  paths: readonly string[];
  /** Resolves when all of them are read. */
  done: Promise<unknown>;
  /** Whether a version that is made now may have more of its APIs. */
  isReadAgain(): boolean;
}

/** What readers are told of one of them. */
export const beingRead = (path: string): string =>
  `The description of this API, ${path}, is being read. What it says is shown here as soon as that is done.`;

/** What is said where pages may be missing for one of them; null where all are read. */
export const stillBeingRead = ({ paths }: AwaitedDescriptions): string | null =>
  paths.length === 0
    ? null
    : `Descriptions of APIs are being read, and have their pages as soon as that is done: ${paths.slice(0, MAX_NAMED).join(", ")}.`;

/** How often a version is made again with the descriptions that have been read while others are still being read. */
const SOME_EVERY_MS = 10_000;
const MAX_NAMED = 10;

/** `expiresAt`: when what could not be read is read again; see `ApiDocument`. */
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

/** The time that one version has for its descriptions; null where it waits until they are read. */
export function patienceOf(patienceMs: number | null): (Disposable & { end: Promise<void> }) | null {
  if (patienceMs === null) return null;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  return { end, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** The same descriptions; `expiresAt` is when the first of those that were read expires. */
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
