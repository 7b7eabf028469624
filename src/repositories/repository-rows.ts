import { randomUUID } from "node:crypto";
import { type Insertable, sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { RepositoryReferenceTable } from "#db/tables/repositories.ts";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { readStoredReferences, type RepositoryState, type StoredPack } from "./repository-reads.ts";

/** A pack on its way into the store. */
export interface NewPack extends StoredPack {
  /** Its bytes and those of its index, in pieces of any size; read again when the transaction is repeated. */
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface RepositoryChange {
  pack: NewPack | null;
  updates: readonly ReferenceUpdate[];
  head?: string;
}

/** Something of the change is not as it was expected; nothing of it was stored. */
class RaceLost extends Error {}

const CHUNK_BYTES = 1024 * 1024;
/** PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 5_000;

/** Stores a repository with all that it has. `AppError conflict` when it is there. */
export async function insertRepository(
  database: Database,
  id: ProjectId,
  given: {
    head: string;
    blobs: "here" | "at-host";
    references: ReadonlyMap<string, ObjectId>;
    pack: NewPack | null;
    /** Takes the place of one that is there. */
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
        // By the clock of the database, which all nodes share.
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
 * Stores objects and moves references in one transaction: all or nothing. Null when a reference is not where it is expected;
 * `AppError conflict` when a name cannot be had, `unavailable` when there is no such repository.
 */
export async function changeRepository(
  database: Database,
  id: ProjectId,
  { pack, updates, head }: RepositoryChange,
): Promise<{ before: RepositoryState; after: RepositoryState } | null> {
  return database
    .transaction(async (transaction) => {
      // First what takes long: other nodes wait for the row.
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

/** To git a reference is a file: `a` and `a/b` cannot both be. */
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

/** Of two nodes that store the same pack, the second waits for the first and has nothing to do. */
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

/** Puts one pack in place of several; false when some of them are gone, as another node did the same. */
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

/** Deletes a repository with all that it has. */
export async function deleteRepository({ kysely }: Database, id: ProjectId): Promise<void> {
  await kysely.deleteFrom("repository").where("id", "=", id).execute();
}
