import { createHash } from "node:crypto";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";
import { holdsCredentials } from "#docs/credential-files.ts";

/** Files to write (bytes) or remove (null), by path. */
export type Edits = ReadonlyMap<string, Uint8Array | null>;

/**
 * The files that the agent sees and changes: edits in memory over an immutable base. There is no work tree, so a symbolic link
 * cannot be followed. Callers check paths against the write policy first. Files that hold credentials are listed, but have no
 * content here.
 */
export interface VirtualTree extends Snapshot {
  readText(path: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  /** Differences from the base. A file that was restored is still listed; git sees no change in it. */
  edits(): Edits;
  /** A copy for trials; `adopt` applies its edits. */
  fork(): VirtualTree;
  adopt(fork: VirtualTree): void;
}

export function createVirtualTree(base: Snapshot, initial: Edits = new Map()): VirtualTree {
  return treeOver(base, { initial, hashes: new WeakMap() });
}

/** `hashes`: cache of content hashes, because a chore that changes thousands of pages needs them after each page. */
function treeOver(
  base: Snapshot,
  { initial, hashes }: { initial: Edits; hashes: WeakMap<Uint8Array, string> },
): VirtualTree {
  let edits = new Map(initial);
  const hash = (bytes: Uint8Array) => {
    const known = hashes.get(bytes) ?? createHash("sha256").update(bytes).digest("hex");
    hashes.set(bytes, known);
    return known;
  };
  let basePaths: Promise<ReadonlySet<string>> | null = null;
  const isInBase = async (path: string) =>
    (await (basePaths ??= base.files().then((files) => new Set(files.map((file) => file.path))))).has(path);

  const tree: VirtualTree = {
    async files() {
      const merged: SnapshotFile[] = (await base.files()).filter((file) => !edits.has(file.path));
      for (const [path, bytes] of edits) {
        if (bytes) merged.push({ path, version: hash(bytes), sizeBytes: bytes.length, kind: "file" });
      }
      return merged.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
    async read(path) {
      if (holdsCredentials(path)) return null;
      const edited = edits.get(path);
      return edited === undefined ? base.read(path) : edited;
    },
    async readText(path) {
      const bytes = await tree.read(path);
      return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
    async exists(path) {
      const edited = edits.get(path);
      return edited === undefined ? isInBase(path) : edited !== null;
    },
    write(path, content) {
      edits.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    },
    remove(path) {
      edits.set(path, null);
    },
    edits: () => new Map(edits),
    fork: () => treeOver(base, { initial: edits, hashes }),
    adopt(fork) {
      edits = new Map(fork.edits());
    },
  };
  return tree;
}
