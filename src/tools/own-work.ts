/** A file as a turn found it and as it left it: the ids of the contents, null where there is no file. */
export interface OwnChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** What this job's earlier turns did, for the tool that takes it back. */
export interface OwnWork {
  /** The turns that were carried out, oldest first, each with what it changed; none for one that changed no file. */
  turns(): Promise<readonly (readonly OwnChange[])[]>;
  read(id: string): Promise<Uint8Array>;
}
