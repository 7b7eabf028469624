import { type ObjectId, isObjectId } from "#git/objects/objects.ts";
import { isBranchName } from "#git/refs/references.ts";
import { type Remote, RemoteError, type RemoteProgress, speakWith } from "#git/refs/remote.ts";
import { GitError, type GitCommand, type Repository } from "#git/process/runner.ts";
import { MIRROR_REMOTE, PROMISED } from "#git/transfer/partial.ts";
import { createLineSplitter } from "#git/transfer/progress-lines.ts";
import { TOLERATED_FLAWS } from "#git/transfer/tolerated-flaws.ts";

const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Which blobs to fetch with commits; see git-rev-list(1), `--filter`. The host may send more. */
export type BlobFilter = "all" | "none" | "small";

const FILTERS = { all: "--no-filter", none: "--filter=blob:none", small: "--filter=blob:limit=256k" } as const;

const FETCH = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap="];
const CHECKED: Readonly<Record<string, string>> = {
  "fetch.fsckObjects": "true",
  ...Object.fromEntries(TOLERATED_FLAWS.map((id) => [`fetch.fsck.${id}`, "ignore"])),
};

/**
 * Fetches branches of a remote and returns their commits; null for a missing branch. Skips branches that are at the
 * commit in `known`. Moves no reference. Throws `RemoteError`.
 */
export async function fetchCommits(
  repository: Repository,
  remote: Remote,
  branches: readonly string[],
  options: RemoteProgress & { blobs?: BlobFilter; known?: ReadonlyMap<string, ObjectId | null> } = {},
): Promise<Map<string, ObjectId | null>> {
  const { blobs = "all", known, signal } = options;
  const wanted = branches.filter(isBranchName);
  const there = await listRemote(repository, remote, wanted, signal);
  // Fetches by id, so that the returned commits are the stored ones; a later move is fetched next time.
  const tips = new Set(wanted.filter((name) => known?.get(name) !== there.get(name)).map((name) => there.get(name)));
  tips.delete(undefined);
  if (tips.size > 0) {
    await options.beforeFetch?.();
    const ids = [...tips] as ObjectId[];
    await fetchTips(repository, remote, ids, { ...options, blobs });
  }
  return new Map(branches.map((branch) => [branch, there.get(branch) ?? null]));
}

async function fetchTips(
  repository: Repository,
  remote: Remote,
  tips: readonly ObjectId[],
  { blobs, signal, onProgress }: RemoteProgress & { blobs: BlobFilter },
): Promise<void> {
  const command = (filter: BlobFilter): GitCommand => ({
    args: [
      "fetch",
      onProgress ? "--progress" : "--quiet",
      ...FETCH,
      ...(filter === "all" ? [] : [FILTERS[filter]]),
      "--end-of-options",
      ...(filter === "all" ? [remote.url] : [MIRROR_REMOTE]),
      ...tips,
    ],
    config: { ...CHECKED, ...(filter !== "all" && promisedBy(remote)) },
    timeoutMs: FETCH_TIMEOUT_MS,
    signal,
    onStderr: onProgress && createLineSplitter(onProgress),
  });
  try {
    await speakWith(repository, remote, command(blobs));
  } catch (error) {
    if (blobs === "all" || !isRefusalOf(error, /filter .*(?:not supported|not allowed)/i)) throw error;
    await speakWith(repository, remote, command("all"));
  }
}

/**
 * Fetches single blobs into a mirror that has their commits, in one exchange. `refused`: the host serves no single
 * objects. Blobs that the host does not have are skipped. Throws `RemoteError`.
 */
export async function fetchBlobs(
  repository: Repository,
  remote: Remote,
  oids: readonly ObjectId[],
  { timeoutMs = FETCH_TIMEOUT_MS, signal, onProgress }: RemoteProgress & { timeoutMs?: number | undefined } = {},
): Promise<"fetched" | "refused"> {
  const left = new Set(oids);
  for (let lost = 0; left.size > 0; lost++) {
    try {
      await speakWith(repository, remote, {
        args: [
          "fetch",
          onProgress ? "--progress" : "--quiet",
          ...FETCH,
          FILTERS.none,
          "--stdin",
          "--end-of-options",
          MIRROR_REMOTE,
        ],
        // No negotiation is needed: the host sends exactly the requested objects.
        config: { ...CHECKED, ...promisedBy(remote), "fetch.negotiationAlgorithm": "noop" },
        input: [...left, ""].join("\n"),
        timeoutMs,
        signal,
        onStderr: onProgress && createLineSplitter(onProgress),
      });
      return "fetched";
    } catch (error) {
      if (isRefusalOf(error, /does not allow request for unadvertised object/i)) return "refused";
      const unknown = error instanceof RemoteError && /not our ref ([0-9a-f]{40})/.exec(wordsOfCause(error))?.[1];
      if (!unknown || !left.delete(unknown)) throw error;
      // A host that knows none of the first blobs serves no single objects.
      if (lost >= MAX_LOST_BLOBS) return "refused";
    }
  }
  return "fetched";
}

const MAX_LOST_BLOBS = 5;

/** Refetches the whole history of branches, including blobs, into a mirror that lacks some. Throws `RemoteError`. */
export async function fetchWhole(
  repository: Repository,
  remote: Remote,
  tips: readonly ObjectId[],
  { signal, onProgress }: RemoteProgress = {},
): Promise<void> {
  await speakWith(repository, remote, {
    args: [
      "fetch",
      onProgress ? "--progress" : "--quiet",
      ...FETCH,
      FILTERS.all,
      "--refetch",
      "--end-of-options",
      MIRROR_REMOTE,
      ...tips,
    ],
    config: { ...CHECKED, ...promisedBy(remote) },
    timeoutMs: FETCH_TIMEOUT_MS,
    signal,
    onStderr: onProgress && createLineSplitter(onProgress),
  });
}

const promisedBy = ({ url }: Remote) => ({ ...PROMISED, [`remote.${MIRROR_REMOTE}.url`]: url });

const wordsOfCause = ({ cause }: RemoteError): string => (cause instanceof GitError ? cause.stderr : "");

const isRefusalOf = (error: unknown, words: RegExp): boolean =>
  error instanceof RemoteError && words.test(wordsOfCause(error));

async function listRemote(
  repository: Repository,
  remote: Remote,
  branches: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, ObjectId>> {
  if (branches.length === 0) return new Map();
  const { stdout } = await speakWith(repository, remote, {
    args: [
      "ls-remote",
      "--quiet",
      "--end-of-options",
      remote.url,
      "HEAD",
      ...branches.map((name) => `refs/heads/${name}`),
    ],
    signal,
  });
  // Git reads any page with status 200 as a repository without branches. HEAD may name a deleted branch.
  if (stdout.length === 0 && (await hasBranches(repository))) {
    const all = await speakWith(repository, remote, {
      args: ["ls-remote", "--quiet", "--heads", "--end-of-options", remote.url],
      signal,
    });
    if (all.stdout.length === 0) throw new RemoteError("empty");
  }
  const found = new Map<string, ObjectId>();
  for (const line of stdout.toString("utf8").split("\n")) {
    const [commit = "", reference = ""] = line.split("\t");
    const branch = reference.slice("refs/heads/".length);
    // A pattern matches the ends of names as well.
    if (isObjectId(commit) && branches.includes(branch)) found.set(branch, commit);
  }
  return found;
}

async function hasBranches(repository: Repository): Promise<boolean> {
  const { stdout } = await repository.run({ args: ["for-each-ref", "--count=1", "refs/heads"] });
  return stdout.length > 0;
}
