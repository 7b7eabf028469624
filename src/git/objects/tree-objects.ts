import type { ObjectId } from "./objects.ts";

/** One entry of a tree object. */
export interface TreeNode {
  /** The name with one character per byte: preserves names that are not UTF-8, and sorts as git does. */
  name: string;
  /** As stored: old repositories contain modes that git no longer writes. */
  mode: string;
  oid: ObjectId;
  /** Size of a blob; null for a folder or submodule. */
  sizeBytes: number | null;
}

export const FOLDER_MODE = "40000";

export type NodeKind = "folder" | "file" | "executable" | "symlink" | "submodule";

export function nodeKind(node: TreeNode): NodeKind {
  const mode = Number.parseInt(node.mode, 8);
  switch (mode & 0o170000) {
    case 0o040000:
      return "folder";
    case 0o120000:
      return "symlink";
    case 0o160000:
      return "submodule";
    default:
      return mode & 0o100 ? "executable" : "file";
  }
}

export const rawName = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
export const nameText = (name: string): string => Buffer.from(name, "latin1").toString("utf8");

/** Parses a tree object one node at a time, so that a large one can be read in slices. Sizes are null. */
export function* treeNodesOf(content: Buffer): Generator<TreeNode> {
  for (let offset = 0; offset < content.length;) {
    const space = content.indexOf(0x20, offset);
    const zero = content.indexOf(0, space);
    if (space === -1 || zero === -1 || zero + 21 > content.length) throw new Error("A tree object is damaged.");
    yield {
      mode: content.toString("latin1", offset, space),
      name: content.toString("latin1", space + 1, zero),
      oid: content.toString("hex", zero + 1, zero + 21),
      sizeBytes: null,
    };
    offset = zero + 21;
  }
}

// Git sorts a folder as if its name ended in a slash.
const sortKey = (node: TreeNode): string => (nodeKind(node) === "folder" ? `${node.name}/` : node.name);

export function serializeTree(nodes: readonly TreeNode[]): { nodes: TreeNode[]; content: Buffer } {
  const sorted = nodes
    .map((node) => ({ node, key: sortKey(node) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ node }) => node);
  const content = Buffer.concat(
    sorted.flatMap((node) => [Buffer.from(`${node.mode} ${node.name}\0`, "latin1"), Buffer.from(node.oid, "hex")]),
  );
  return { nodes: sorted, content };
}
