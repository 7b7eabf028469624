import { createBreather } from "#lib/waiting/breather.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { ObjectId, RepoStore, TreeEntry } from "./repo-store.ts";

const KINDS = { "100644": "file", "100755": "file", "120000": "symlink", "160000": "submodule" } as const;

/** One commit's files, in the shape that `content` reads (`Snapshot`): immutable, so whatever derives from it can be cached. */
export function commitSnapshot(store: RepoStore, project: ProjectId, commit: ObjectId) {
  let index: ReturnType<typeof readIndex> | undefined;
  return {
    commit,
    async files() {
      return (await (index ??= readIndex(store, project, commit))).files;
    },
    async read(path: string): Promise<Uint8Array | null> {
      const entry = (await (index ??= readIndex(store, project, commit))).entries.get(path);
      return entry && KINDS[entry.mode] === "file" ? store.readBlob(project, entry.oid) : null;
    },
  };
}

async function readIndex(store: RepoStore, project: ProjectId, commit: ObjectId) {
  const entries = new Map<string, TreeEntry>();
  const files = [];
  const breathe = createBreather();
  for (const entry of await store.tree(project, commit)) {
    if (entries.has(entry.path)) continue; // a tree that git did not write can name one file twice
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
