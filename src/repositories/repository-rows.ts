import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { RepositoryReferenceTable } from "#db/tables/repositories.ts";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { PackPlaces } from "./pack-places.ts";
import type { BegunPack, NewPack, PackStorage } from "./pack-storage.ts";
import { readStoredReferences, type RepositoryState } from "./repository-reads.ts";
import { databaseClock, noteUnused } from "./unused-objects.ts";

/** The rows of repositories, and where their packs go. */
export interface RepositoryStorage extends Pick<PackPlaces, "keepMs"> {
  database: Database;
  packs: PackStorage;
}

export interface RepositoryChange {
  pack: NewPack | null;
  updates: readonly ReferenceUpdate[];
  head?: string;
}

/** A reference or pack did not have its expected value; nothing was stored. */
class RaceLost extends Error {}

/** PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 5_000;

/** Stores a new repository with its references and objects. `AppError conflict` if it exists. */
export async function insertRepository(
  storage: RepositoryStorage,
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
  await withPack(storage, { id, pack: given.pack }, async (transaction, addPack) => {
    if (given.replaces) await removeRows(transaction, id, storage);
    await transaction
      .insertInto("repository")
      .values({
        id,
        ...state,
        head: given.head,
        blobs: given.blobs,
        created_at: databaseClock(),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirstOrThrow(() => new AppError("conflict", "The project has a repository."));
    await addPack();
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
  storage: RepositoryStorage,
  id: ProjectId,
  { pack, updates, head }: RepositoryChange,
): Promise<{ before: RepositoryState; after: RepositoryState } | null> {
  return withPack(storage, { id, pack }, async (transaction, addPack) => {
    // The slow part comes before the row is locked, because other nodes wait for it.
    await addPack();
    const before = await transaction
      .selectFrom("repository")
      .select(["version", "packs"])
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => new AppError("unavailable", "The repository of this project is missing."));
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
  }).catch(nullIfLost);
}

function nullIfLost(error: unknown): null {
  if (error instanceof RaceLost) return null;
  throw error;
}

/** Runs a transaction that stores a pack by `addPack`; the bytes are removed if it fails. */
async function withPack<T>(
  { database, packs }: RepositoryStorage,
  { id, pack }: { id: ProjectId; pack: NewPack | null },
  work: (transaction: DatabaseTransaction, addPack: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const begun = pack && (await packs.begin(id, pack));
  try {
    return await database.transaction((transaction) =>
      work(transaction, async () => {
        if (pack && begun) await insertPack(transaction, id, { pack, begun });
      }),
    );
  } catch (error) {
    await begun?.abandon(database.kysely).catch(() => undefined); // removed later then
    throw error;
  }
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
async function insertPack(
  transaction: DatabaseTransaction,
  id: ProjectId,
  { pack, begun }: { pack: NewPack; begun: BegunPack },
): Promise<void> {
  const inserted = await transaction
    .insertInto("repository_pack")
    .values({
      repository_id: id,
      name: pack.name,
      size_bytes: pack.sizeBytes,
      index_bytes: pack.indexBytes,
      is_partial: pack.isPartial ? 1 : 0,
      object: begun.object,
    })
    .onConflict((conflict) => conflict.columns(["repository_id", "name"]).doNothing())
    .returning("name")
    .executeTakeFirst();
  await (inserted ? begun.finish(transaction) : begun.abandon(transaction));
}

/** Replaces several packs with one; false if some of them are gone because another node did the same. */
export async function replacePacks(
  storage: RepositoryStorage,
  id: ProjectId,
  { pack, replaced }: { pack: NewPack; replaced: readonly string[] },
): Promise<boolean> {
  const done = await withPack(storage, { id, pack }, async (transaction, addPack) => {
    await addPack();
    await transaction.updateTable("repository").set({ packs: randomUUID() }).where("id", "=", id).execute();
    const removed = await transaction
      .deleteFrom("repository_pack")
      .where("repository_id", "=", id)
      .where("name", "in", replaced)
      .returning("object")
      .execute();
    if (removed.length < replaced.length) throw new RaceLost();
    const objects = removed.map(({ object }) => object);
    await noteUnused(transaction, objects, storage);
    return true;
  }).catch(nullIfLost);
  return done ?? false;
}

/** Deletes a repository with its references and objects. Objects in a bucket are removed soon. */
export const deleteRepository = ({ database }: Pick<RepositoryStorage, "database">, id: ProjectId): Promise<void> =>
  database.transaction((transaction) => removeRows(transaction, id, { keepMs: 0 }));

async function removeRows(transaction: DatabaseTransaction, id: ProjectId, keep: { keepMs: number }): Promise<void> {
  // Locked, so that no pack is added after its objects are noted.
  const row = await transaction
    .selectFrom("repository")
    .select("id")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const packs = await transaction
    .selectFrom("repository_pack")
    .select("object")
    .where("repository_id", "=", id)
    .execute();
  const objects = packs.map(({ object }) => object);
  await noteUnused(transaction, objects, keep);
  await transaction.deleteFrom("repository").where("id", "=", id).execute();
}
