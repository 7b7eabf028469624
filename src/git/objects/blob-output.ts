import { spawn } from "node:child_process";
import { AppError } from "#lib/app-error.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { ObjectReader } from "./object-reader.ts";
import { isObjectId, type ObjectId } from "./objects.ts";
import { startFailure } from "#git/process/repository-missing.ts";
import { type GitEnvironment, gitEnvironment } from "#git/process/runner.ts";

/** Reads blobs of any size without loading them into memory. `AppError not_found`, `unavailable`. */
export interface BlobOutput {
  /** Writes a blob into an open file and returns its size; `too_large` before anything is written. */
  writeBlob(project: ProjectId, oid: ObjectId, to: { descriptor: number; maxBytes: number }): Promise<number>;
  /** At most the first `bytes` of a blob; null for one that is only at a mirror's host, which is not fetched. */
  readBlobStart(project: ProjectId, oid: ObjectId, bytes: number): Promise<Buffer | null>;
}

const PLACES = { places: 4, perOwner: 2, maxWaiting: 200 };
const TIMEOUT_MS = 120_000;
/** Above this size, starting a process is cheaper than reading the whole blob for its first bytes. */
const MAX_READ_WHOLE = 1024 * 1024;
/** Git streams objects above this size unless they are stored as deltas; smaller ones it loads into memory. */
const STREAMED = { "core.bigFileThreshold": "1m" };

export function createBlobOutput(deps: {
  environment: GitEnvironment;
  directory(project: ProjectId): string;
  reading<T>(project: ProjectId, work: (reader: ObjectReader) => Promise<T>): Promise<T>;
  /** Fetches a mirror's missing blob; false if there was nothing to fetch. */
  fetchMissing(project: ProjectId, oid: ObjectId): Promise<boolean>;
}): BlobOutput {
  const { environment, reading } = deps;
  const places = createFairPlaces(PLACES);

  async function sizeHere(project: ProjectId, oid: ObjectId): Promise<number | null> {
    const [header] = isObjectId(oid) ? await reading(project, (reader) => reader.headers([oid])) : [];
    return header?.type === "blob" ? header.sizeBytes : null;
  }

  /** Git runs to its end, or is killed once it has written enough bytes. */
  const run = (directory: string, oid: ObjectId, output: number | { bytes: number }): Promise<Buffer> =>
    places.run(directory, () => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const child = spawn("git", ["cat-file", "blob", oid], {
        cwd: directory,
        env: gitEnvironment({ environment, directory, config: STREAMED }),
        stdio: ["ignore", typeof output === "number" ? output : "pipe", "ignore"],
        detached: true, // an interrupt from the terminal is ours to handle
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
      const wanted = typeof output === "number" ? Infinity : output.bytes;
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout?.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= wanted) child.kill("SIGKILL");
      });
      child.once("error", (error) => {
        clearTimeout(timer);
        reject(startFailure(directory, "The file could not be read.", error));
      });
      child.once("close", (exitCode) => {
        clearTimeout(timer);
        if (exitCode === 0 || size >= wanted) resolve(Buffer.concat(chunks).subarray(0, wanted));
        else reject(new AppError("unavailable", "The file could not be read.", { retryAfterSeconds: 5 }));
      });
      return promise;
    });

  return {
    async writeBlob(project, oid, { descriptor, maxBytes }) {
      let size = await sizeHere(project, oid);
      if (size === null && (await deps.fetchMissing(project, oid))) size = await sizeHere(project, oid);
      if (size === null) throw new AppError("not_found", "There is no such file.");
      if (size > maxBytes) throw new AppError("too_large", "The file is too large to be read.");
      await run(deps.directory(project), oid, descriptor);
      return size;
    },
    async readBlobStart(project, oid, bytes) {
      const size = await sizeHere(project, oid);
      if (size === null) return null;
      if (size > MAX_READ_WHOLE) return run(deps.directory(project), oid, { bytes });
      const [whole] = await reading(project, (reader) => reader.objects([oid]));
      return whole?.content.subarray(0, bytes) ?? Buffer.alloc(0);
    },
  };
}
