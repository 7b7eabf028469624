import path from "node:path";
import { randomUUID } from "node:crypto";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";

interface LargeFile {
  project: ProjectId;
  /** The blob id. */
  version: string;
}

/**
 * Files of sites that are too large for memory. Git writes each to disk once and exits; all readers, however slow and
 * wherever they start, are served from there.
 */
export interface LargeFiles extends AsyncDisposable {
  /** Ensures that a file is on disk, and returns its size. `AppError not_found`, `too_large`, `unavailable`. */
  bring(file: LargeFile): Promise<number>;
  /** A range of it, chunk by chunk. It stays on disk until the last chunk was read, or the reader is gone. */
  read(file: LargeFile, range: ByteRange): AsyncIterable<Uint8Array>;
}

interface Kept {
  project: ProjectId;
  handle: FileHandle;
  sizeBytes: number;
  readers: number;
}

export const MAX_LARGE_BYTES = 512 * 1024 * 1024;
const LIMITS = { total: 2 * 1024 ** 3, perOwner: 1024 ** 3, files: 200 };
const WRITES = { places: 2, perOwner: 1, maxWaiting: 20 };
const PIECE_BYTES = 64 * 1024;

/**
 * `directory`: on a disk with room for `limits.total` plus two files that are being written. Files are unlinked before
 * their content is written, so that nothing remains after the process, however it ends. Files without readers are
 * removed to make room, least recently used first.
 */
export function createLargeFiles(deps: {
  repoStore: Pick<RepoStore, "writeBlob">;
  directory: string;
  limits?: typeof LIMITS;
}): LargeFiles {
  const limits = deps.limits ?? LIMITS;
  const kept = new Map<string, Kept>(); // in order of last use
  const coming = new Map<string, Promise<Kept>>();
  const writes = createFairPlaces(WRITES);
  const keyOf = ({ project, version }: LargeFile) => `${project} ${version}`;

  const sizeOf = (files: Iterable<Kept>) => {
    let sum = 0;
    for (const { sizeBytes } of files) sum += sizeBytes;
    return sum;
  };

  async function drop(key: string, { handle }: Kept): Promise<void> {
    kept.delete(key);
    await handle.close();
  }

  /** Removes files without readers until a file fits. */
  async function makeRoom({ project, sizeBytes }: Kept): Promise<void> {
    const own = () => sizeOf([...kept.values()].filter((file) => file.project === project));
    for (const [key, file] of kept) {
      const fits = sizeOf(kept.values()) + sizeBytes <= limits.total && kept.size < limits.files;
      const isOfOwner = file.project === project;
      if (fits && (!isOfOwner || own() + sizeBytes <= limits.perOwner)) continue;
      if (file.readers === 0) await drop(key, file);
    }
    if (
      sizeOf(kept.values()) + sizeBytes > limits.total ||
      own() + sizeBytes > limits.perOwner ||
      kept.size >= limits.files
    ) {
      throw new AppError("unavailable", "Too many large files of this project are being read. Try again soon.", {
        retryAfterSeconds: 30,
        isBusy: true,
      });
    }
  }

  async function write({ project, version }: LargeFile): Promise<Kept> {
    await mkdir(deps.directory, { recursive: true });
    const place = path.join(deps.directory, `large-file-${randomUUID()}`);
    const handle = await open(place, "wx+", 0o600);
    try {
      await rm(place);
      const to = { descriptor: handle.fd, maxBytes: MAX_LARGE_BYTES };
      const file = { project, handle, sizeBytes: await deps.repoStore.writeBlob(project, version, to), readers: 0 };
      await makeRoom(file);
      kept.set(`${project} ${version}`, file);
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async function find(file: LargeFile): Promise<Kept> {
    const key = keyOf(file);
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const already = coming.get(key);
    if (already !== undefined) return already;
    const writing = writes.run(file.project, () => write(file)).finally(() => coming.delete(key));
    coming.set(key, writing);
    return writing;
  }

  /** Before it is held, it may have been removed again to make room for others. */
  async function hold(file: LargeFile): Promise<Kept> {
    for (let tries = 0; tries < 3; tries += 1) {
      const known = kept.get(keyOf(file));
      if (known !== undefined) {
        known.readers += 1;
        return known;
      }
      await find(file);
    }
    throw new AppError("unavailable", "Too many large files are being read.", { retryAfterSeconds: 30, isBusy: true });
  }

  return {
    async bring(file) {
      const { sizeBytes } = await find(file);
      return sizeBytes;
    },
    async *read(file, { first, last }) {
      const source = await hold(file);
      try {
        for (let position = first; position <= last;) {
          const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, last + 1 - position));
          const { bytesRead } = await source.handle.read(piece, 0, piece.length, position);
          if (bytesRead === 0) throw new AppError("internal", "A large file is shorter than it was.");
          yield piece.subarray(0, bytesRead);
          position += bytesRead;
        }
      } finally {
        source.readers -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(coming.values());
      await Promise.all(Array.from(kept, ([key, file]) => drop(key, file)));
    },
  };
}

/** The range of a file that a request asks for, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Parses `Range` (RFC 9110, 14.2) for a file of `sizeBytes`. Null: the whole file must be sent, as for other units and
 * for lists of ranges, or when `If-Range` names a version other than `etag`. Media players request single ranges.
 */
export function readRange(
  headers: { get(name: string): string | null },
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get("range")?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const condition = headers.get("if-range");
  // RFC 9110, 13.1.5: a weak validator never matches, and we send no date that could.
  if (condition !== null && (condition.trim() !== etag || etag.startsWith("W/"))) return null;
  if (from === "") {
    const length = Number(to);
    if (length === 0 || sizeBytes === 0) return "unsatisfiable";
    return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== "" && Number(to) < first) return null; // not a range at all: ignored
  return first >= sizeBytes ? "unsatisfiable" : { first, last };
}
