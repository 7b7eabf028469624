/** One file of a docs repository as the content code sees it. */
export interface SnapshotFile {
  path: string;
  /** Changes when and only when the content does: a blob id, or a hash of an edited file. */
  version: string;
  sizeBytes: number;
  kind: "file" | "symlink" | "submodule";
}

/** A docs repository at one moment: a commit, or an agent's unsaved edits on top of one. */
export interface Snapshot {
  files(): Promise<readonly SnapshotFile[]>;
  /** Bytes of a regular file; null when there is no such regular file. */
  read(path: string): Promise<Uint8Array | null>;
}

const START = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

/** No pointer is longer, by the specification of Git LFS. */
export const MAX_LFS_POINTER_BYTES = 1_023;

/** Git LFS leaves a few lines of text in a file's place: under the name of a picture, no picture. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_LFS_POINTER_BYTES && START.equals(bytes.subarray(0, START.length));
}
