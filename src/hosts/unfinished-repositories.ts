import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { lockFile } from "#lib/file-lock.ts";
import type { ProjectId, SourceId } from "#lib/ids.ts";

type Repositories = Pick<RepoStore, "directory" | "remove">;

const MARK = ".making-";
const LOOK_AGAIN_MS = 20;

const markOf = (repoStore: Pick<Repositories, "directory">, id: ProjectId): string => {
  const directory = repoStore.directory(id);
  return path.join(path.dirname(directory), MARK + path.basename(directory, ".git"));
};

/**
 * Writes a note next to the repositories, until disposed, that one of them is being created for a project or source
 * that has no row yet. The note's lock ends with the process; the note itself does not.
 */
export async function noteUnfinished(
  { repoStore }: { repoStore: Pick<Repositories, "directory"> },
  id: ProjectId,
): Promise<AsyncDisposable> {
  const mark = markOf(repoStore, id);
  await mkdir(path.dirname(mark), { recursive: true });
  let lock = lockFile(mark);
  // A concurrent sweep holds the lock only briefly.
  for (; lock === null; lock = lockFile(mark)) await sleep(LOOK_AGAIN_MS);
  const held = lock;
  return {
    async [Symbol.asyncDispose]() {
      await rm(mark, { force: true });
      held[Symbol.dispose]();
    },
  };
}

/** Removes repositories that a crash left unfinished. One that is being created, and one that has its row, stays. */
export async function removeUnfinished({
  database,
  repoStore,
  root,
}: {
  database: Database;
  repoStore: Repositories;
  root: string;
}): Promise<void> {
  const names = await readdir(root).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(MARK))) {
    using lock = lockFile(path.join(root, name));
    if (lock === null) continue;
    const id = name.slice(MARK.length) as ProjectId;
    if (!(await hasRow(database, id))) await repoStore.remove(id);
    await rm(path.join(root, name), { force: true });
  }
}

async function hasRow({ kysely }: Database, id: ProjectId): Promise<boolean> {
  const project = await kysely.selectFrom("project").select("id").where("id", "=", id).executeTakeFirst();
  if (project) return true;
  const sourceId = id as string as SourceId;
  return (await kysely.selectFrom("source").select("id").where("id", "=", sourceId).executeTakeFirst()) !== undefined;
}
