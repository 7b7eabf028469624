/** A file before and after a turn: the ids of its contents, null if it does not exist. */
export interface OwnChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** The changes of this job's earlier turns, for the tool that undoes them. */
export interface OwnWork {
  /** The turns that were carried out, oldest first, each with its changes; empty for one that changed no file. */
  turns(): Promise<readonly (readonly OwnChange[])[]>;
  read(id: string): Promise<Uint8Array>;
}
