import { type Breather, createBreather } from "#lib/waiting/breather.ts";
import { AppError } from "#lib/app-error.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { ObjectReader } from "./object-reader.ts";
import { EMPTY_TREE, isObjectId, type ObjectId, type TreeEntry } from "./objects.ts";
import { tooLarge, type TreeLimits, TREE_LIMITS, walkTree } from "./tree-walk.ts";
import { nodeKind, treeNodesOf, type TreeNode } from "./tree-objects.ts";

/** Parsed tree objects, cached by id: a new commit costs only the folders that differ. */
export interface Trees {
  /** The nodes of each tree, with the sizes of its blobs. */
  read(reader: ObjectReader, oids: Iterable<ObjectId>): Promise<Map<ObjectId, readonly TreeNode[]>>;
  /** Every file below a tree. `AppError too_large` beyond the limits; the refusal is cached. */
  list(reader: ObjectReader, root: ObjectId): Promise<readonly TreeEntry[]>;
  /** Adds a tree that was just written to the cache. */
  learn(oid: ObjectId, nodes: readonly TreeNode[]): void;
}

// About 200 bytes each: a full cache takes 40 MB.
const MAX_CACHED_NODES = 200_000;
// Each commit has a list of its own, which is made from folders that it shares with others: 1 ms for 1,500 files, 30 ms for
// 25,000. With the limit of the nodes, those of 100 jobs took 30 MB.
const MAX_LISTED_FILES = cacheLimit(100_000);
const MAX_REMEMBERED_REFUSALS = 1_000;
const HEADERS_AT_ONCE = 2_000;
const TREES_AT_ONCE = 500;

export function createTrees(limits: TreeLimits = TREE_LIMITS): Trees {
  const nodesByTree = createLruCache<ObjectId, readonly TreeNode[]>({
    maxWeight: MAX_CACHED_NODES,
    weigh: (nodes) => nodes.length + 1,
  });
  const filesByTree = createLruCache<ObjectId, readonly TreeEntry[]>({
    maxWeight: MAX_LISTED_FILES,
    // A larger one is kept alone.
    weigh: (entries) => Math.min(entries.length + 1, MAX_LISTED_FILES),
  });
  const refused = createLruCache<ObjectId, AppError>({ maxWeight: MAX_REMEMBERED_REFUSALS });

  const read = async (reader: ObjectReader, oids: Iterable<ObjectId>, left: Left) => {
    const found = new Map<ObjectId, readonly TreeNode[]>();
    const missing: ObjectId[] = [];
    for (const oid of new Set(oids)) {
      const nodes = oid === EMPTY_TREE ? [] : nodesByTree.get(oid);
      if (nodes) found.set(oid, nodes);
      else missing.push(oid);
    }
    for (let start = 0; start < missing.length; start += TREES_AT_ONCE) {
      for (const [oid, nodes] of await load(reader, missing.slice(start, start + TREES_AT_ONCE), left)) {
        nodesByTree.set(oid, nodes);
        found.set(oid, nodes);
      }
    }
    return found;
  };

  /** All distinct trees below a root. The walk limits how often each of them may occur in the listing. */
  const readBelow = async (reader: ObjectReader, root: ObjectId): Promise<Map<ObjectId, readonly TreeNode[]>> => {
    const trees = new Map<ObjectId, readonly TreeNode[]>();
    const left = leftOf(limits);
    const breathe = createBreather();
    let level = [root];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > limits.depth) throw tooLarge(`folders more than ${limits.depth} deep`);
      const next = new Set<ObjectId>();
      for (const [oid, nodes] of await read(reader, level, left)) {
        trees.set(oid, nodes);
        for (const node of nodes) if (nodeKind(node) === "folder") next.add(node.oid);
        const rest = breathe();
        if (rest) await rest;
      }
      if (trees.size > limits.folders + 1) throw tooLarge(`more than ${limits.folders.toLocaleString("en")} folders`);
      level = [...next].filter((oid) => !trees.has(oid));
    }
    return trees;
  };

  return {
    read: (reader, oids) => read(reader, oids, leftOf(limits)),
    async list(reader, root) {
      const known = filesByTree.get(root);
      if (known) return known;
      const refusal = refused.get(root);
      if (refusal) throw refusal;
      try {
        const entries = await walkTree(await readBelow(reader, root), root, limits);
        filesByTree.set(root, entries);
        return entries;
      } catch (error) {
        if (error instanceof AppError && error.code === "too_large") refused.set(root, error);
        throw error;
      }
    },
    learn: (oid, nodes) => nodesByTree.set(oid, nodes),
  };
}

/** The remaining allowance of one listing. */
interface Left {
  nodes: number;
  bytes: number;
}

const leftOf = ({ files, folders, treeBytes }: TreeLimits): Left => ({ nodes: files + folders, bytes: treeBytes });

/** Loads the trees, then the sizes of all their blobs. */
async function load(
  reader: ObjectReader,
  oids: readonly ObjectId[],
  left: Left,
): Promise<Map<ObjectId, readonly TreeNode[]>> {
  const loaded = new Map<ObjectId, readonly TreeNode[]>();
  const headers = await reader.headers(oids);
  for (const header of headers) {
    if (header?.type !== "tree") throw new AppError("not_found", "There is no such tree.");
    left.bytes -= header.sizeBytes;
    if (left.bytes < 0) throw tooLarge("folders with too many and too long names");
  }
  const breathe = createBreather();
  for (const [index, object] of (await reader.objects(oids)).entries()) {
    if (!object) throw new AppError("not_found", "There is no such tree.");
    loaded.set(oids[index] ?? object.oid, await parse(object.content, { left, breathe }));
  }
  const blobs = [...loaded.values()]
    .flat()
    .filter((node) => nodeKind(node) !== "folder" && nodeKind(node) !== "submodule");
  for (let start = 0; start < blobs.length; start += HEADERS_AT_ONCE) {
    const some = blobs.slice(start, start + HEADERS_AT_ONCE);
    const sizes = await reader.headers(some.map((node) => node.oid));
    for (const [index, node] of some.entries()) node.sizeBytes = sizes[index]?.sizeBytes ?? 0;
  }
  return loaded;
}

async function parse(content: Buffer, { left, breathe }: { left: Left; breathe: Breather }): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  for (const node of treeNodesOf(content)) {
    if (--left.nodes < 0) throw tooLarge("too many files and folders");
    nodes.push(node);
    const rest = breathe();
    if (rest) await rest;
  }
  return nodes;
}

/** The tree of a commit, or the tree itself. `AppError not_found`. */
export async function treeOf(reader: ObjectReader, id: ObjectId): Promise<ObjectId> {
  if (id === EMPTY_TREE) return EMPTY_TREE;
  const [header] = isObjectId(id) ? await reader.headers([`${id}^{tree}`]) : [null];
  if (!header) throw new AppError("not_found", "There is no such commit.");
  return header.oid;
}
