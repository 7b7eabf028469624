import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { flushFolder } from "#lib/durable-file.ts";
import { lockFile } from "#lib/file-lock.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { type BlobCipher, createPassphraseCipher, newSalt, plainCipher } from "./blob-cipher.ts";
import { Manifest } from "./manifest.ts";

/** A folder of backups: blobs that backups share, and a manifest for each backup. */
export interface BackupFolder {
  isEncrypted: boolean;
  /** Stores a blob unless it exists; returns its name and the number of bytes written. */
  put(content: Uint8Array): Promise<{ name: string; written: number }>;
  has(name: string): Promise<boolean>;
  /** `AppError conflict` for a missing or damaged blob, with its name. */
  get(name: string): Promise<Buffer>;
  /** IDs of the backups, oldest first. */
  list(): Promise<string[]>;
  read(id: string): Promise<Manifest>;
  /** Flushes the stored blobs, and then writes the manifest. */
  finish(manifest: Manifest): Promise<void>;
  /** All backups, oldest first; `manifest` is null if it is damaged. */
  readAll(): Promise<{ id: string; manifest: Manifest | null }[]>;
  /**
   * Deletes all but the newest complete backups, then the blobs that no backup references. `damaged` lists kept backups
   * with an unreadable manifest; if there are any, no blobs are deleted.
   */
  keepNewest(count: number): Promise<{ deleted: string[]; damaged: string[] }>;
  /**
   * Frees space after a backup failed on a full disk: deletes its blobs and those of earlier attempts, and, if `keep`
   * backups are kept, the oldest one beyond `keep - 1`. Returns its ID, and whether there is more space than before the
   * backup.
   */
  makeRoom(keep: number | null): Promise<{ deleted: string[]; isMore: boolean }>;
}

const SETTINGS = "docent-backup.json";
const Settings = z.object({
  format: z.literal(1),
  /** The server that the backups belong to. Two servers in one folder would delete each other's. */
  instance: z.string(),
  encryption: z
    .object({ kdf: z.literal("scrypt"), cipher: z.literal("aes-256-gcm"), salt: z.base64(), check: z.base64() })
    .nullable(),
});
const CHECK = "check";
const MANIFEST = /^\d{8}T\d{9}Z\.manifest$/;
const ENDING = ".manifest";
const UNFINISHED = /\.new-[0-9a-f]+$/;

/** Opens a folder to add backups, and creates it if necessary. Locked until disposed: one backup runs at a time. */
export async function openForBackup(
  root: string,
  { instance, passphrase }: { instance: string; passphrase: Secret | null },
): Promise<BackupFolder & Disposable> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const settings = await readSettings(root);
  if (settings !== null && settings.instance !== instance) {
    throw new AppError(
      "conflict",
      `${root} has the backups of another server (its instance-id is ${settings.instance}, that of the data directory ${instance}). ` +
        `Give each server a folder of its own, such as --to ${path.join(root, "..", `${path.basename(root)}-2`)}.`,
    );
  }
  if (settings === null) {
    const names = await readdir(root);
    if (names.some((name) => name !== "lock" && !UNFINISHED.test(name))) {
      throw new AppError("invalid", `${root} holds other files. Backups need a folder of their own.`);
    }
    await writeDurably(path.join(root, SETTINGS), Buffer.from(await newSettings(instance, passphrase)));
  }
  const lock = lockFile(path.join(root, "lock"));
  if (lock === null) throw new AppError("conflict", `Another backup to ${root} is running. Wait until it is done.`);
  try {
    const folder = await openForRestore(root, passphrase);
    return { ...folder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function newSettings(instance: string, passphrase: Secret | null): Promise<string> {
  const salt = newSalt();
  const encryption =
    passphrase === null
      ? null
      : {
          kdf: "scrypt",
          cipher: "aes-256-gcm",
          salt: salt.toString("base64"),
          check: Buffer.from(
            (await createPassphraseCipher(passphrase, salt)).seal(Buffer.from(CHECK), SETTINGS),
          ).toString("base64"),
        };
  return `${JSON.stringify({ format: 1, instance, encryption }, null, 2)}\n`;
}

/** Opens a folder of backups. `AppError` if it is not one, or if the passphrase is missing or wrong. */
export async function openForRestore(root: string, passphrase: Secret | null): Promise<BackupFolder> {
  const settings = await readSettings(root);
  if (settings === null) throw new AppError("not_found", `There are no backups in ${root}: ${SETTINGS} is missing.`);
  const cipher = await cipherOf(root, settings, passphrase);
  const blobs = path.join(root, "blobs");
  const backups = path.join(root, "backups");
  const placeOf = (name: string) => path.join(blobs, name.slice(0, 2), name);
  const touched = new Set<string>();
  const added = new Set<string>();

  const list = async () =>
    (await namesIn(backups))
      .filter((name) => MANIFEST.test(name))
      .map((name) => name.slice(0, -ENDING.length))
      .sort();

  const read = async (id: string) => {
    const file = path.join(backups, id + ENDING);
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      throw new AppError("not_found", `There is no backup "${id}" in ${root}. \`docent restore --list\` lists them.`);
    });
    try {
      return Manifest.parse(JSON.parse(cipher.open(bytes, id)?.toString("utf8") ?? ""));
    } catch (cause) {
      throw new AppError("conflict", `The manifest ${file} is damaged. Delete it, or restore another backup.`, {
        cause,
      });
    }
  };

  const readAll = async () => {
    const found: Listed[] = [];
    for (const id of await list()) found.push({ id, manifest: await read(id).catch(ifDamaged) });
    return found;
  };

  /** Deletes unreferenced blobs. `freed` counts those that existed before this folder was opened. */
  const sweep = async (kept: readonly Listed[]) => {
    const damaged = kept.filter(({ manifest }) => manifest === null).map(({ id }) => id);
    let freed = 0;
    if (damaged.length > 0) return { damaged, freed };
    const needed = new Set(kept.flatMap(({ manifest }) => manifest!.files.flatMap((file) => file.blobs)));
    for (const group of await namesIn(blobs)) {
      for (const name of await namesIn(path.join(blobs, group))) {
        if (needed.has(name)) continue;
        await rm(path.join(blobs, group, name), { force: true });
        if (!added.delete(name)) freed += 1;
      }
    }
    return { damaged, freed };
  };

  const keepNewest = async (count: number) => {
    const all = await readAll();
    const oldest = all.filter(isComplete).at(-count)?.id ?? "";
    const deleted = all.map(({ id }) => id).filter((id) => id < oldest);
    for (const id of deleted) await rm(path.join(backups, id + ENDING));
    await flushFolder(backups);
    const { damaged } = await sweep(all.slice(deleted.length));
    return { deleted, damaged };
  };

  return {
    isEncrypted: settings.encryption !== null,
    async put(content) {
      const name = cipher.nameOf(content);
      const place = placeOf(name);
      if (await isFile(place)) return { name, written: 0 };
      const folder = path.dirname(place);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const bytes = cipher.seal(content, name);
      await writeAtomically(place, bytes);
      touched.add(folder);
      added.add(name);
      return { name, written: bytes.length };
    },
    has: (name) => isFile(placeOf(name)),
    async get(name) {
      const place = placeOf(name);
      const bytes = await readFile(place).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      const content = bytes === null ? null : cipher.open(bytes, name);
      if (content !== null && cipher.nameOf(content) === name) return content;
      throw new AppError(
        "conflict",
        `The blob ${place} is ${bytes === null ? "missing" : "damaged"}. The backups that need it cannot be restored. ` +
          "Delete the file if it is there: the next `docent backup` writes it again if the data directory still has its content.",
      );
    },
    list,
    read,
    async finish(manifest) {
      await mkdir(backups, { recursive: true, mode: 0o700 });
      for (const folder of [...touched, blobs, root]) await flushFolder(folder);
      touched.clear();
      const bytes = cipher.seal(Buffer.from(JSON.stringify(manifest)), manifest.id);
      await writeDurably(path.join(backups, manifest.id + ENDING), bytes);
    },
    readAll,
    keepNewest,
    async makeRoom(keep) {
      const { freed } = await sweep(await readAll());
      const newest = (await readAll()).findLast(isComplete);
      const blobs = newest?.manifest.files.flatMap((file) => file.blobs) ?? [];
      const swept = { deleted: [], isMore: freed > 0 };
      if (keep === null || keep === 1 || newest === undefined) return swept;
      for (const name of blobs) if (!(await isFile(placeOf(name)))) return swept; // newest is damaged: keep the older ones
      const { deleted } = await keepNewest(keep - 1);
      return { deleted, isMore: deleted.length > 0 || freed > 0 };
    },
  };
}

type Listed = Awaited<ReturnType<BackupFolder["readAll"]>>[number];

const isComplete = (backup: Listed): backup is Listed & { manifest: Manifest } => backup.manifest?.missing.length === 0;

async function readSettings(root: string): Promise<z.infer<typeof Settings> | null> {
  const file = path.join(root, SETTINGS);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return Settings.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError("conflict", `${file} is damaged, or of a newer version of Docent.`, { cause });
  }
}

async function cipherOf(root: string, { encryption }: z.infer<typeof Settings>, passphrase: Secret | null) {
  if (encryption === null) {
    if (passphrase === null) return plainCipher;
    throw new AppError(
      "conflict",
      `The backups in ${root} are not encrypted. Leave out --passphrase-file, or choose another folder.`,
    );
  }
  if (passphrase === null) {
    throw new AppError("invalid", `The backups in ${root} are encrypted: add --passphrase-file FILE.`);
  }
  const cipher: BlobCipher = await createPassphraseCipher(passphrase, Buffer.from(encryption.salt, "base64"));
  if (cipher.open(Buffer.from(encryption.check, "base64"), SETTINGS)?.toString() === CHECK) return cipher;
  throw new AppError("conflict", `The passphrase is not the one that the backups in ${root} are encrypted with.`);
}

/** A damaged manifest must not hide or block other backups. */
export function ifDamaged(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

const isFile = (place: string) =>
  stat(place).then(
    (found) => found.isFile(),
    () => false,
  );

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

/** Writes a file atomically; the caller flushes its folder. */
async function writeAtomically(place: string, bytes: Uint8Array): Promise<void> {
  const draft = `${place}.new-${randomBytes(6).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDurably(place: string, bytes: Uint8Array): Promise<void> {
  await writeAtomically(place, bytes);
  await flushFolder(path.dirname(place));
}
