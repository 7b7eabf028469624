import { AppError } from "#lib/app-error.ts";
import { type NewObject, newObject } from "./new-object.ts";
import { EMPTY_TREE, type Edit, type ObjectId } from "./objects.ts";
import { newNameProblem, pathProblem } from "./path-policy.ts";
import { FOLDER_MODE, rawName, nodeKind, serializeTree, type TreeNode } from "./tree-objects.ts";

/** Edits arranged as a tree: a file's new content or removal, or a folder of further edits. */
interface EditFolder {
  files: Map<string, Uint8Array | null>;
  folders: Map<string, EditFolder>;
}

export interface EditedTree {
  tree: ObjectId;
  /** The objects to store for it. */
  objects: NewObject[];
  /** The trees among them, parsed. */
  trees: { oid: ObjectId; nodes: TreeNode[] }[];
}

/**
 * Computes the tree that results from edits, without writing anything. Stricter than git: `AppError invalid` for a path
 * against the policy, for a file in place of a remaining folder or the reverse, and for writing through or over a
 * symbolic link or a submodule. Removing a missing file changes nothing.
 */
export async function editTree(
  readTrees: (oids: ObjectId[]) => Promise<Map<ObjectId, readonly TreeNode[]>>,
  base: ObjectId,
  edits: readonly Edit[],
): Promise<EditedTree> {
  const result: EditedTree = { tree: base, objects: [], trees: [] };

  const build = async (oid: ObjectId | null, folder: EditFolder, prefix: string): Promise<ObjectId | null> => {
    const current = oid === null ? [] : ((await readTrees([oid])).get(oid) ?? []);
    const nodes = new Map(current.map((node) => [node.name, node]));
    for (const [segment, content] of folder.files) {
      if (content === null) removeFile(nodes, segment);
    }
    for (const [segment, below] of folder.folders) {
      const name = rawName(segment);
      const node = nodes.get(name);
      const path = prefix + segment;
      if (node && nodeKind(node) !== "folder") {
        if (!hasContent(below)) continue;
        throw refused(path, "a file, link or submodule of this name is in the way");
      }
      if (!node && !hasContent(below)) continue;
      if (!node) checkNewName(path, segment);
      const tree = await build(node?.oid ?? null, below, `${path}/`);
      if (tree === null) nodes.delete(name);
      else nodes.set(name, { name, mode: FOLDER_MODE, oid: tree, sizeBytes: null });
    }
    for (const [segment, content] of folder.files) {
      if (content !== null) result.objects.push(writeFile(nodes, prefix + segment, content));
    }
    if (nodes.size === 0 && prefix !== "") return null;
    const { content, nodes: sorted } = serializeTree([...nodes.values()]);
    const tree = newObject("tree", content);
    if (tree.oid !== oid) {
      result.objects.push(tree);
      result.trees.push({ oid: tree.oid, nodes: sorted });
    }
    return tree.oid;
  };

  const tree = await build(base === EMPTY_TREE ? null : base, groupEdits(edits), "");
  return { ...result, tree: tree ?? EMPTY_TREE };
}

function groupEdits(edits: readonly Edit[]): EditFolder {
  const root: EditFolder = { files: new Map(), folders: new Map() };
  for (const { path, content } of edits) {
    const problem = pathProblem(path);
    if (problem !== null) throw refused(path, problem);
    const segments = path.split("/");
    const file = segments.pop() ?? "";
    let folder = root;
    for (const segment of segments) {
      let next = folder.folders.get(segment);
      if (!next) folder.folders.set(segment, (next = { files: new Map(), folders: new Map() }));
      folder = next;
    }
    folder.files.set(file, content);
  }
  return root;
}

const hasContent = (folder: EditFolder): boolean =>
  [...folder.files.values()].some((content) => content !== null) || [...folder.folders.values()].some(hasContent);

function removeFile(nodes: Map<string, TreeNode>, segment: string): void {
  const name = rawName(segment);
  const node = nodes.get(name);
  if (node && nodeKind(node) !== "folder") nodes.delete(name);
}

function writeFile(nodes: Map<string, TreeNode>, path: string, content: Uint8Array): NewObject {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  const name = rawName(segment);
  const node = nodes.get(name);
  const kind = node ? nodeKind(node) : null;
  if (kind === null) checkNewName(path, segment);
  else if (kind !== "file" && kind !== "executable") {
    throw refused(path, `there is a ${kind} of this name`);
  }
  const blob = newObject("blob", content);
  const mode = kind === "executable" ? "100755" : "100644";
  nodes.set(name, { name, mode, oid: blob.oid, sizeBytes: content.length });
  return blob;
}

function checkNewName(path: string, segment: string): void {
  const problem = newNameProblem(segment);
  if (problem !== null) throw refused(path, problem);
}

function refused(path: string, problem: string): AppError {
  const message = `"${path.slice(0, 200)}" cannot be written: ${problem}.`;
  return new AppError("invalid", message, { details: [{ path: path.slice(0, 200), message: problem }] });
}
