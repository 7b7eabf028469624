import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { StoredPack } from "./repository-reads.ts";

/** A pack to store. */
export interface NewPack extends Omit<StoredPack, "object"> {
  /** The bytes of the pack and its index, in chunks of any size; called again if storing is retried. */
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Where the bytes of packs are. Which packs there are is in rows of the database: a pack is stored before its row is
 * committed, or in the same transaction.
 */
export interface PackStorage {
  /** Begins to store a pack. What a crash leaves is removed later. */
  begin(repository: ProjectId, pack: NewPack): Promise<BegunPack>;
  /** The bytes of a pack and its index; ends early if they are gone, as after a compaction. */
  read(repository: ProjectId, pack: StoredPack): AsyncIterable<Uint8Array>;
}

/** A pack whose row is not committed yet. */
export interface BegunPack {
  /** For the row of the pack. */
  object: string | null;
  /** Part of the transaction that writes the row; may run again. */
  finish(transaction: DatabaseTransaction): Promise<void>;
  /** Removes the bytes soon. Does nothing for a pack that is finished. */
  abandon(by: DatabaseTransaction | Database["kysely"]): Promise<void>;
}
