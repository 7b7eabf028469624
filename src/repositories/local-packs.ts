import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeFolder, sync, writeDurably } from "#git/objects/durable.ts";
import { isObjectId, type ObjectId } from "#git/objects/objects.ts";
import type { ObjectPack } from "#git/objects/pack-file.ts";
import type { Repository } from "#git/process/runner.ts";
import { isPartial, PROMISED } from "#git/transfer/partial.ts";
import { AppError } from "#lib/app-error.ts";
import { openChecked } from "./checked-file.ts";
import type { StoredPack } from "./repository-reads.ts";
import type { NewPack } from "./repository-rows.ts";

/** Folders in a repository where packs are made; one that a crash leaves is removed by maintenance. */
const ASIDE = "incoming-";
const TIMEOUT_MS = 30 * 60_000;
/** Object ids of some 12 million objects. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;

/** A pack in a folder of its own, with its index. Disposing removes it, unless it was taken into the repository. */
export interface PackFile extends NewPack, AsyncDisposable {
  /** Makes it a pack of the repository. */
  add(): Promise<void>;
  /** Does so with one that is in the store. */
  keep(): Promise<void>;
}

/** A pack that is in memory as one of the store. */
export function packInMemory({ name, pack, index }: ObjectPack): NewPack {
  const bytesOf = (pieces: readonly Uint8Array[]) => pieces.reduce((size, { length }) => size + length, 0);
  const read = () => [...pack, ...index];
  return { name, sizeBytes: bytesOf(pack), indexBytes: bytesOf(index), isPartial: false, read };
}

/** Packs what `tips` reach and `known` do not, as far as it is not in a pack that is kept; null when that is nothing. */
export async function packRevisions(
  repository: Repository,
  { tips, known }: { tips: readonly ObjectId[]; known: Iterable<ObjectId> },
): Promise<PackFile | null> {
  const input = [...tips, ...[...known].map((id) => `^${id}`), ""].join("\n");
  return tips.length === 0 ? null : makePackFile(repository, ["--revs", "--honor-pack-keep"], input);
}

/** Packs every object that is in a repository, also what no reference holds. */
export async function packWhole(repository: Repository): Promise<PackFile | null> {
  const { stdout } = await repository.run({
    args: ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered"],
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_LIST_BYTES,
  });
  return makePackFile(repository, [], stdout);
}

/** Packs the objects of several packs into one. */
export const packTogether = async (repository: Repository, names: readonly string[]): Promise<PackFile | null> =>
  makePackFile(repository, [], await objectsOf(repository, names));

/** Drops what packs have that is in a pack that is kept, too. */
export async function dropStored(repository: Repository, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await using rest = await makePackFile(repository, ["--honor-pack-keep"], await objectsOf(repository, names));
  await rest?.add();
  for (const name of names) if (name !== rest?.name) await dropPack(repository, name);
}

async function objectsOf(repository: Repository, names: readonly string[]): Promise<string> {
  const lists: string[] = [];
  for (const name of names) {
    const index = await readFile(path.join(packFolder(repository), `pack-${name}.idx`));
    const { stdout } = await repository.run({
      args: ["show-index"],
      input: index,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_LIST_BYTES,
    });
    // git-show-index(1): "<offset> <id> (<checksum>)"
    lists.push(stdout.toString("latin1").replaceAll(/^\d+ ([0-9a-f]{40}).*$/gm, "$1"));
  }
  return lists.join("");
}

async function makePackFile(
  repository: Repository,
  args: readonly string[],
  input: string | Buffer,
): Promise<PackFile | null> {
  const partial = await isPartial(repository.directory);
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await mkdtemp(path.join(repository.directory, ASIDE)), removeFolder);
  const { stdout } = await repository.run({
    args: [
      "pack-objects",
      "--quiet",
      "--non-empty",
      "--delta-base-offset",
      ...(partial ? ["--missing=allow-promisor"] : []),
      ...args,
      path.join(folder, "pack"),
    ],
    input,
    config: partial ? PROMISED : {},
    timeoutMs: TIMEOUT_MS,
  });
  const name = stdout.toString("latin1").trim();
  if (!isObjectId(name)) return null;
  const file = path.join(folder, `pack-${name}`);
  const [{ size: sizeBytes }, { size: indexBytes }] = [await stat(`${file}.pack`), await stat(`${file}.idx`)];
  const owned = stack.move();
  const pack = { name, sizeBytes, indexBytes, isPartial: partial };
  return {
    ...pack,
    async *read() {
      for (const kind of ["pack", "idx"]) yield* createReadStream(`${file}.${kind}`, { highWaterMark: 1024 * 1024 });
    },
    add: () => takePack(repository, folder, pack),
    async keep() {
      await markKept(repository, name);
      await takePack(repository, folder, pack);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Puts a pack of the store with its index into a repository; false when not all of it is there. */
export async function addPack(
  repository: Repository,
  pack: StoredPack,
  content: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await mkdtemp(path.join(repository.directory, ASIDE)), removeFolder);
  const file = path.join(folder, `pack-${pack.name}`);
  const packed = await openChecked(`${file}.pack`, pack.sizeBytes);
  const index = await openChecked(`${file}.idx`, pack.indexBytes);
  try {
    for await (const chunk of content) await index.write(await packed.write(chunk));
  } finally {
    await packed.close();
    await index.close();
  }
  if (!packed.isWhole() || !index.isWhole()) return false;
  if (packed.checksum() !== pack.name || index.checksum() === null) {
    throw new AppError("unavailable", `The pack ${pack.name} of the store is damaged.`);
  }
  await markKept(repository, pack.name);
  await takePack(repository, folder, pack);
  return true;
}

/** Moves a pack with what belongs to it into a repository. Git finds a pack by its index, so the index comes last. */
async function takePack(repository: Repository, folder: string, { name, isPartial: partial }: StoredPack) {
  const to = packFolder(repository);
  await makeFolder(to);
  if (partial) await writeDurably(path.join(to, `pack-${name}.promisor`), []);
  for (const kind of ["pack", "rev", "idx"]) {
    const file = `pack-${name}.${kind}`;
    await rename(path.join(folder, file), path.join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (kind !== "rev" || error.code !== "ENOENT") throw error;
    });
  }
  await sync(to);
}

/** Notes of a pack that it is in the store; git's housekeeping leaves it as it is then. */
export const markKept = (repository: Repository, name: string): Promise<void> =>
  writeFile(path.join(packFolder(repository), `pack-${name}.keep`), "");

/** The packs that are here, and which of them are known to be in the store. */
export async function listPacks(repository: Repository): Promise<{ here: Set<string>; kept: Set<string> }> {
  const names = await readdir(packFolder(repository)).catch((): string[] => []);
  const of = (kind: string) =>
    new Set(names.flatMap((name) => new RegExp(`^pack-([0-9a-f]{40})\\.${kind}$`).exec(name)?.[1] ?? []));
  return { here: of("idx"), kept: of("keep") };
}

/** Removes a pack whose objects are in another one. */
export async function dropPack(repository: Repository, name: string): Promise<void> {
  // Without its index it is no pack to git.
  for (const kind of ["idx", "rev", "promisor", "pack", "keep"]) {
    await rm(path.join(packFolder(repository), `pack-${name}.${kind}`), { force: true });
  }
}

/** Folders that this module and pushes make in a repository, by the start of their names. */
export const makeAside = (repository: Pick<Repository, "directory">): Promise<string> =>
  mkdtemp(path.join(repository.directory, ASIDE));

const ABANDONED_MS = 24 * 60 * 60_000;

/** Removes what crashes have left half done. */
export async function removeAbandoned({ directory }: Pick<Repository, "directory">): Promise<void> {
  for (const name of await readdir(directory).catch((): string[] => [])) {
    if (!name.startsWith(ASIDE)) continue;
    const found = await stat(path.join(directory, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await removeFolder(path.join(directory, name));
  }
}

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const packFolder = ({ directory }: Pick<Repository, "directory">) => path.join(directory, "objects", "pack");
