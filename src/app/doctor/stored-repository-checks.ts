import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { repositoryFault } from "#app/instance/store-faults.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { errorText } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { ownersOf, type RepositoryOwner } from "#repositories/owners.ts";
import { IN_DATABASE } from "#repositories/pack-places.ts";
import { listStored } from "#repositories/repository-reads.ts";
import { createStoredRepoStore } from "#repositories/stored-repo-store.ts";
import { countOf, type Diagnosis, diagnose, firstOf, type DoctorInput } from "./diagnosis.ts";

const CHECK = "repositories";
const RESTORE = "Restore the database from a backup.";

/**
 * Checks repositories in the database: every project has one, and its packs are complete. `full` copies each repository
 * as a new node would, and reads all of its objects.
 */
export async function checkStoredRepositories(input: DoctorInput): Promise<Diagnosis[]> {
  const { database, full, signal, progress } = input;
  const owners = await ownersOf(database);
  const stored = await listStored(database);
  const found: Diagnosis[] = [];
  for (const { id, name, isMirror } of owners) {
    if (stored.has(id)) continue;
    const advice = isMirror ? "The server copies it from its host again." : RESTORE;
    found.push(diagnose.problem(CHECK, `The repository of ${name} is missing from the database.`, advice));
  }
  const nameOf = new Map(owners.map((owner) => [owner.id, owner.name]));
  for (const id of await incompleteOf(input)) {
    found.push(diagnose.problem(CHECK, `Objects of the repository of ${nameOf.get(id) ?? id} are missing.`, RESTORE));
  }
  found.push(...(await withoutBranch(input)));
  for (const [index, owner] of full ? owners.entries() : []) {
    signal.throwIfAborted();
    progress(`Repositories: ${index + 1} of ${owners.length}`);
    const fault = stored.has(owner.id) ? await faultOf(owner, input) : null;
    if (fault === null) continue;
    found.push(diagnose.problem(CHECK, `The repository of ${owner.name} is damaged: ${fault}`, RESTORE));
  }
  if (found.length > 0) return firstOf(found);
  const count = `${countOf(stored.size, "repository", "repositories")} in the database`;
  return [
    diagnose.ok(
      CHECK,
      full ? `${count}: git read every object.` : `${count}. docent doctor --full reads every object.`,
    ),
  ];
}

/** Repositories with an incomplete pack. */
async function incompleteOf({ database }: DoctorInput): Promise<ProjectId[]> {
  const rows = await database.kysely
    .selectFrom("repository_pack as pack")
    .leftJoin("repository_pack_chunk as chunk", (join) =>
      join.onRef("chunk.repository_id", "=", "pack.repository_id").onRef("chunk.pack", "=", "pack.name"),
    )
    .select("pack.repository_id as id")
    .where("pack.object", "is", null)
    .groupBy(["pack.repository_id", "pack.name", "pack.size_bytes", "pack.index_bytes"])
    .having(sql<boolean>`coalesce(sum(octet_length(chunk.content)), 0) <> pack.size_bytes + pack.index_bytes`)
    .execute();
  return [...new Set(rows.map(({ id }) => id))];
}

async function withoutBranch({ database }: DoctorInput): Promise<Diagnosis[]> {
  const projects = await database.kysely
    .selectFrom("project")
    .select(["id", "slug", "branch"])
    .where("code_host", "=", "embedded")
    .execute();
  const references = await database.kysely
    .selectFrom("repository_reference")
    .select(["repository_id", "name"])
    .where("name", "like", "refs/heads/%")
    .execute();
  const branches = Map.groupBy(references, (reference) => reference.repository_id);
  return projects.flatMap(({ id, slug, branch }) => {
    const there = branches.get(id) ?? []; // empty: no commits were pushed yet
    if (there.length === 0 || there.some(({ name }) => name === `refs/heads/${branch}`)) return [];
    return diagnose.problem(
      CHECK,
      `The repository of ${slug} has no branch ${branch}, which its site shows.`,
      `Push it, or choose another: docent projects set ${slug} branch NAME`,
    );
  });
}

async function faultOf(
  { id }: RepositoryOwner,
  { config, database, full, signal }: DoctorInput,
): Promise<string | null> {
  const root = await mkdtemp(path.join(tmpdir(), "docent-doctor-"));
  try {
    const bucket = config.objectStorage && createBucket({ settings: config.objectStorage, logger: silentLogger });
    const places = { ...IN_DATABASE, bucket };
    await using copies = createStoredRepoStore({ database, root, logger: silentLogger, places });
    await copies.prepare(id);
    const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
    return await repositoryFault(run, copies.directory(id), { full, signal });
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof StorageUnavailable ? error.reason : errorText(error);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
