import { placeOfRepositories, readInstanceValue } from "#app/instance/store.ts";
import { type DatabaseLocation, openDatabase } from "#db/database.ts";
import { readSchemaState } from "#db/migrations.ts";
import { wasDeployed } from "#features/sites/deployments/deployment-rows.ts";
import { silentLogger } from "#lib/logger.ts";
import { listStored } from "#repositories/repository-reads.ts";

export interface StoreRows {
  /** Repositories that exist only on this server, by name. Those of other hosts can be fetched again. */
  repositories: Map<string, { project: string; deployedBranch: string | null }>;
  /** Names of those that are stored in the database; null if they are in the data directory. */
  stored: Set<string> | null;
  /** Release of the last server that started on the database. */
  release: string | null;
}

/** Reads what a database, also of an older version, references in the data directory. */
export async function readStoreRows(location: DatabaseLocation): Promise<StoreRows> {
  await using database = await openDatabase({ location, logger: silentLogger, migrate: false });
  if ((await readSchemaState(database.kysely)) === "none")
    return { repositories: new Map(), stored: null, release: null };
  const rows = await database.kysely
    .selectFrom("project")
    .select(["id", "slug", "branch"])
    .where("code_host", "=", "embedded")
    .execute();
  const repositories: StoreRows["repositories"] = new Map();
  for (const { id, slug, branch } of rows) {
    const isDeployed = await wasDeployed(database.kysely, { id, branch }).catch(() => false); // not in 0.1.0
    repositories.set(`${id}.git`, { project: slug, deployedBranch: isDeployed ? branch : null });
  }
  const isStored = (await placeOfRepositories(database).catch(() => "directory")) !== "directory"; // not in 0.1.0
  return {
    stored: isStored ? new Set([...(await listStored(database))].map((id) => `${id}.git`)) : null,
    repositories,
    release: await readInstanceValue(database, "release").catch(() => null),
  };
}

/** `docs (repositories/prj_1.git) is missing.` */
export const repositoryMissing = (name: string, project: string): string =>
  `The repository of ${project} is missing: repositories/${name}`;
