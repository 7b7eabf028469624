import { AppError } from "#lib/app-error.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import type { ObjectId, TreeEntry } from "./objects.ts";
import { nodeKind, nameText, type TreeNode } from "./tree-objects.ts";

/** Limits of a listing. A few tiny objects can represent any number of paths, so the steps of the walk count too. */
export interface TreeLimits {
  files: number;
  /** Visits, not distinct folders: twelve levels of ten identical folders are 10^12 visits. */
  folders: number;
  depth: number;
  /** Sum over all tree objects. */
  treeBytes: number;
  /** Sum over all paths. */
  pathCharacters: number;
}

/** The largest documentation repository known to us has 26,000 files. */
export const TREE_LIMITS: TreeLimits = {
  files: 100_000,
  folders: 50_000,
  depth: 100,
  treeBytes: 32 * 1024 * 1024,
  pathCharacters: 16 * 1024 * 1024,
};

const FILE_MODES = { file: "100644", executable: "100755", symlink: "120000", submodule: "160000" } as const;

interface Place {
  nodes: readonly TreeNode[];
  next: number;
  prefix: string;
}

/** Every file below `root` in git's order, in slices; counts every step. `AppError too_large` beyond the limits. */
export async function walkTree(
  trees: ReadonlyMap<ObjectId, readonly TreeNode[]>,
  root: ObjectId,
  limits: TreeLimits,
): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const breathe = createBreather();
  const open: Place[] = [{ nodes: trees.get(root) ?? [], next: 0, prefix: "" }];
  let folders = 0;
  let characters = 0;
  for (let place = open.at(-1); place !== undefined; place = open.at(-1)) {
    const rest = breathe();
    if (rest) await rest;
    const node = place.nodes[place.next++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    const kind = nodeKind(node);
    const path = place.prefix + nameText(node.name);
    characters += path.length;
    if (characters > limits.pathCharacters) throw tooLarge("paths that are too long");
    if (kind === "folder") {
      folders += 1;
      if (folders > limits.folders) throw tooLarge(`more than ${limits.folders.toLocaleString("en")} folders`);
      if (open.length > limits.depth) throw tooLarge(`folders more than ${limits.depth} deep`);
      open.push({ nodes: trees.get(node.oid) ?? [], next: 0, prefix: `${path}/` });
    } else {
      if (entries.length >= limits.files) throw tooLarge(`more than ${limits.files.toLocaleString("en")} files`);
      entries.push({ path, mode: FILE_MODES[kind], oid: node.oid, sizeBytes: node.sizeBytes });
    }
  }
  return entries;
}

/** The error for every limit on trees. */
export const tooLarge = (what: string) =>
  new AppError("too_large", `The repository has ${what}. Docent reads no repository like that.`);
