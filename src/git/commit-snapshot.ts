import type { ProjectId } from "#lib/ids.ts";
import type { ObjectId, RepoStore, TreeEntry } from "./repo-store.ts";

const KINDS = { "100644": "file", "100755": "file", "120000": "symlink", "160000": "submodule" } as const;

/** One commit's files, in the shape that `content` reads (`Snapshot`): immutable, so whatever derives from it can be cached. */
export function commitSnapshot(store: RepoStore, project: ProjectId, commit: ObjectId) {
  let entries: Promise<ReadonlyMap<string, TreeEntry>> | undefined;
  const index = () =>
    (entries ??= store.tree(project, commit).then((all) => new Map(all.map((entry) => [entry.path, entry]))));
  return {
    commit,
    async files() {
      return [...(await index()).values()].map((entry) => ({
        path: entry.path,
        version: entry.oid,
        sizeBytes: entry.sizeBytes ?? 0,
        kind: KINDS[entry.mode],
      }));
    },
    async read(path: string): Promise<Uint8Array | null> {
      const entry = (await index()).get(path);
      return entry && KINDS[entry.mode] === "file" ? store.readBlob(project, entry.oid) : null;
    },
  };
}
