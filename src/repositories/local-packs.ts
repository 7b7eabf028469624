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
import type { NewPack } from "./pack-storage.ts";

/** Prefix of folders in a repository where packs are built; maintenance removes those that a crash leaves. */
const INCOMING = "incoming-";
const TIMEOUT_MS = 30 * 60_000;
/** Room for the ids of some 12 million objects. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;

/** A pack and its index in a temporary folder. Disposing removes them, unless they were moved into the repository. */
export interface PackFile extends NewPack, AsyncDisposable {
  /** Moves it into the repository. */
  add(): Promise<void>;
  /** The same for a pack that is in the store. */
  keep(): Promise<void>;
}

/** Prepares a pack in memory for the store. */
export function packInMemory({ name, pack, index }: ObjectPack): NewPack {
  const bytesOf = (pieces: readonly Uint8Array[]) => pieces.reduce((size, { length }) => size + length, 0);
  const read = () => [...pack, ...index];
  return { name, sizeBytes: bytesOf(pack), indexBytes: bytesOf(index), isPartial: false, read };
}

/** Packs objects that `tips` reach, except those that `known` reach or a kept pack has; null if there are none. */
export async function packRevisions(
  repository: Repository,
  { tips, known }: { tips: readonly ObjectId[]; known: Iterable<ObjectId> },
): Promise<PackFile | null> {
  const input = [...tips, ...[...known].map((id) => `^${id}`), ""].join("\n");
  return tips.length === 0 ? null : makePackFile(repository, ["--revs", "--honor-pack-keep"], input);
}

/** Packs every object of a repository, including unreachable ones. */
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

/** Removes from these packs the objects that a kept pack has as well. */
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
  const folder = stack.adopt(await makeIncomingFolder(repository), removeFolder);
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
    add: () => movePack(repository, folder, pack),
    async keep() {
      await markKept(repository, name);
      await movePack(repository, folder, pack);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Adds a pack of the store and its index to a repository; false if `content` ends early. */
export async function addPack(
  repository: Repository,
  pack: Omit<NewPack, "read">,
  content: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await makeIncomingFolder(repository), removeFolder);
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
  await movePack(repository, folder, pack);
  return true;
}

/** Moves a pack and its companion files into a repository. Git finds a pack by its index, so the index comes last. */
async function movePack(
  repository: Repository,
  folder: string,
  { name, isPartial: partial }: Pick<NewPack, "name" | "isPartial">,
) {
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

/** Marks a pack as stored; git's housekeeping then leaves it unchanged. */
export const markKept = (repository: Repository, name: string): Promise<void> =>
  writeFile(path.join(packFolder(repository), `pack-${name}.keep`), "");

/** The packs in this copy, and those of them that are known to be in the store. */
export async function listPacks(repository: Repository): Promise<{ here: Set<string>; kept: Set<string> }> {
  const names = await readdir(packFolder(repository)).catch((): string[] => []);
  const of = (kind: string) =>
    new Set(names.flatMap((name) => new RegExp(`^pack-([0-9a-f]{40})\\.${kind}$`).exec(name)?.[1] ?? []));
  return { here: of("idx"), kept: of("keep") };
}

/** Removes a pack whose objects are in another one. */
export async function dropPack(repository: Repository, name: string): Promise<void> {
  // The index goes first: without it git ignores the pack.
  for (const kind of ["idx", "rev", "promisor", "pack", "keep"]) {
    await rm(path.join(packFolder(repository), `pack-${name}.${kind}`), { force: true });
  }
}

/** Creates a temporary folder for a pack or a push in a repository. */
export const makeIncomingFolder = (repository: Pick<Repository, "directory">): Promise<string> =>
  mkdtemp(path.join(repository.directory, INCOMING));

const ABANDONED_MS = 24 * 60 * 60_000;

/** Removes temporary folders that crashes have left. */
export async function removeAbandoned({ directory }: Pick<Repository, "directory">): Promise<void> {
  for (const name of await readdir(directory).catch((): string[] => [])) {
    if (!name.startsWith(INCOMING)) continue;
    const found = await stat(path.join(directory, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await removeFolder(path.join(directory, name));
  }
}

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const packFolder = ({ directory }: Pick<Repository, "directory">) => path.join(directory, "objects", "pack");
