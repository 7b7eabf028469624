import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

/** The objects of a store in its bucket. */
export interface PackObjects {
  /** By name. */
  packs: Map<string, { repository: ProjectId; sizeBytes: number }>;
  /** Objects that no pack names, which are still there for a time. */
  unused: Set<string>;
}

export async function readPackObjects({ kysely }: Pick<Database, "kysely">): Promise<PackObjects> {
  const packs = await kysely
    .selectFrom("repository_pack")
    .select(["object", "repository_id", "size_bytes", "index_bytes"])
    .where("object", "is not", null)
    .execute();
  const unused = await kysely.selectFrom("unused_object").select("object").execute();
  return {
    packs: new Map(
      packs.map((pack) => [
        pack.object!,
        { repository: pack.repository_id, sizeBytes: pack.size_bytes + pack.index_bytes },
      ]),
    ),
    unused: new Set(unused.map(({ object }) => object)),
  };
}
