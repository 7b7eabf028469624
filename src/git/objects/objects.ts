/** Full 40-digit object id. */
export type ObjectId = string;

/** The empty tree, which git knows without storing it. */
export const EMPTY_TREE: ObjectId = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const OBJECT_ID = /^[0-9a-f]{40}$/;

export function isObjectId(text: string): text is ObjectId {
  return OBJECT_ID.test(text);
}

export interface TreeEntry {
  /** Slash-separated, relative to the repository's root, in git's byte order. */
  path: string;
  /** Regular file, executable, symbolic link, submodule. */
  mode: "100644" | "100755" | "120000" | "160000";
  oid: ObjectId;
  /** Null for a submodule. */
  sizeBytes: number | null;
}

/** One file of a new tree; `content: null` removes it. */
export interface Edit {
  path: string;
  content: Uint8Array | null;
}

export interface Identity {
  name: string;
  email: string;
}

export interface CommitInfo {
  id: ObjectId;
  tree: ObjectId;
  parents: ObjectId[];
  subject: string;
  /** Message without its first line and trailers. */
  body: string;
  trailers: Record<string, string>;
  author: Identity;
  authoredAt: Date;
}

export interface FileChange {
  status: "added" | "modified" | "removed" | "renamed";
  path: string;
  /** Former path of a renamed file. */
  oldPath: string | null;
  /** Null for a binary file. */
  additions: number | null;
  deletions: number | null;
}

/** Compare-and-swap of one reference: `expected: null` means that it must not exist, `to: null` deletes it. */
export interface ReferenceUpdate {
  ref: string;
  to: ObjectId | null;
  expected: ObjectId | null;
}

export type TreeMerge = { ok: true; tree: ObjectId } | { ok: false; conflicts: string[] };

/** The name of a trailer such as `Merged-by: Ada Writer <ada@example.com>`; null without one. */
export const nameInTrailer = (trailer = ""): string | null => trailer.split("<", 1)[0]?.trim() || null;
