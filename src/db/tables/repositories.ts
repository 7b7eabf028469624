import type { ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant } from "./projects.ts";

/** A repository kept in the database; the directories of nodes have copies of it. */
export interface RepositoryTable {
  /** Id of a project, or of the source that this mirrors. */
  id: Immutable<ProjectId>;
  /** The branch that clones check out. */
  head: string;
  /** Whether files of a mirror may be left at its host. */
  blobs: Immutable<"here" | "at-host">;
  /** Random; changes with the references or `head`. Never repeats, so that a restored backup is detected. */
  version: string;
  /** Random; changes with the packs. */
  packs: string;
  created_at: Immutable<Instant>;
}

export interface RepositoryReferenceTable {
  repository_id: Immutable<ProjectId>;
  /** Full name: `refs/heads/main`. */
  name: Immutable<string>;
  object_id: string;
}

/** Objects of a repository as a git pack. A pack never changes. */
export interface RepositoryPackTable {
  repository_id: Immutable<ProjectId>;
  /** Git's checksum of the pack. */
  name: Immutable<string>;
  size_bytes: Immutable<number>;
  /** Size of git's index, which follows the pack in the chunks, so that other nodes need not build it. */
  index_bytes: Immutable<number>;
  /** Whether its objects may reference objects that are only at a mirror's host. */
  is_partial: Immutable<Flag>;
  /** Name of the object in the bucket that has the pack and its index; null: they are in chunks. */
  object: string | null;
}

export interface RepositoryPackChunkTable {
  repository_id: Immutable<ProjectId>;
  pack: Immutable<string>;
  /** From 0. */
  number: Immutable<number>;
  content: Immutable<Uint8Array>;
}

/** An object in the bucket that no pack names: not yet, or no longer. */
export interface UnusedObjectTable {
  object: Immutable<string>;
  /** By the database's clock. */
  remove_after: Instant;
}

export interface RepositoryTables {
  repository: RepositoryTable;
  repository_reference: RepositoryReferenceTable;
  repository_pack: RepositoryPackTable;
  repository_pack_chunk: RepositoryPackChunkTable;
  unused_object: UnusedObjectTable;
}
