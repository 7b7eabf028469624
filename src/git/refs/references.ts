import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "#lib/app-error.ts";
import { syncReferences } from "#git/objects/durable.ts";
import type { ObjectReader } from "#git/objects/object-reader.ts";
import { isObjectId, type ObjectId, type ReferenceUpdate } from "#git/objects/objects.ts";
import { isBeingWritten } from "#git/process/processes.ts";
import { GitError, type Repository } from "#git/process/runner.ts";

const NULL_ID = "0".repeat(40);
const MAX_REFERENCE_LENGTH = 400;
// git-check-ref-format(1), as one expression.
const FORBIDDEN_IN_REFERENCE = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$/u;

/** Whether git accepts a text as a full reference name (`refs/heads/main`). */
export function isReferenceName(text: string): boolean {
  return (
    text.startsWith("refs/") &&
    text.length <= MAX_REFERENCE_LENGTH &&
    text.isWellFormed() &&
    !FORBIDDEN_IN_REFERENCE.test(text)
  );
}

/** Whether `git branch` would create a branch of this name: rejects names that git commands read as something else. */
export function isBranchName(text: string): boolean {
  const isTaken = text === "" || text === "HEAD" || text === "@" || text.startsWith("-");
  return !isTaken && isReferenceName(`refs/heads/${text}`);
}

const NAMES_OF_A_COMMAND = 1_000;
// A listing is read at once, and people cannot choose among more.
const MAX_LISTED = 10_000;

export async function resolveCommit(reader: ObjectReader, revision: string): Promise<ObjectId | null> {
  if (!isObjectId(revision) && revision !== "HEAD" && !isReferenceName(revision)) return null;
  const [header] = await reader.headers([`${revision}^{commit}`]);
  return header?.oid ?? null;
}

/**
 * Lists references with `git for-each-ref`. Git refuses the whole list if the object of one is missing: the others are then
 * listed without it, in the order of their names.
 */
export async function forEachRef(repository: Repository, options: readonly string[], below: string): Promise<string[]> {
  const list = async (names: readonly string[], how = options) =>
    (await repository.run({ args: ["for-each-ref", ...how, ...names] })).stdout.toString("utf8").split("\n");
  try {
    return await list([below]);
  } catch (error) {
    if (!(error instanceof GitError) || !/missing object/.test(error.stderr)) throw error;
    const names = (await list([below], ["--format=%(refname)"])).filter((name) => name !== "");
    const { stdout } = await repository.run({ args: ["cat-file", "--batch-check"], input: names.join("\n") });
    const found = stdout.toString("utf8").split("\n");
    const whole = names.filter((_, index) => !(found[index] ?? "missing").endsWith("missing"));
    const listed: string[] = [];
    for (let at = 0; at < whole.length; at += NAMES_OF_A_COMMAND)
      listed.push(...(await list(whole.slice(at, at + NAMES_OF_A_COMMAND))));
    return listed;
  }
}

export async function listBranches(repository: Repository): Promise<{ name: string; commit: ObjectId }[]> {
  const format = "%(objectname) %(objecttype) %(refname)";
  return (await forEachRef(repository, [`--count=${MAX_LISTED}`, `--format=${format}`], "refs/heads")).flatMap(
    (line) => {
      const [commit = "", type, name = ""] = line.split(" ");
      return type === "commit" ? [{ name: name.slice("refs/heads/".length), commit }] : [];
    },
  );
}

/** Tags of commits, annotated or not. */
export async function listTags(repository: Repository): Promise<{ name: string; commit: ObjectId }[]> {
  const format = "%(objecttype) %(objectname) %(*objecttype) %(*objectname) %(refname)";
  return (await forEachRef(repository, [`--count=${MAX_LISTED}`, `--format=${format}`], "refs/tags")).flatMap(
    (line) => {
      const [type, id = "", taggedType, taggedId = "", reference = ""] = line.split(" ");
      const name = reference.slice("refs/tags/".length);
      if (type === "commit") return [{ name, commit: id }];
      return taggedType === "commit" ? [{ name, commit: taggedId }] : [];
    },
  );
}

const MAX_MIRRORED_TAGS = 5_000;

/** Makes a mirror's tags equal to those of `there`, except for tags whose commits are not here. */
export async function mirrorTags(
  {
    repository,
    reader,
    move,
  }: {
    repository: Repository;
    reader: ObjectReader;
    /** Same contract as `updateReferences`. */
    move(updates: readonly ReferenceUpdate[]): Promise<boolean>;
  },
  there: ReadonlyMap<string, ObjectId>,
): Promise<void> {
  const wanted = [...there].filter(([name]) => isReferenceName(`refs/tags/${name}`)).slice(-MAX_MIRRORED_TAGS);
  const headers = await reader.headers(wanted.map(([, id]) => id));
  const known = new Map(wanted.filter((_, index) => headers[index]?.type === "commit"));
  const here = new Map((await listTags(repository)).map(({ name, commit }) => [name, commit]));
  const updates = [...new Set([...known.keys(), ...here.keys()])]
    .map((name) => ({ ref: `refs/tags/${name}`, to: known.get(name) ?? null, expected: here.get(name) ?? null }))
    .filter(({ to, expected }) => to !== expected);
  // `a` and `a/b` cannot both exist, so deletions come first.
  await move(updates.filter(({ to }) => to === null));
  await move(updates.filter(({ to }) => to !== null));
}

const MAX_LOCK_TRIES = 5;
const STALE_LOCK_MS = 60_000;

/**
 * Moves references in one transaction, each by compare-and-swap, and flushes their folders. False if one does not have
 * its expected value; `AppError conflict` if a name is unavailable (a branch `a` prevents `a/b`).
 */
export async function updateReferences(
  repository: Repository,
  reader: ObjectReader,
  updates: readonly ReferenceUpdate[],
): Promise<boolean> {
  const wanted = updates.filter((update) => update.to !== null || update.expected !== null);
  for (const { ref } of wanted) {
    if (!isReferenceName(ref)) throw new AppError("invalid", "This is not a valid reference name.");
  }
  if (wanted.length === 0) return true;
  const input = wanted.map(updateLine).join("");
  for (let tries = 1; ; tries++) {
    try {
      await repository.run({ args: ["update-ref", "--stdin", "-z", "--no-deref"], input });
      await syncReferences(
        repository.directory,
        wanted.map((update) => update.ref),
      );
      return true;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (!(await allAsExpected(reader, wanted))) return false;
      if (tries >= MAX_LOCK_TRIES) {
        throw new AppError("conflict", "The branch name is taken by another branch, or is locked.", { cause: error });
      }
      await removeStaleLocks(
        repository.directory,
        wanted.map((update) => update.ref),
      );
      await sleep(20 * tries);
    }
  }
}

function updateLine({ ref, to, expected }: ReferenceUpdate): string {
  if (to === null) return `delete ${ref}\0${expected ?? ""}\0`;
  return `update ${ref}\0${to}\0${expected ?? NULL_ID}\0`;
}

async function allAsExpected(reader: ObjectReader, updates: readonly ReferenceUpdate[]): Promise<boolean> {
  const headers = await reader.headers(updates.map((update) => update.ref));
  return updates.every((update, index) => (headers[index]?.oid ?? null) === update.expected);
}

/**
 * Removes lock files of these references that killed git processes left, because git never does. Only locks older than
 * a minute are removed (git holds one for milliseconds), and none while a git process is writing to the repository.
 */
export async function removeStaleLocks(directory: string, refs: readonly string[]): Promise<void> {
  // Moving the branch that HEAD names also locks HEAD; a deletion also locks the packed references.
  const locks = [...refs, "HEAD", "packed-refs"].map((name) => path.join(directory, `${name}.lock`));
  for (const lock of locks) {
    const found = await stat(lock).catch(() => null);
    if (!found || Date.now() - found.mtimeMs <= STALE_LOCK_MS) continue;
    if (await isBeingWritten(directory)) return;
    await rm(lock, { force: true });
  }
}
