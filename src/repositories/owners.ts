import { readdir } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { COPY_MARK } from "./local-copy.ts";
import { listStored } from "./repository-reads.ts";
import { databaseClock } from "./unused-objects.ts";

/** The owner of a repository: a project, or a source of a project. */
export interface RepositoryOwner {
  id: ProjectId;
  /** For messages to people. */
  name: string;
  /** Whether the original is on a code host, where it can be copied from again. */
  isMirror: boolean;
}

export async function ownersOf({ kysely }: Pick<Database, "kysely">): Promise<RepositoryOwner[]> {
  const projects = await kysely.selectFrom("project").select(["id", "slug", "code_host"]).orderBy("slug").execute();
  const sources = await kysely
    .selectFrom("source")
    .innerJoin("project", "project.id", "source.project_id")
    .select(["source.id", "source.name", "project.slug"])
    .execute();
  return [
    ...projects.map(({ id, slug, code_host: host }) => ({ id, name: slug, isMirror: host !== "embedded" })),
    ...sources.map(({ id, name, slug }) => ({
      id: id as string as ProjectId,
      name: `${slug}, source ${name}`,
      isMirror: true,
    })),
  ];
}

/** Longer than any import takes: a repository is stored before the row of its project. */
const UNOWNED_MS = 24 * 60 * 60_000;

/**
 * Removes local copies whose repositories are no longer in the store, because another node deleted their projects, and
 * stored repositories without an owner, which killed nodes left.
 */
export async function removeUnowned({
  database,
  repoStore,
  root,
}: {
  database: Database;
  repoStore: Pick<RepoStore, "remove">;
  root: string;
}): Promise<void> {
  const names = await readdir(root).catch((): string[] => []);
  // A copy gets its mark once it is synchronized: one that is still being made has none.
  const copies = names.filter((name) => name.endsWith(".git") && existsSync(path.join(root, name, COPY_MARK)));
  const stored = await listStored(database);
  const ids = copies.map((name) => name.slice(0, -".git".length) as ProjectId);
  for (const id of ids) if (!stored.has(id)) await repoStore.remove(id);
  const owned = new Set((await ownersOf(database)).map(({ id }) => id));
  const old = await database.kysely
    .selectFrom("repository")
    .select("id")
    .where("created_at", "<", databaseClock(-UNOWNED_MS))
    .execute();
  for (const { id } of old) if (!owned.has(id)) await repoStore.remove(id);
}
