import { AppError } from "#lib/app-error.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ObjectReader } from "./object-reader.ts";
import { EMPTY_TREE, type ObjectId, type TreeEntry } from "./objects.ts";
import { nodeKind, parseTree, textOf, type TreeNode } from "./tree-objects.ts";

/** Tree objects as the callers want them, cached by id: a new commit costs only the folders that differ. */
export interface Trees {
  /** The nodes of each tree, with the sizes of its blobs. */
  read(reader: ObjectReader, oids: Iterable<ObjectId>): Promise<Map<ObjectId, readonly TreeNode[]>>;
  /** Every file below a tree. */
  list(reader: ObjectReader, root: ObjectId): Promise<readonly TreeEntry[]>;
  /** Takes over a tree that was just written. */
  learn(oid: ObjectId, nodes: readonly TreeNode[]): void;
}

// About 200 bytes each: 40 MB a cache when full.
const MAX_CACHED_NODES = 200_000;
// A tree can name itself ten times over ten levels; nothing that Docent hosts comes near.
const MAX_FILES = 500_000;
const MAX_DEPTH = 200;
const MAX_TREE_BYTES = 32 * 1024 * 1024;

const FILE_MODES = { file: "100644", executable: "100755", symlink: "120000", submodule: "160000" } as const;

export function createTrees(): Trees {
  const nodesByTree = createLruCache<ObjectId, readonly TreeNode[]>({
    maxWeight: MAX_CACHED_NODES,
    weigh: (nodes) => nodes.length + 1,
  });
  const filesByTree = createLruCache<ObjectId, readonly TreeEntry[]>({
    maxWeight: MAX_CACHED_NODES,
    weigh: (entries) => entries.length + 1,
  });

  const read: Trees["read"] = async (reader, oids) => {
    const found = new Map<ObjectId, readonly TreeNode[]>();
    const missing: ObjectId[] = [];
    for (const oid of new Set(oids)) {
      const nodes = oid === EMPTY_TREE ? [] : nodesByTree.get(oid);
      if (nodes) found.set(oid, nodes);
      else missing.push(oid);
    }
    for (const [oid, nodes] of await load(reader, missing)) {
      nodesByTree.set(oid, nodes);
      found.set(oid, nodes);
    }
    return found;
  };

  return {
    read,
    async list(reader, root) {
      const known = filesByTree.get(root);
      if (known) return known;
      const trees = new Map<ObjectId, readonly TreeNode[]>();
      let level = [root];
      for (let depth = 0; level.length > 0; depth++) {
        if (depth > MAX_DEPTH) throw tooLarge();
        for (const [oid, nodes] of await read(reader, level)) trees.set(oid, nodes);
        if (trees.size > MAX_FILES) throw tooLarge();
        level = [...new Set(level.flatMap((oid) => foldersOf(trees.get(oid))))].filter((oid) => !trees.has(oid));
      }
      const entries = flatten(trees, root);
      filesByTree.set(root, entries);
      return entries;
    },
    learn: (oid, nodes) => nodesByTree.set(oid, nodes),
  };
}

const foldersOf = (nodes: readonly TreeNode[] = []): ObjectId[] =>
  nodes.filter((node) => nodeKind(node) === "folder").map((node) => node.oid);

const tooLarge = () => new AppError("too_large", "The repository has more files than can be listed.");

/** Two round trips: the trees, then the sizes of all their blobs. */
async function load(reader: ObjectReader, oids: readonly ObjectId[]): Promise<Map<ObjectId, TreeNode[]>> {
  const loaded = new Map<ObjectId, TreeNode[]>();
  if (oids.length === 0) return loaded;
  const headers = await reader.headers(oids);
  for (const header of headers) {
    if (header?.type !== "tree") throw new AppError("not_found", "There is no such tree.");
    if (header.sizeBytes > MAX_TREE_BYTES) throw tooLarge();
  }
  for (const [index, object] of (await reader.objects(oids)).entries()) {
    if (!object) throw new AppError("not_found", "There is no such tree.");
    loaded.set(oids[index] ?? object.oid, parseTree(object.content));
  }
  const blobs = [...loaded.values()]
    .flat()
    .filter((node) => nodeKind(node) !== "folder" && nodeKind(node) !== "submodule");
  const sizes = await reader.headers(blobs.map((node) => node.oid));
  for (const [index, node] of blobs.entries()) node.sizeBytes = sizes[index]?.sizeBytes ?? 0;
  return loaded;
}

function flatten(trees: ReadonlyMap<ObjectId, readonly TreeNode[]>, root: ObjectId): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const visit = (oid: ObjectId, prefix: string, depth: number) => {
    if (depth > MAX_DEPTH) throw tooLarge();
    for (const node of trees.get(oid) ?? []) {
      const kind = nodeKind(node);
      const path = prefix + textOf(node.name);
      if (kind === "folder") {
        visit(node.oid, `${path}/`, depth + 1);
        continue;
      }
      if (entries.length >= MAX_FILES) throw tooLarge();
      entries.push({ path, mode: FILE_MODES[kind], oid: node.oid, sizeBytes: node.sizeBytes });
    }
  };
  visit(root, "", 0);
  return entries;
}
