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

/** In `instance_value`: the id of a project or a source that is being deleted follows. */
const DELETING = "deleting ";

/**
 * Deletes a project for good: its rows of every table, its repository, its counts, and what damaged journals have of it.
 * The rows go first, in one transaction that notes what is left to do. So a kill leaves either a whole project, or none
 * and a note, which `finishDeletions` works off: the next start of a server calls it, and the next deletion.
 * `check` may refuse by an error before anything is deleted.
 * May run beside a server: whoever works on one of its jobs loses the claim at the next write, and views that are
 * still in the journal belong to nobody when they are folded, within a minute.
 */
export async function deleteProject(
  deps: Deps,
  { id }: Pick<Project, "id">,
  options: { leaveUnusedSpace?: boolean; check?: ProjectCheck } = {},
): Promise<void> {
  // Whoever does not write the file anew overwrites what goes.
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
 * Deletes what killed deletions left. `leaveUnusedSpace`: does not write SQLite's file anew, which would hold up the
 * thread of a server; what it deletes itself it overwrites.
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

/** Bytes that were set aside from a journal may hold views of the project. */
async function removeDamage(root: string, id: ProjectId): Promise<void> {
  const names = await readdir(root, { recursive: true }).catch((): string[] => []);
  for (const name of names.filter((one) => one.endsWith(".damaged"))) {
    const file = path.join(root, name);
    if ((await readFile(file, "latin1")).includes(id)) await rm(file, { force: true });
  }
}
