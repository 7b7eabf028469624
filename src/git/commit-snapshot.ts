import { AppError } from "#lib/app-error.ts";
import { FileUnreadable } from "#lib/file-unreadable.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isMedia } from "./mirror/fetched-ahead.ts";
import { DamagedObject } from "./objects/object-reader.ts";
import type { ObjectId, RepoStore, TreeEntry } from "./repo-store.ts";

const KINDS = { "100644": "file", "100755": "file", "120000": "symlink", "160000": "submodule" } as const;

/**
 * One commit's files as a `Snapshot`: immutable, so anything derived from it can be cached. A file whose object is
 * missing or damaged is `FileUnreadable`, and named in `unreadable` until it can be read again.
 */
export function commitSnapshot(store: RepoStore, project: ProjectId, commit: ObjectId) {
  let index: ReturnType<typeof readIndex> | undefined;
  const unreadable = new Set<string>();
  return {
    commit,
    unreadable,
    async files() {
      return (await (index ??= readIndex(store, project, commit))).files;
    },
    async read(path: string): Promise<Uint8Array | null> {
      const { entries } = await (index ??= readIndex(store, project, commit));
      const entry = entries.get(path);
      if (!entry || KINDS[entry.mode] !== "file") return null;
      const prefetch = () => (isMedia(path) ? [] : textsAfter(entries, path));
      try {
        const bytes = await store.readBlob(project, entry.oid, { prefetch });
        unreadable.delete(path);
        return bytes;
      } catch (error) {
        const isMissing = error instanceof AppError && error.code === "not_found";
        if (!isMissing && !(error instanceof DamagedObject)) throw error;
        unreadable.add(path);
        throw new FileUnreadable(path, entry.oid, error);
      }
    },
  };
}

const MAX_TEXTS_AHEAD = 500;

/** A reader of one file that has to be fetched, such as a search, is about to read the next ones too. */
function textsAfter(entries: ReadonlyMap<string, TreeEntry>, path: string): ObjectId[] {
  const found: ObjectId[] = [];
  let isAfter = false;
  for (const [name, { oid, mode }] of entries) {
    isAfter ||= name === path;
    if (isAfter && KINDS[mode] === "file" && !isMedia(name)) found.push(oid);
    if (found.length >= MAX_TEXTS_AHEAD) break;
  }
  return found;
}

async function readIndex(store: RepoStore, project: ProjectId, commit: ObjectId) {
  const entries = new Map<string, TreeEntry>();
  const files = [];
  const breathe = createBreather();
  for (const entry of await store.tree(project, commit)) {
    if (entries.has(entry.path)) continue; // a tree not written by git can name a file twice
    entries.set(entry.path, entry);
    files.push({
      path: entry.path,
      version: entry.oid,
      sizeBytes: entry.sizeBytes ?? 0,
      kind: KINDS[entry.mode],
    });
    const rest = breathe();
    if (rest) await rest;
  }
  return { entries, files };
}
