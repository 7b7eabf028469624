import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { createActivity } from "#lib/activity.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { repeat } from "#kit/tasks/repeat.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject, listProjects } from "#features/projects/projects.ts";
import { type SiteProject, siteOf } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { SiteVersions } from "#features/sites/site-versions.ts";
import type { KeptReports } from "#features/sites/report/kept-reports.ts";
import {
  claimDeployment,
  claimReport,
  endDeployment,
  findOverdue,
  findReady,
  recordReport,
} from "./deployment-rows.ts";
import type { DeploymentState } from "./deployment.ts";
import { keepPinned } from "./pins.ts";

export interface DeploymentWatchDeps {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  logger: Logger;
  versions: SiteVersions;
  /** Called with the version that readers see now; returns at once. */
  onLive?(project: SiteProject, version: SiteVersion): void;
  /** Reports of the versions; no version is checked when absent. */
  reports?: Pick<KeptReports, "look" | "settled">;
}

/** Records each commit that becomes a site's newest, and loads it before the first reader. */
export interface DeploymentWatch {
  /**
   * Looks at a project's branch as soon as possible; resolves when its newest commit can be shown, and never rejects.
   */
  look(projectId: ProjectId): Promise<void>;
  /** The live commit of a site has changed. */
  onNewVersion(project: SiteProject): void;
  /** Sources of a site other than its commit have changed: it is loaded, indexed and checked again. Never rejects. */
  refresh(projectId: ProjectId): Promise<void>;
  /** Follows all projects, until disposed. */
  start(): AsyncDisposable;
}

/** Loading uses the main thread, in slices: one site after the other. */
const AT_ONCE = 2;
const FIRST_AFTER_MS = 1_000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** The pause between two projects of a sweep, each of which may start a process. */
const SWEEP_PACE_MS = 20;
/** The minimum interval between queries after another process wrote something. */
const CATCH_UP_MS = 1_000;
const MAX_OVERDUE = 50;
/** A request saw the commit first: the notification of the push, with its time, follows shortly. */
const REQUEST_GRACE_MS = 1_000;

/** A deployment until it can be shown. */
export const deploymentLoads = createActivity<{
  projectId: ProjectId;
  deploymentId: string;
  state?: DeploymentState;
  pages?: number | undefined;
}>("deployment");

type Traced = Parameters<typeof deploymentLoads.run>[0];

/** Loading a commit, and checking it for its report, which ends after its deployment. */
export const deploymentStages = createActivity<{ stage: "load" | "report" }>("deployment stage");

/** Any number of processes may share one store: one of them writes the row of each commit. */
export function createDeploymentWatch(deps: DeploymentWatchDeps): DeploymentWatch {
  const { database, repoStore, clock, logger, versions } = deps;
  const stopping = new AbortController();
  const places = createFairPlaces({ places: AT_ONCE });
  const trouble = createLastingTrouble(logger, "deployments are not written down");
  /** Projects that are being looked at, with whether another look has to follow. */
  const looking = new Map<ProjectId, { again: boolean; pushedAt: Date | null; done: Promise<void> }>();
  const reportTrouble = createLastingTrouble(logger, "the report of a deployment was not made");
  const reporting = new Map<ProjectId, { version: SiteVersion; done: Promise<void> }>();
  /** The commit of the last report that was started. */
  const triedFor = new Map<ProjectId, string>();
  /** Projects without a commit at the last look: their first push will notify this process. */
  const empty = new Set<ProjectId>();
  const timers = new Set<NodeJS.Timeout>();

  async function loadDeployment(project: Project, id: string, commit: string, traced: Traced): Promise<void> {
    const site = siteOf(project);
    const startMs = performance.now();
    const end = async (ended: Parameters<typeof endDeployment>[2]) => {
      await endDeployment(deps, id, ended);
      Object.assign(traced, { state: ended.state, pages: ended.pages });
      const fields = { projectId: project.id, deployment: id, commit, ...ended };
      logger.info({ ...fields, ms: Math.round(performance.now() - startMs) }, "deployment ended");
    };
    try {
      // A pinned site keeps its version; the waiting commit is still loaded, so that its authors see its problems.
      const version = await deploymentStages.run({ stage: "load" }, () =>
        project.pin ? versions.load(site, commit) : versions.newest(site),
      );
      if (version.commit !== commit) return await end({ state: "skipped" });
      const isLive = project.pin === null || project.pin.commit === commit;
      await end({ state: "ready", isLive, pages: version.docs.pages.size });
      if (isLive) deps.onLive?.(site, version);
      startReport(project, id, version);
    } catch (error) {
      // An outage of the server says nothing about the commit: another look follows.
      if (!(error instanceof AppError) || error instanceof StorageUnavailable) throw error;
      await end({ state: "failed", trouble: error.message });
    }
  }

  /** Creates a report that a stopped node never finished. Once per process: it would fail again. */
  async function resumeReport(project: Project, commit: string): Promise<void> {
    if (!deps.reports || reporting.has(project.id) || triedFor.get(project.id) === commit) return;
    const id = await claimReport(deps, project.id, commit);
    if (id === null) return;
    const site = siteOf(project);
    const version = await (project.pin ? versions.load(site, commit) : versions.newest(site));
    if (version.commit === commit) startReport(project, id, version);
  }

  /**
   * Checks a version in the background, page by page; a newer version of the project cancels the report of an older
   * one.
   */
  function startReport(project: Project, id: string, version: SiteVersion): void {
    const { reports } = deps;
    if (!reports) return;
    if (version.awaited.paths.length > 0) return reportWhenParsed(project, id, version);
    const projectId = project.id;
    if (version.commit !== null) triedFor.set(projectId, version.commit);
    const site = { name: `deployments of ${projectId}`, project: projectId };
    reports.look(site, version);
    const isNewest = () => reporting.get(projectId)?.version === version;
    const done = deploymentStages
      .run({ stage: "report" }, async () => {
        await reports.settled(version);
        if (stopping.signal.aborted || !isNewest()) return;
        const state = reports.look(site, version);
        if (state.kind === "ready") await recordReport(deps, id, state.report);
      })
      .catch(reportTrouble.failed)
      .then(() => {
        if (isNewest()) reporting.delete(projectId);
      });
    reporting.set(projectId, { version, done });
  }

  /** A report without the site's APIs would list links that are not broken. `refresh` checks the live version. */
  function reportWhenParsed(project: Project, id: string, { commit, awaited }: SiteVersion): void {
    if (project.pin === null || commit === null) return;
    const again = async () => {
      if (stopping.signal.aborted) return;
      startReport(project, id, await versions.load(siteOf(project), commit));
    };
    void awaited.done.then(again).catch(reportTrouble.failed);
  }

  async function refreshOnce(projectId: ProjectId): Promise<void> {
    const project = await findProject(deps, projectId);
    if (!project || !(await repoStore.exists(projectId))) return;
    const site = siteOf(project);
    const version = await versions.newest(site);
    if (version.commit === null) return;
    deps.onLive?.(site, version);
    const id = await findReady(deps, projectId, version.commit);
    if (id !== null) startReport(project, id, version);
  }

  async function lookOnce(projectId: ProjectId, pending: { again: boolean; pushedAt: Date | null }): Promise<void> {
    const project = await findProject(deps, projectId);
    if (!project || !(await repoStore.exists(projectId))) return;
    const commit = await repoStore.resolve(projectId, `refs/heads/${project.branch}`);
    if (commit === null) return void empty.add(projectId);
    empty.delete(projectId);
    const claimed = await claimDeployment(deps, project, { commit, pushedAt: pending.pushedAt });
    if (claimed === "outpaced") return void (pending.again = true);
    if (claimed === null) return resumeReport(project, commit);
    const traced: Traced = { projectId, deploymentId: claimed.id };
    await deploymentLoads.run(traced, () => loadDeployment(project, claimed.id, commit, traced));
  }

  function look(projectId: ProjectId, pushedAt: Date | null): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    const known = looking.get(projectId);
    if (known) {
      known.again = true;
      known.pushedAt = pushedAt ?? known.pushedAt;
      return known.done;
    }
    const pending = { again: true, pushedAt, done: Promise.resolve() };
    const work = async () => {
      while (pending.again && !stopping.signal.aborted) {
        pending.again = false;
        // One place per look: a project with constant pushes queues behind the others after each look.
        await places.run(projectId, () => lookOnce(projectId, pending));
      }
    };
    looking.set(projectId, pending);
    pending.done = work()
      .then(trouble.worked, trouble.failed)
      .finally(() => looking.delete(projectId));
    return pending.done;
  }

  async function sweep(): Promise<void> {
    for (const project of await listProjects(deps)) {
      if (stopping.signal.aborted) return;
      if (project.pin) await keepPinned(deps, project.id);
      await look(project.id, null);
      await sleep(SWEEP_PACE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  async function catchUp(): Promise<void> {
    for (const id of await findOverdue(deps, MAX_OVERDUE)) if (!empty.has(id)) void look(id, null);
  }

  const runLater = (ms: number, work: () => unknown) => {
    if (stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms).unref();
    timers.add(timer);
  };

  let isCatchingUp = false;
  function onWakeUp(payload: string): void {
    if (payload !== "") return void look(payload as ProjectId, clock.now());
    // Writes of another process are unknown: it may be a new project.
    if (isCatchingUp) return;
    isCatchingUp = true;
    runLater(CATCH_UP_MS, () => {
      isCatchingUp = false;
      catchUp().catch(trouble.failed);
    });
  }

  return {
    look: (projectId) => look(projectId, null),
    refresh: (projectId) =>
      stopping.signal.aborted
        ? Promise.resolve()
        : places
            .run(projectId, () => refreshOnce(projectId))
            .catch((error: unknown) => void (error instanceof AppError || trouble.failed(error))),
    onNewVersion({ id, pinned }) {
      if (pinned == null) runLater(REQUEST_GRACE_MS, () => void look(id, null));
    },
    start() {
      const unsubscribe = database.wakeUp.subscribe("repository", onWakeUp);
      const sweeping = repeat(() => sweep().catch(trouble.failed), {
        firstAfterMs: FIRST_AFTER_MS,
        everyMs: SWEEP_EVERY_MS,
      });
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort();
          unsubscribe();
          for (const timer of timers) clearTimeout(timer);
          await sweeping[Symbol.asyncDispose]();
          await Promise.all([...looking.values()].map(({ done }) => done));
        },
      };
    },
  };
}
