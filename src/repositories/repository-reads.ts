import type { Database } from "#db/database.ts";
import type { ObjectId } from "#git/objects/objects.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** The version of a stored repository: a copy with the same values is current. */
export interface RepositoryState {
  version: string;
  packs: string;
}

export interface StoredPack {
  name: string;
  sizeBytes: number;
  indexBytes: number;
  isPartial: boolean;
  /** Name of its object in the bucket; null: it is in the database. */
  object: string | null;
}

export interface StoredRepository {
  state: RepositoryState;
  head: string;
  blobs: "here" | "at-host";
  references: ReadonlyMap<string, ObjectId>;
  packs: readonly StoredPack[];
}

/**
 * Everything that a copy needs except the packs' bytes, at `state` or newer. `same` if the state is `known`; null for
 * an unknown repository.
 */
export async function readRepository(
  { kysely }: Pick<Database, "kysely">,
  id: ProjectId,
  known: RepositoryState | null = null,
): Promise<StoredRepository | "same" | null> {
  const row = await kysely.selectFrom("repository").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) return null;
  if (row.version === known?.version && row.packs === known.packs) return "same";
  // Order matters: packs read after the references contain every object that the references name.
  const references = await readStoredReferences(kysely, id);
  const packs = await kysely
    .selectFrom("repository_pack")
    .select(["name", "size_bytes", "index_bytes", "is_partial", "object"])
    .where("repository_id", "=", id)
    .execute();
  return {
    state: { version: row.version, packs: row.packs },
    head: row.head,
    blobs: row.blobs,
    references,
    packs: packs.map((pack): StoredPack => ({
      name: pack.name,
      sizeBytes: pack.size_bytes,
      indexBytes: pack.index_bytes,
      isPartial: pack.is_partial === 1,
      object: pack.object,
    })),
  };
}

/** All references of a repository, by name. */
export async function readStoredReferences(kysely: Pick<Database["kysely"], "selectFrom">, id: ProjectId) {
  const rows = await kysely
    .selectFrom("repository_reference")
    .select(["name", "object_id"])
    .where("repository_id", "=", id)
    .execute();
  return new Map<string, ObjectId>(rows.map(({ name, object_id: object }) => [name, object]));
}

/** The object that a reference names; null if it does not exist. `AppError unavailable` for an unknown repository. */
export async function readReference(
  { kysely }: Pick<Database, "kysely">,
  id: ProjectId,
  name: string,
): Promise<ObjectId | null> {
  const row = await kysely
    .selectFrom("repository")
    .leftJoin("repository_reference as reference", (join) =>
      join.onRef("reference.repository_id", "=", "repository.id").on("reference.name", "=", name),
    )
    .select("reference.object_id")
    .where("repository.id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("unavailable", "The repository of this project is missing."));
  return row.object_id;
}

export async function listStored({ kysely }: Pick<Database, "kysely">): Promise<Set<ProjectId>> {
  const rows = await kysely.selectFrom("repository").select("id").execute();
  return new Set(rows.map(({ id }) => id));
}
