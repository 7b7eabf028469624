import { setTimeout as sleep } from "node:timers/promises";
import type { CodeHost } from "#hosts/code-host.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError, ShuttingDown } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { siteOf } from "#features/sites/site-project.ts";
import type { SiteVersions } from "#features/sites/site-versions.ts";
import { listDeployments } from "./deployment.ts";
import type { DeploymentWatch } from "./deployment-watch.ts";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { SiteUpdateTable } from "#db/tables/sites.ts";

/** Updates of sites that were requested over HTTP, run in the background; the state is a row that every node reads. */
export interface SiteUpdates extends AsyncDisposable {
  /**
   * `beside` writes in the transaction that stores it. `AppError unavailable` when too many updates of this project
   * wait.
   */
  begin(project: Project, wanted: WantedUpdate): Promise<SiteUpdate>;
  /** Null when the project has no update with this id, or it was deleted with age. */
  find(projectId: ProjectId, id: string): Promise<SiteUpdate | null>;
  /** The project of an update; null when the id is unknown. */
  findProjectId(id: string): Promise<ProjectId | null>;
  /** Resolves when no update is running in this process. */
  settled(): Promise<void>;
}

export interface WantedUpdate {
  kind: SiteUpdate["kind"];
  branch: string;
  beside?(transaction: DatabaseTransaction, id: string): Promise<void>;
}

const AT_ONCE = 4;
const MAX_WAITING = 20;
const MAX_KEPT = 200;
const MAX_FILES = 200;
const MAX_TEXT_LENGTH = 1_000;
/** Another node may be loading the version. */
const LOAD_PATIENCE_MS = 60_000;
const POLL_MS = 200;

export function createSiteUpdates(deps: {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  logger: Logger;
  codeHost: Pick<CodeHost, "fetchBranch">;
  watch: Pick<DeploymentWatch, "look">;
  versions: Pick<SiteVersions, "load">;
}): SiteUpdates {
  const { database, repoStore, clock, logger } = deps;
  const places = createFairPlaces({ places: AT_ONCE, perOwner: 1, maxWaiting: MAX_WAITING });
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  const save = async (id: string, status: SiteUpdate["status"], outcome: SiteUpdateOutcome) => {
    const isOver = status === "success" || status === "failure";
    await database.kysely
      .updateTable("site_update")
      .set({ status, outcome: JSON.stringify(outcome), ...(isOver && { ended_at: clock.now().getTime() }) })
      .where("id", "=", id)
      .execute();
  };

  async function run(project: Project, id: string, { kind, branch }: WantedUpdate): Promise<void> {
    const logs: string[] = [];
    const say = (line: string) => void logs.push(line.slice(0, MAX_TEXT_LENGTH).toWellFormed());
    try {
      await save(id, "in_progress", { summary: "Under way.", logs });
      const commit = await latest(project, branch, say);
      const summary = kind === "update" ? await deploy(project, commit) : await preview(project, branch, commit);
      say(summary);
      await save(id, "success", { summary, logs, ...(await factsOf(project, branch, commit)) });
    } catch (error) {
      if (!(error instanceof AppError)) logger.error({ err: error, projectId: project.id }, "site update failed");
      const summary = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
      say(summary);
      await save(id, "failure", { summary, logs });
    }
  }

  /** Fetches the branch from its host. */
  async function latest(project: Project, branch: string, say: (line: string) => void): Promise<string> {
    const ref = `refs/heads/${branch}`;
    const before = await repoStore.resolve(project.id, ref);
    const commit = await deps.codeHost.fetchBranch(hostedRepository(project), branch);
    if (commit === null) throw new AppError("not_found", `There is no branch ${branch}, or it has no commit yet.`);
    say(`Branch ${branch} is at commit ${commit.slice(0, 7)}.`);
    if (commit !== before) database.wakeUp.notify("repository", project.id); // as after any other look at the host
    return commit;
  }

  async function deploy(project: Project, commit: string): Promise<string> {
    await deps.watch.look(project.id);
    for (let waitedMs = 0; !stopping.signal.aborted; waitedMs += POLL_MS) {
      const [deployment] = await listDeployments(deps, { projectId: project.id, commit, limit: 1 });
      const short = commit.slice(0, 7);
      if (deployment?.state === "failed")
        throw new AppError("unavailable", deployment.trouble ?? "It cannot be shown.");
      if (deployment?.state === "skipped") return `A newer commit came before ${short} was read, and is shown.`;
      if (deployment?.state === "ready") {
        const pages = `${deployment.pages ?? 0} ${deployment.pages === 1 ? "page" : "pages"}`;
        if (project.pin === null || project.pin.commit === commit) return `Commit ${short} is live, with ${pages}.`;
        return `Commit ${short} waits, with ${pages}: the site is pinned to ${project.pin.commit.slice(0, 7)}.`;
      }
      if (waitedMs >= LOAD_PATIENCE_MS) throw new AppError("unavailable", `Commit ${short} is still being read.`);
      await sleep(POLL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    throw new AppError("unavailable", "The server is stopping. Try again.");
  }

  async function preview(project: Project, branch: string, commit: string): Promise<string> {
    const version = await deps.versions.load(siteOf({ ...project, branch, pin: null }), commit);
    return `The preview shows commit ${commit.slice(0, 7)}, with ${version.docs.pages.size} pages.`;
  }

  async function factsOf(project: Project, branch: string, sha: string): Promise<Partial<SiteUpdateOutcome>> {
    const [info] = await repoStore.log(project.id, { base: null, head: sha, limit: 1 });
    const [base] =
      branch === project.branch
        ? (await listDeployments(deps, { projectId: project.id, limit: 50 })).filter(({ commit }) => commit !== sha)
        : [{ commit: await repoStore.resolve(project.id, `refs/heads/${project.branch}`) }];
    // A force-pushed commit may be gone, and a mirror may lack files whose host is unavailable.
    const changes = base?.commit ? await repoStore.changes(project.id, base.commit, sha).catch(() => []) : [];
    const named = (status: string) => changes.filter((change) => change.status === status).map(({ path }) => path);
    const renamed = changes.filter(({ status }) => status === "renamed");
    const text = (value: string) => value.slice(0, MAX_TEXT_LENGTH).replaceAll("\0", "").toWellFormed();
    return {
      author: text(info?.author.name ?? ""),
      commit: {
        sha,
        ref: branch,
        message: text(info?.subject ?? ""),
        filesChanged: {
          added: [...named("added"), ...renamed.map(({ path }) => path)].slice(0, MAX_FILES),
          modified: named("modified").slice(0, MAX_FILES),
          removed: [...named("removed"), ...renamed.map(({ oldPath }) => oldPath ?? "")].slice(0, MAX_FILES),
        },
      },
    };
  }

  async function insert(project: Project, { kind, branch, beside }: WantedUpdate) {
    const id = newId("upd", clock.now());
    await database.transaction(async (transaction) => {
      await beside?.(transaction, id);
      await transaction
        .insertInto("site_update")
        .values({
          id,
          project_id: project.id,
          kind,
          branch,
          status: "queued",
          outcome: JSON.stringify({ summary: "Waits for its turn.", logs: [] } satisfies SiteUpdateOutcome),
          created_at: clock.now().getTime(),
        })
        .execute();
      const old = transaction.selectFrom("site_update").select("id").where("project_id", "=", project.id);
      const [oldest] = await old.orderBy("id", "desc").offset(MAX_KEPT).limit(1).execute();
      if (!oldest) return;
      await transaction
        .deleteFrom("site_update")
        .where("project_id", "=", project.id)
        .where("id", "<=", oldest.id)
        .execute();
    });
    return id;
  }

  const find: SiteUpdates["find"] = async (projectId, id) => {
    const query = database.kysely.selectFrom("site_update").selectAll().where("project_id", "=", projectId);
    const row = await query.where("id", "=", id).executeTakeFirst();
    return row ? updateFromRow(row, clock.now()) : null;
  };

  const findProjectId: SiteUpdates["findProjectId"] = async (id) => {
    const query = database.kysely.selectFrom("site_update").select("project_id").where("id", "=", id);
    return (await query.executeTakeFirst())?.project_id ?? null;
  };

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    find,
    findProjectId,
    settled,
    async begin(project, wanted) {
      if (stopping.signal.aborted) throw new ShuttingDown();
      const id = await insert(project, wanted);
      const work: Promise<void> = places
        .run(project.id, () => run(project, id, wanted))
        .catch(async (error: unknown) => {
          if (error instanceof AppError) await save(id, "failure", { summary: error.message, logs: [] });
          else throw error;
        })
        .catch((error: unknown) => logger.error({ err: error, projectId: project.id }, "site update not recorded"))
        .finally(() => underWay.delete(work));
      underWay.add(work);
      const begun = await find(project.id, id);
      if (!begun) throw new AppError("not_found", "The project was deleted.");
      return begun;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await settled();
    },
  };
}

export const UPDATE_STATES = ["queued", "in_progress", "success", "failure"] as const;

const Files = z.array(z.string());

/** The stored result of an update; loose, as another version may have written it. */
export const SiteUpdateOutcome = z.object({
  summary: z.string(),
  logs: z.array(z.string()),
  author: z.string().optional().describe("Author of the commit."),
  commit: z
    .object({
      sha: z.string().describe("Id of the commit."),
      ref: z.string().describe("Branch of the commit."),
      message: z.string().describe("Message of the commit."),
      filesChanged: z
        .object({
          added: Files.describe("Added files."),
          modified: Files.describe("Modified files."),
          removed: Files.describe("Removed files."),
        })
        .describe("Files that the commit changed."),
    })
    .optional()
    .describe("Commit that the update or preview resulted in."),
});
export type SiteUpdateOutcome = z.infer<typeof SiteUpdateOutcome>;

/** A requested update of a site: fetch its branch, or show a branch. */
export interface SiteUpdate extends SiteUpdateOutcome {
  id: string;
  projectId: ProjectId;
  kind: "update" | "preview";
  branch: string;
  status: (typeof UPDATE_STATES)[number];
  createdAt: Date;
  endedAt: Date | null;
}

/** Longer than any update takes; a server that stopped meanwhile reports no result. */
const GIVEN_UP_MS = 15 * 60_000;

function updateFromRow(row: Selectable<SiteUpdateTable>, now: Date): SiteUpdate {
  const outcome = SiteUpdateOutcome.parse(JSON.parse(row.outcome));
  const isLost = row.ended_at === null && now.getTime() - row.created_at > GIVEN_UP_MS;
  return {
    ...outcome,
    ...(isLost && { summary: "The server was stopped while it worked on this. Ask again." }),
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    branch: row.branch,
    status: isLost ? "failure" : row.status,
    createdAt: new Date(row.created_at),
    endedAt: isLost ? new Date(row.created_at + GIVEN_UP_MS) : row.ended_at === null ? null : new Date(row.ended_at),
  };
}
