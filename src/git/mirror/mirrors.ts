import { rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { ObjectReader } from "#git/objects/object-reader.ts";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { resolveCommit } from "#git/refs/references.ts";
import { pushBranch, type Remote, type RemoteProgress, type RemotePush } from "#git/refs/remote.ts";
import type { Repository } from "#git/process/runner.ts";
import { isPartial } from "#git/transfer/partial.ts";
import { withinDiskLimit } from "./disk-limit.ts";
import { fetchBlobs, fetchCommits, fetchWhole } from "./fetch.ts";
import { blobsToFetchAhead } from "./fetched-ahead.ts";
import { createMissingBlobs } from "./missing-blobs.ts";
import { missingInPush } from "./needed-blobs.ts";
import { createTurns } from "./turns.ts";

/** The remote of a project's repository; null if the repository is only here. Throws `AppError`. */
export type RepositoryOrigin = (project: ProjectId) => Promise<Remote | null>;

/** Mirrors of repositories on code hosts, which may lack some of the files. */
export interface Mirrors extends Disposable {
  /** Makes a repository fetch commits, trees and only the files that its site reads; see decision 32. */
  leaveBlobsAtHost(project: ProjectId): Promise<void>;
  fetch(
    project: ProjectId,
    remote: Remote,
    branches: readonly string[],
    progress?: RemoteProgress,
  ): Promise<Map<string, ObjectId | null>>;
  push(
    project: ProjectId,
    remote: Remote,
    update: { branch: string; commit: ObjectId; expected: ObjectId | null },
  ): Promise<RemotePush>;
  /**
   * Fetches blobs that are not here, and returns whether there were any. Does not call `find` for a complete
   * repository. `AppError unavailable`.
   */
  fetchMissing(
    project: ProjectId,
    find: (repository: Repository) => MaybePromise<readonly ObjectId[]>,
  ): Promise<boolean>;
}

type MaybePromise<T> = T | Promise<T>;

const MAX_FETCH_TRIES = 5;
/** About as long as a reader of a page waits for an image. */
const PATIENCE_MS = 20_000;
/** Two timeouts of 30 s, after which a hanging host is given up. */
const TURN_PATIENCE_MS = 60_000;
const BRING_TIMEOUT_MS = 60_000;
const REST_MS = 10_000;

/** Marks a repository's folder while blobs may be left at its host. */
export const BLOBS_AT_HOST = "blobs-at-host";

export function createMirrors(deps: {
  /** The repository with a separate process limit for commands that wait for hosts. */
  remoteRepository(project: ProjectId): Repository;
  repository(project: ProjectId): Repository;
  reading<T>(project: ProjectId, work: (reader: ObjectReader) => Promise<T>): Promise<T>;
  /** Same contract as `updateReferences`. */
  move(project: ProjectId, reader: ObjectReader, updates: readonly ReferenceUpdate[]): Promise<boolean>;
  origin: RepositoryOrigin;
  maxBytes: number;
  logger: Logger;
}): Mirrors {
  const { repository, remoteRepository, reading, maxBytes } = deps;
  /** One fetch at a time for a repository. */
  const fetching = createTurns({ patienceMs: TURN_PATIENCE_MS });
  const closing = new AbortController();
  const mark = (project: ProjectId) => path.join(repository(project).directory, BLOBS_AT_HOST);
  const isMarked = async (project: ProjectId) => (await stat(mark(project)).catch(() => null)) !== null;

  const absent = (project: ProjectId, oids: readonly ObjectId[]): Promise<ObjectId[]> =>
    reading(project, async (reader) => {
      const headers = await reader.headers(oids);
      return oids.filter((_, index) => !headers[index]);
    });

  const missing = createMissingBlobs({
    patienceMs: PATIENCE_MS,
    restMs: REST_MS,
    fetch: (project, take) =>
      fetching.run(project, async () => {
        const oids = await absent(project, take());
        if (oids.length === 0) return;
        const here = remoteRepository(project);
        try {
          const remote = await deps.origin(project);
          if (!remote) throw new AppError("unavailable", "The code host of the repository's files is unknown.");
          await withinDiskLimit(here.directory, { maxBytes, signal: closing.signal }, (signal) =>
            fetchBlobs(here, remote, oids, { timeoutMs: BRING_TIMEOUT_MS, signal }),
          );
        } catch (error) {
          deps.logger.info({ err: error, project, files: oids.length }, "files could not be fetched from their host");
          throw error;
        }
      }),
  });

  /** Moves local branches to a remote's commits, except those it lacks. False if another process has moved one. */
  const follow = (project: ProjectId, tips: ReadonlyMap<string, ObjectId | null>): Promise<boolean> =>
    reading(project, async (reader) => {
      const updates: ReferenceUpdate[] = [];
      for (const [branch, expected] of await tipsHere(reader, [...tips.keys()])) {
        const to = tips.get(branch) ?? null;
        if (to !== null && to !== expected) updates.push({ ref: `refs/heads/${branch}`, to, expected });
      }
      return deps.move(project, reader, updates);
    });

  /** Fetches commits and trees, then the files that are read often, in one request. Moves no reference. */
  async function fetchWithText(
    project: ProjectId,
    remote: Remote,
    branches: readonly string[],
    options: RemoteProgress,
  ) {
    const here = remoteRepository(project);
    const known = await reading(project, (reader) => tipsHere(reader, branches));
    if (!(await isMarked(project))) return fetchCommits(here, remote, branches, { ...options, known });
    const isFirst = await reading(project, async (reader) => (await resolveCommit(reader, "HEAD")) === null);
    // Later fetches are small: changed blobs come along, except for large ones.
    const blobs = isFirst ? "none" : "small";
    const tips = await fetchCommits(here, remote, branches, { ...options, known, blobs });
    const moved = [...tips].flatMap(([branch, tip]) => (tip === null || tip === known.get(branch) ? [] : [tip]));
    for (const tip of new Set(moved)) {
      const oids = await absent(project, await blobsToFetchAhead(repository(project), tip));
      if (oids.length === 0 || (await fetchBlobs(here, remote, oids, options)) === "fetched") continue;
      await fetchWhole(here, remote, moved, options);
      await rm(mark(project), { force: true });
      break;
    }
    return tips;
  }

  return {
    leaveBlobsAtHost: (project) => writeFile(mark(project), "", { flush: true }),
    fetch: (project, remote, branches, options = {}) =>
      fetching.run(project, async () => {
        const limits = { maxBytes, signal: options.signal };
        for (let tries = 1; ; tries++) {
          const tips = await withinDiskLimit(repository(project).directory, limits, (signal) =>
            fetchWithText(project, remote, branches, { ...options, signal }),
          );
          if (await follow(project, tips)) return tips;
          // Another process has just moved a branch, perhaps to a newer commit.
          if (tries >= MAX_FETCH_TRIES) throw new AppError("unavailable", "The branch keeps moving; try again.");
        }
      }),
    async push(project, remote, update) {
      const here = remoteRepository(project);
      const lost = (await isPartial(here.directory)) ? await missingInPush(repository(project), update) : [];
      if (lost.length > 0) await missing.fetch(project, lost);
      const pushed = await pushBranch(here, remote, update);
      // If another process has moved the branch meanwhile, the next fetch corrects it.
      if (pushed.outcome === "pushed") await follow(project, new Map([[update.branch, update.commit]]));
      return pushed;
    },
    async fetchMissing(project, find) {
      if (!(await isPartial(repository(project).directory))) return false;
      const wanted = await absent(project, await find(repository(project)));
      if (wanted.length > 0) await missing.fetch(project, wanted);
      return wanted.length > 0;
    },
    [Symbol.dispose]: () => closing.abort(),
  };
}

async function tipsHere(reader: ObjectReader, branches: readonly string[]): Promise<Map<string, ObjectId | null>> {
  const tips = branches.map(async (branch) => [branch, await resolveCommit(reader, `refs/heads/${branch}`)] as const);
  return new Map(await Promise.all(tips));
}
