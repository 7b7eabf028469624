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
