import type { Database } from "#db/database.ts";
import type { NewPack, PackStorage } from "./pack-storage.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Packs in rows of the database. */
export function createChunkPacks({ kysely }: Pick<Database, "kysely">): PackStorage {
  return {
    begin: async (repository, pack) => ({
      object: null,
      async finish(transaction) {
        let number = 0;
        for await (const content of inChunks(pack.read())) {
          await transaction
            .insertInto("repository_pack_chunk")
            .values({ repository_id: repository, pack: pack.name, number, content })
            .execute();
          number += 1;
        }
      },
      abandon: async () => undefined, // the transaction was rolled back
    }),
    async *read(repository, pack) {
      for (let number = 0; ; number++) {
        const chunk = await kysely
          .selectFrom("repository_pack_chunk")
          .select("content")
          .where("repository_id", "=", repository)
          .where("pack", "=", pack.name)
          .where("number", "=", number)
          .executeTakeFirst();
        if (!chunk) return;
        yield chunk.content;
      }
    },
  };
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
