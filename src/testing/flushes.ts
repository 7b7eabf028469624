import { readlinkSync } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import path from "node:path";

interface Flush {
  inode: number;
  modifiedMs: number;
  sizeBytes: number;
  /** The entries of a folder; null for a file. */
  names: ReadonlySet<string> | null;
}

/** What this process flushed to disk, in its state at the time of the fsync(2). */
export interface Flushes extends Disposable {
  /** Files and folders below `root` that a power cut could remove or revert to an earlier state, relative to it. */
  unflushed(root: string): Promise<string[]>;
  /** Those of these files that were flushed, in the order of their first flush. */
  order(files: readonly string[]): Promise<string[]>;
  /** Whether a folder was flushed after `name` was removed from it. */
  isGone(folder: string, name: string): Promise<boolean>;
}

/**
 * Records every flush of this process from now on, until disposed. Flushes of other processes (git its own files) are
 * not seen. For Linux.
 */
export async function recordFlushes(): Promise<Flushes> {
  const flushes: Flush[] = [];
  const probe = await open("/dev/null");
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const flush = prototype.sync;
  prototype.sync = async function noted(this: FileHandle) {
    const found = await this.stat();
    const names = found.isDirectory() ? new Set(await readdir(readlinkSync(`/proc/self/fd/${this.fd}`))) : null;
    await flush.call(this);
    flushes.push({ inode: found.ino, modifiedMs: found.mtimeMs, sizeBytes: found.size, names });
  };

  const lastOf = (inode: number) => flushes.findLast((one) => one.inode === inode);

  async function unflushed(root: string, place = root): Promise<string[]> {
    const found = await stat(place);
    const last = lastOf(found.ino);
    const shown = path.relative(root, place) || ".";
    if (!found.isDirectory()) {
      return last?.modifiedMs === found.mtimeMs && last.sizeBytes === found.size ? [] : [shown];
    }
    const names = await readdir(place);
    const below = await Promise.all(names.map((name) => unflushed(root, path.join(place, name))));
    return [...(names.every((name) => last?.names?.has(name)) ? [] : [shown]), ...below.flat()].sort();
  }

  return {
    unflushed: (root) => unflushed(root),
    async order(files) {
      const inodes = await Promise.all(files.map(async (file) => (await stat(file)).ino));
      const firsts = inodes.map((inode) => flushes.findIndex((one) => one.inode === inode));
      const flushed = files
        .map((file, index) => ({ file, first: firsts[index] ?? -1 }))
        .filter(({ first }) => first >= 0);
      return flushed.sort((a, b) => a.first - b.first).map(({ file }) => file);
    },
    async isGone(folder, name) {
      const names = lastOf((await stat(folder)).ino)?.names;
      return names !== undefined && names !== null && !names.has(name);
    },
    [Symbol.dispose]: () => void (prototype.sync = flush),
  };
}
