import type { Selectable } from "kysely";
import type { RemoteKind } from "#hosts/code-host.ts";
import type { Database } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId, SourceId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Secret } from "#lib/secrets/secret.ts";

/** A further repository of a project, on another host: the agent reads its mirror here, and nothing writes to it. */
export interface SourceRepository {
  id: SourceId;
  projectId: ProjectId;
  /** The name for people and the agent; unique within a project. */
  name: string;
  kind: RemoteKind;
  /** Web address, without `.git`. */
  url: string;
  branch: string;
  /** When the branch was last known to be current. */
  syncedAt: Date | null;
  /** What is wrong, for members of the project; null when all is well. */
  trouble: string | null;
}

export const sourceTokenPurpose = (id: SourceId) => `source ${id}`;

/**
 * The name of its mirror among the repositories of the data directory, where a project's is named by the project's id.
 */
export const mirrorOf = ({ id }: Pick<SourceRepository, "id">): ProjectId => id as string as ProjectId;

/** By name. */
export async function listSources({ kysely }: Database, projectId: ProjectId): Promise<SourceRepository[]> {
  const rows = await kysely
    .selectFrom("source")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("name")
    .execute();
  return rows.map(sourceFromRow);
}

/** `AppError not_found` that lists the existing names. */
export async function requireSource(database: Database, projectId: ProjectId, name: string): Promise<SourceRepository> {
  const all = await listSources(database, projectId);
  const found = all.find((source) => source.name === name);
  if (found) return found;
  const names = all.map((source) => source.name).join(", ");
  throw new AppError(
    "not_found",
    `There is no source ${JSON.stringify(name)}. ${names === "" ? "The project has none." : `There is: ${names}.`}`,
  );
}

/** One of the project's sources, by id; null when the project has none with this id. */
export async function findSource(
  { kysely }: Database,
  projectId: ProjectId,
  id: string,
): Promise<SourceRepository | null> {
  const row = await kysely
    .selectFrom("source")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("id", "=", id as SourceId)
    .executeTakeFirst();
  return row ? sourceFromRow(row) : null;
}

/** Null when it was removed. `AppError invalid` when its token cannot be decrypted. */
export async function findSourceWithToken(
  { database, vault }: { database: Database; vault: KeyVault },
  id: SourceId,
): Promise<(SourceRepository & { token: Secret | null }) | null> {
  const row = await database.kysely.selectFrom("source").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) return null;
  const { sealed_token: sealed } = row;
  return { ...sourceFromRow(row), token: sealed === null ? null : vault.open(sealed, sourceTokenPurpose(id)) };
}

const REMOVING = "deleting ";

/** Removes a source with its mirror and token; automations that it triggers stay, and report that it is gone. */
export async function removeSource(
  { database, repoStore }: { database: Database; repoStore: Pick<RepoStore, "remove"> },
  source: SourceRepository,
): Promise<void> {
  const { kysely } = database;
  // After a crash a note remains, which the next deletion or server start processes, as for projects.
  const note = { name: `${REMOVING}${source.id}`, value: "" };
  await database.transaction(async (transaction) => {
    await transaction
      .insertInto("instance_value")
      .values(note)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    await transaction.deleteFrom("source").where("id", "=", source.id).execute();
  });
  await repoStore.remove(mirrorOf(source));
  await kysely.deleteFrom("instance_value").where("name", "=", note.name).execute();
}

/** A source in the API. Its token is never included. */
export const sourceToJson = ({ id, name, kind, url, branch, syncedAt, trouble }: SourceRepository) => ({
  id,
  name,
  host: kind,
  url,
  branch,
  syncedAt: syncedAt?.toISOString() ?? null,
  trouble,
});

function sourceFromRow(row: Selectable<Tables["source"]>): SourceRepository {
  const instant = (value: number | null) => (value === null ? null : new Date(value));
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    branch: row.branch,
    syncedAt: instant(row.synced_at),
    trouble: row.trouble,
  };
}
