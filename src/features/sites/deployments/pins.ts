import { type Database, type DatabaseTransaction, insideTransaction } from "#db/database.ts";
import { isObjectId } from "#git/objects/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { setReference } from "#git/set-reference.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { takeProject } from "#features/projects/change-project.ts";
import type { Project, SitePin } from "#features/projects/project.ts";
import { markNewestLive } from "./deployment-rows.ts";

interface Deps {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
}

/** A request to pin a site to a commit. */
export interface WantedPin {
  commit: string;
  beside?(transaction: DatabaseTransaction, pin: SitePin): Promise<void>;
  check?: PinCheck;
}

/** Checks the current pin inside the transaction that changes it; may throw. */
export type PinCheck = (current: SitePin | null) => void;

/** Keeps the pinned commit, whatever happens to its branch. It cannot be pushed to, and clones do not contain it. */
const PINNED = "refs/docent/pinned";
const MAX_BY_LENGTH = 200;
/** How many commits are searched for an abbreviated id. */
const MAX_LOOKED_THROUGH = 2_000;

/**
 * Pins a site to one commit of its branch's history, or of its deployments, until it is unpinned. `text` is its id, or
 * at least 7 digits of it. `canShow` throws for a commit that cannot be shown; `beside` writes in the same transaction,
 * first. `AppError invalid`.
 */
export async function pinSite(
  deps: Deps,
  project: Project,
  wanted: WantedPin & { by: string; canShow?(commit: string): Promise<unknown> },
): Promise<SitePin> {
  const commit = await findPinnable(deps, project, wanted.commit);
  await wanted.canShow?.(commit).catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError("invalid", `Commit ${commit.slice(0, 7)} cannot be shown. ${cause.message}`, {
      cause,
      details: [{ path: "commit", message: "cannot be shown" }],
    });
  });
  // Before the row, so that the commit cannot be collected in between; and again after it, as another request may have
  // pinned another commit.
  await setReference(deps.repoStore, project.id, { ref: PINNED, to: commit });
  const pin = { commit, at: deps.clock.now(), by: wanted.by.slice(0, MAX_BY_LENGTH).toWellFormed() };
  try {
    await deps.database.transaction(async (transaction) => {
      await wanted.beside?.(transaction, pin);
      await requireAsRead(deps, transaction, { projectId: project.id, check: wanted.check });
      await transaction
        .updateTable("project")
        .set({ pinned_commit: pin.commit, pinned_at: pin.at.getTime(), pinned_by: pin.by })
        .where("id", "=", project.id)
        .execute();
    });
  } finally {
    await keepPinned(deps, project.id); // also after a refusal: the former pin's commit must not be collected
  }
  return pin;
}

/** Makes a site follow its branch again. Idempotent. */
export async function unpinSite(deps: Deps, projectId: ProjectId, check?: PinCheck): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    await requireAsRead(deps, transaction, { projectId, check });
    await transaction
      .updateTable("project")
      .set({ pinned_commit: null, pinned_at: null, pinned_by: null })
      .where("id", "=", projectId)
      .execute();
  });
  await keepPinned(deps, projectId);
  await markNewestLive(deps, projectId);
}

async function requireAsRead(
  { database }: Pick<Deps, "database">,
  transaction: DatabaseTransaction,
  { projectId, check }: { projectId: ProjectId; check: PinCheck | undefined },
): Promise<void> {
  if (check) check((await takeProject(insideTransaction(database, transaction), projectId)).pin);
}

/** Makes the reference match the row. */
export async function keepPinned(
  { database, repoStore }: Pick<Deps, "database" | "repoStore">,
  projectId: ProjectId,
): Promise<void> {
  const row = await database.kysely
    .selectFrom("project")
    .select("pinned_commit")
    .where("id", "=", projectId)
    .executeTakeFirst();
  if (!row || (row.pinned_commit !== null && (await repoStore.resolve(projectId, row.pinned_commit)) === null)) return;
  await setReference(repoStore, projectId, { ref: PINNED, to: row.pinned_commit });
}

async function findPinnable(deps: Deps, project: Project, text: string): Promise<string> {
  const { repoStore } = deps;
  const prefix = text.trim().toLowerCase();
  if (!/^[0-9a-f]{7,40}$/.test(prefix)) throw refusal("Name the commit by its id, or by 7 or more digits of it.");
  const deployed = await deployedAs(deps, project.id, prefix);
  const tip = await repoStore.resolve(project.id, `refs/heads/${project.branch}`);
  const found = new Set(deployed);
  if (tip !== null && isObjectId(prefix)) {
    const commit = await repoStore.resolve(project.id, prefix);
    const isTip = commit === tip;
    if (commit === prefix && (isTip || (await repoStore.contained(project.id, tip, [prefix])).has(prefix)))
      found.add(prefix);
  } else if (tip !== null) {
    const log = await repoStore.log(project.id, { base: null, head: tip, limit: MAX_LOOKED_THROUGH });
    for (const { id } of log) if (id.startsWith(prefix)) found.add(id);
  }
  const [commit, another] = found;
  if (another !== undefined) throw refusal(`${prefix} matches several commits: give more digits.`);
  if (commit === undefined) {
    throw refusal(`There is no commit ${prefix} in the history of ${project.branch} or among the deployments.`);
  }
  if ((await repoStore.resolve(project.id, commit)) !== commit) {
    throw refusal(`Commit ${prefix} is not in the repository any more.`);
  }
  return commit;
}

async function deployedAs({ database }: Deps, projectId: ProjectId, prefix: string): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom("deployment")
    .select("commit_id")
    .distinct()
    .where("project_id", "=", projectId)
    .where("commit_id", "like", `${prefix}%`)
    .limit(2)
    .execute();
  return rows.map(({ commit_id: commit }) => commit);
}

const refusal = (message: string) =>
  new AppError("invalid", message, { details: [{ path: "commit", message: "is not a commit of this site" }] });
