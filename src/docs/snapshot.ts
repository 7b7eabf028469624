import { FileUnreadable } from "#lib/file-unreadable.ts";

/** One file of a docs repository. */
export interface SnapshotFile {
  path: string;
  /** Changes exactly when the content does: a blob id, or a hash of an edited file. */
  version: string;
  sizeBytes: number;
  kind: "file" | "symlink" | "submodule";
}

/** A docs repository at one moment: a commit, or an agent's unsaved edits on top of one. */
export interface Snapshot {
  files(): Promise<readonly SnapshotFile[]>;
  /** Bytes of a regular file; null when it does not exist. `FileUnreadable` for one whose content is lost. */
  read(path: string): Promise<Uint8Array | null>;
  /** Files that could not be read so far; absent where that cannot happen. */
  unreadable?: ReadonlySet<string>;
}

/** The bytes of a file; null also for one whose content is lost. */
export const readIfPossible = (snapshot: Snapshot, path: string): Promise<Uint8Array | null> =>
  snapshot.read(path).catch((error: unknown) => {
    if (error instanceof FileUnreadable) return null;
    throw error;
  });

const START = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

/** The specification of Git LFS limits pointers to this. */
export const MAX_LFS_POINTER_BYTES = 1_023;

/** Whether a file is a Git LFS pointer: a few lines of text in place of an image or other large file. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_LFS_POINTER_BYTES && START.equals(bytes.subarray(0, START.length));
}
