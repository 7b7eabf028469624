import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createPackStorage, type PackPlaces } from "./pack-places.ts";
import type { StoredPack } from "./repository-reads.ts";
import { noteUnused } from "./unused-objects.ts";

/** A pack could not be read completely, or was replaced by another meanwhile. */
class PackGone extends Error {}

type LocatedPack = StoredPack & { repository: ProjectId };

/** How many packs are not where new packs go. */
export async function countMisplaced(
  { kysely }: Pick<Database, "kysely">,
  to: PackPlaces["writesTo"],
): Promise<number> {
  const { count } = await kysely
    .selectFrom("repository_pack")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("object", to === "s3" ? "is" : "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Moves packs to where new ones go, one at a time, and returns how many it moved. Each is there before its row says so,
 * and nodes that read it at its former place meanwhile read it again. A pack that cannot be read is left in its place.
 * Nodes may run it at the same time: they begin at different packs, and the second to move one does nothing.
 */
export async function movePacks(
  { database, places }: { database: Database; places: PackPlaces },
  { signal, seed = crypto.randomUUID() }: { signal: AbortSignal; seed?: string },
): Promise<number> {
  const storage = createPackStorage(database, places);
  let moved = 0;
  for (const pack of inOrderOf(seed, await misplaced(database, places.writesTo))) {
    if (signal.aborted) break;
    if (await movePack(pack)) moved += 1;
  }
  return moved;

  async function movePack(pack: LocatedPack): Promise<boolean> {
    const { repository, name, object } = pack;
    const begun = await storage
      .begin(repository, { ...pack, read: () => whole(storage.read(repository, pack), pack) })
      .catch((error: unknown) => {
        if (error instanceof PackGone) return null;
        throw error;
      });
    if (begun === null) return false;
    try {
      await database.transaction(async (transaction) => {
        await transaction
          .updateTable("repository_pack")
          .set({ object: begun.object })
          .where("repository_id", "=", repository)
          .where("name", "=", name)
          .where("object", object === null ? "is" : "=", object)
          .returning("name")
          .executeTakeFirstOrThrow(() => new PackGone());
        await begun.finish(transaction);
        await noteUnused(transaction, [object], places);
        if (begun.object === null) return;
        await transaction
          .deleteFrom("repository_pack_chunk")
          .where("repository_id", "=", repository)
          .where("pack", "=", name)
          .execute();
      });
      return true;
    } catch (error) {
      await begun.abandon(database.kysely).catch(() => undefined); // removed later then
      if (error instanceof PackGone) return false;
      throw error;
    }
  }
}

async function misplaced({ kysely }: Database, to: PackPlaces["writesTo"]): Promise<LocatedPack[]> {
  const rows = await kysely
    .selectFrom("repository_pack")
    .selectAll()
    .where("object", to === "s3" ? "is" : "is not", null)
    .execute();
  return rows.map((row) => ({
    repository: row.repository_id,
    name: row.name,
    sizeBytes: row.size_bytes,
    indexBytes: row.index_bytes,
    isPartial: row.is_partial === 1,
    object: row.object,
  }));
}

/** An order that differs from node to node. */
function inOrderOf(seed: string, packs: readonly LocatedPack[]): LocatedPack[] {
  const start = packs.length === 0 ? 0 : Number.parseInt(seed.slice(0, 6), 16) % packs.length;
  return [...packs.slice(start), ...packs.slice(0, start)];
}

async function* whole(content: AsyncIterable<Uint8Array>, { sizeBytes, indexBytes }: StoredPack) {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    yield chunk;
  }
  if (size !== sizeBytes + indexBytes) throw new PackGone();
}
