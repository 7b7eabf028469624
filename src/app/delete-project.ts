import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { sweepNumbers } from "#features/visitors/index/sweep.ts";
import { type Database, insideTransaction } from "#db/database.ts";
import { emptyLog, eraseUnusedSpace } from "#db/unused-space.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { removeSearchFile, searchDirectory } from "#search/search-files.ts";
import { takeProject, type ProjectCheck } from "#features/projects/change-project.ts";
import type { Project } from "#features/projects/project.ts";

interface Deps {
  database: Database;
  repoStore: Pick<RepoStore, "remove">;
  dataDirectory: string;
}

/** Key prefix in `instance_value`, followed by the ID of a project or source that is being deleted. */
const DELETING = "deleting ";

/**
 * Deletes a project permanently: its rows in every table, its repository, its counts, and its views in damaged
 * journals. The rows are deleted first, in one transaction that also records the remaining work. A kill therefore
 * leaves either a whole project, or none and a record, which `finishDeletions` processes: the next start of a server
 * calls it, and so does the next deletion. `check` may throw an error before anything is deleted. Safe next to a
 * running server: a worker on one of its jobs loses the claim at the next write, and views that are still in the
 * journal are dropped when they are folded, within a minute.
 */
export async function deleteProject(
  deps: Deps,
  { id }: Pick<Project, "id">,
  options: { leaveUnusedSpace?: boolean; check?: ProjectCheck } = {},
): Promise<void> {
  // Without a rewrite of the file, deleted content is overwritten in place.
  if (options.leaveUnusedSpace) deps.database.sqlite?.exec("pragma secure_delete = on");
  await deps.database.transaction(async (transaction) => {
    if (options.check) {
      const inside = insideTransaction(deps.database, transaction);
      await options.check(await takeProject(inside, id), inside);
    }
    const sources = await transaction.selectFrom("source").select("id").where("project_id", "=", id).execute();
    await transaction
      .insertInto("instance_value")
      .values([id, ...sources.map((source) => source.id)].map((one) => ({ name: `${DELETING}${one}`, value: "" })))
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    await transaction.deleteFrom("journal_position").where("journal", "like", `log ${id} %`).execute();
    await transaction.deleteFrom("project").where("id", "=", id).execute();
  });
  await finishDeletions(deps, options);
}

/**
 * Finishes the deletions that a kill interrupted. `leaveUnusedSpace`: does not rewrite the SQLite file, which would
 * block the event loop of a server, but overwrites what it deletes.
 */
export async function finishDeletions(
  { database, repoStore, dataDirectory }: Deps,
  { leaveUnusedSpace = false }: { leaveUnusedSpace?: boolean } = {},
): Promise<void> {
  const { kysely, sqlite } = database;
  const rows = await kysely.selectFrom("instance_value").select("name").where("name", "like", `${DELETING}%`).execute();
  if (rows.length === 0) return;
  for (const { name } of rows) {
    const id = name.slice(DELETING.length) as ProjectId;
    await repoStore.remove(id);
    removeSearchFile(searchDirectory(dataDirectory), id);
    await removeDamage(path.join(dataDirectory, "journal"), id);
  }
  sqlite?.exec("pragma secure_delete = on");
  try {
    await sweepNumbers(database);
    if (!leaveUnusedSpace) await eraseUnusedSpace(database, "all");
    const names = rows.map(({ name }) => name);
    await kysely.deleteFrom("instance_value").where("name", "in", names).execute();
    await emptyLog(database);
  } finally {
    sqlite?.exec("pragma secure_delete = fast");
  }
}

/** Deletes bytes that were set aside from a journal, because they may contain views of the project. */
async function removeDamage(root: string, id: ProjectId): Promise<void> {
  const names = await readdir(root, { recursive: true }).catch((): string[] => []);
  for (const name of names.filter((one) => one.endsWith(".damaged"))) {
    const file = path.join(root, name);
    if ((await readFile(file, "latin1")).includes(id)) await rm(file, { force: true });
  }
}
