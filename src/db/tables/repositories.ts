import type { ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant } from "./projects.ts";

/** A repository that is kept in the store; the directories of nodes hold copies of it. */
export interface RepositoryTable {
  /** Of a project, or of the mirror of a source. */
  id: Immutable<ProjectId>;
  /** The branch that clones check out. */
  head: string;
  /** Whether files of a mirror may be left at its host. */
  blobs: Immutable<"here" | "at-host">;
  /** Another with each change of the references or of `head`. Never one of before, so that a store from a backup is told apart. */
  version: string;
  /** Another with each change of the packs. */
  packs: string;
  created_at: Immutable<Instant>;
}

export interface RepositoryReferenceTable {
  repository_id: Immutable<ProjectId>;
  /** In full: `refs/heads/main`. */
  name: Immutable<string>;
  object_id: string;
}

/** Objects of a repository, as git packs them. A pack never changes. */
export interface RepositoryPackTable {
  repository_id: Immutable<ProjectId>;
  /** Git's checksum of it. */
  name: Immutable<string>;
  size_bytes: Immutable<number>;
  /** Of git's index of it, which follows it in the chunks: another node need not make it. */
  index_bytes: Immutable<number>;
  /** Whether its objects may name others that are at the host of a mirror. */
  is_partial: Immutable<Flag>;
}

export interface RepositoryPackChunkTable {
  repository_id: Immutable<ProjectId>;
  pack: Immutable<string>;
  /** From 0 on. */
  number: Immutable<number>;
  content: Immutable<Uint8Array>;
}

export interface RepositoryTables {
  repository: RepositoryTable;
  repository_reference: RepositoryReferenceTable;
  repository_pack: RepositoryPackTable;
  repository_pack_chunk: RepositoryPackChunkTable;
}
