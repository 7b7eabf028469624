import { randomUUID } from "node:crypto";
import { type Insertable, sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { RepositoryReferenceTable } from "#db/tables/repositories.ts";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { readStoredReferences, type RepositoryState, type StoredPack } from "./repository-reads.ts";

/** A pack to store. */
export interface NewPack extends StoredPack {
  /** The bytes of the pack and its index, in chunks of any size; called again if the transaction is retried. */
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface RepositoryChange {
  pack: NewPack | null;
  updates: readonly ReferenceUpdate[];
  head?: string;
}

/** A reference or pack did not have its expected value; nothing was stored. */
class RaceLost extends Error {}

const CHUNK_BYTES = 1024 * 1024;
/** PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 5_000;

/** Stores a new repository with its references and objects. `AppError conflict` if it exists. */
export async function insertRepository(
  database: Database,
  id: ProjectId,
  given: {
    head: string;
    blobs: "here" | "at-host";
    references: ReadonlyMap<string, ObjectId>;
    pack: NewPack | null;
    /** Replaces an existing repository. */
    replaces?: boolean;
  },
): Promise<RepositoryState> {
  const state = { version: randomUUID(), packs: randomUUID() };
  await database.transaction(async (transaction) => {
    if (given.replaces) await transaction.deleteFrom("repository").where("id", "=", id).execute();
    const inserted = await transaction
      .insertInto("repository")
      .values({
        id,
        ...state,
        head: given.head,
        blobs: given.blobs,
        // The database's clock, because all nodes share it.
        created_at: sql<number>`(extract(epoch from now()) * 1000)::bigint`,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!inserted) throw new AppError("conflict", "The project has a repository.");
    if (given.pack) await insertPack(transaction, id, given.pack);
    await insertReferences(
      transaction,
      [...given.references].map(([name, object]) => ({ repository_id: id, name, object_id: object })),
    );
  });
  return state;
}

/**
 * Stores objects and moves references in one transaction. Null if a reference does not have its expected value;
 * `AppError conflict` if a reference name collides with another, `unavailable` for an unknown repository.
 */
export async function changeRepository(
  database: Database,
  id: ProjectId,
  { pack, updates, head }: RepositoryChange,
): Promise<{ before: RepositoryState; after: RepositoryState } | null> {
  return database
    .transaction(async (transaction) => {
      // The slow part comes before the row is locked, because other nodes wait for it.
      if (pack) await insertPack(transaction, id, pack);
      const before = await transaction
        .selectFrom("repository")
        .select(["version", "packs"])
        .where("id", "=", id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!before) throw new AppError("unavailable", "The repository of this project is missing.");
      if (updates.length > 0) await moveReferences(transaction, id, updates);
      const after = {
        version: updates.length > 0 || head !== undefined ? randomUUID() : before.version,
        packs: pack ? randomUUID() : before.packs,
      };
      await transaction
        .updateTable("repository")
        .set({ ...after, ...(head !== undefined && { head }) })
        .where("id", "=", id)
        .execute();
      return { before, after };
    })
    .catch((error: unknown) => {
      if (error instanceof RaceLost) return null;
      throw error;
    });
}

async function moveReferences(transaction: DatabaseTransaction, id: ProjectId, updates: readonly ReferenceUpdate[]) {
  const current = await readStoredReferences(transaction, id);
  for (const { ref, expected } of updates) if ((current.get(ref) ?? null) !== expected) throw new RaceLost();
  const moved = updates.filter(({ to, expected }) => to !== expected);
  for (const { ref, to } of moved) if (to === null) current.delete(ref);
  for (const { ref, to } of moved) if (to !== null) current.set(ref, to);
  if (moved.some(({ to, expected }) => to !== null && expected === null)) refuseNested(current);
  for (let from = 0; from < moved.length; from += ROWS_AT_ONCE) {
    const names = moved.slice(from, from + ROWS_AT_ONCE).map(({ ref }) => ref);
    await transaction
      .deleteFrom("repository_reference")
      .where("repository_id", "=", id)
      .where("name", "in", names)
      .execute();
  }
  await insertReferences(
    transaction,
    moved.flatMap(({ ref, to }) => (to === null ? [] : [{ repository_id: id, name: ref, object_id: to }])),
  );
}

/** Git stores a reference as a file, so `a` and `a/b` cannot both exist. */
function refuseNested(references: ReadonlyMap<string, ObjectId>): void {
  for (const name of references.keys()) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      if (!references.has(name.slice(0, at))) continue;
      throw new AppError("conflict", "The branch name is taken by another branch, or is locked.");
    }
  }
}

async function insertReferences(transaction: DatabaseTransaction, rows: Insertable<RepositoryReferenceTable>[]) {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await transaction
      .insertInto("repository_reference")
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

/** If two nodes store the same pack, the second waits for the first and then skips it. */
async function insertPack(transaction: DatabaseTransaction, id: ProjectId, pack: NewPack): Promise<void> {
  const inserted = await transaction
    .insertInto("repository_pack")
    .values({
      repository_id: id,
      name: pack.name,
      size_bytes: pack.sizeBytes,
      index_bytes: pack.indexBytes,
      is_partial: pack.isPartial ? 1 : 0,
    })
    .onConflict((conflict) => conflict.columns(["repository_id", "name"]).doNothing())
    .returning("name")
    .executeTakeFirst();
  if (!inserted) return;
  let number = 0;
  for await (const content of inChunks(pack.read())) {
    await transaction
      .insertInto("repository_pack_chunk")
      .values({ repository_id: id, pack: pack.name, number, content })
      .execute();
    number += 1;
  }
}

async function* inChunks(pieces: ReturnType<NewPack["read"]>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < CHUNK_BYTES) continue;
    let joined = Buffer.concat(waiting);
    for (; joined.length >= CHUNK_BYTES; joined = joined.subarray(CHUNK_BYTES)) yield joined.subarray(0, CHUNK_BYTES);
    waiting = [joined];
    size = joined.length;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** Replaces several packs with one; false if some of them are gone because another node did the same. */
export function replacePacks(
  database: Database,
  id: ProjectId,
  { pack, replaced }: { pack: NewPack; replaced: readonly string[] },
): Promise<boolean> {
  return database
    .transaction(async (transaction) => {
      await insertPack(transaction, id, pack);
      await transaction.updateTable("repository").set({ packs: randomUUID() }).where("id", "=", id).execute();
      const removed = await transaction
        .deleteFrom("repository_pack")
        .where("repository_id", "=", id)
        .where("name", "in", replaced)
        .returning("name")
        .execute();
      if (removed.length < replaced.length) throw new RaceLost();
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof RaceLost) return false;
      throw error;
    });
}

/** Deletes a repository with its references and objects. */
export async function deleteRepository({ kysely }: Database, id: ProjectId): Promise<void> {
  await kysely.deleteFrom("repository").where("id", "=", id).execute();
}
