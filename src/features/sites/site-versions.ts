import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import { type ApiAddresses, editionOf } from "#docs/api/api-addresses.ts";
import type { ApiDocuments } from "#docs/api/api-documents.ts";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { FileUnreadable, unreadableText } from "#lib/file-unreadable.ts";
import { cacheLimit } from "#lib/cache-limit.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { SiteProject } from "./site-project.ts";
import { emptySnapshot, loadSiteVersion, type SiteVersion, folderWithoutPages } from "./site-version.ts";

/** The stored copies of API descriptions that sites name by address. */
export interface KeptAddresses {
  of(project: ProjectId): Promise<ApiAddresses>;
  /**
   * A version names these: those without a copy are fetched soon, and all of them when its commit is new here. Those of
   * the live site are refreshed from time to time. Returns at once and never throws.
   */
  want(project: ProjectId, asked: readonly string[], how: { isLive: boolean; isNewCommit: boolean }): void;
}

/** The live version of each site. */
export interface SiteVersions {
  current(project: SiteProject): Promise<SiteVersion>;
  /**
   * The live version after looking at its branch or pin now, however long that takes. `AppError unavailable` when there
   * is a newer one that cannot be shown.
   */
  newest(project: SiteProject): Promise<SiteVersion>;
  /** What readers miss because it cannot be read, as far as it is known within a second. */
  trouble(project: SiteProject): Promise<SiteTrouble>;
  /**
   * A given commit; `isWhole`: with all API descriptions, however long they take to parse. `AppError too_large` for one
   * beyond Docent's limits.
   */
  load(project: SiteProject, commit: string, how?: { isWhole: boolean }): Promise<SiteVersion>;
}

export interface SiteTrouble {
  /** No page can be shown. */
  isDown: boolean;
  /** A sentence for each reason or file. */
  words: readonly string[];
}

interface Tracked {
  version: SiteVersion | null;
  /**
   * The newest commit, when it exceeds Docent's limits: only another commit solves that. `isGone`: it is the pinned
   * commit, and the repository does not have it.
   */
  refused: { commit: string | null; error: AppError; isGone: boolean } | null;
  loadedAtMs: number;
  checkedAtMs: number;
  /** The pin at that time; null: none. */
  checkedFor: string | null;
  refresh: Promise<SiteVersion> | null;
}

/** How long a site waits for API descriptions to be parsed, with and without an older version to show. */
const API_PATIENCE_MS = { first: 3_000, newer: 30_000 };
const RECHECK_MS = 250;
const PATIENCE_MS = 200;
const REFUSED_RETRY_SECONDS = 60;
/** How often a site with files that cannot be read is loaded again, in case they were restored. */
const LOST_RETRY_MS = 60_000;
/** How long the dashboard waits for a site that is not loaded yet. */
const TROUBLE_PATIENCE_MS = 1_000;
/** The limit for the versions of all sites together, by the estimate of `versionBytes`. */
const MAX_BYTES = cacheLimit(256 * 1024 * 1024);
const LOST =
  "The pages of this site are not on the server at the moment. Its operator can see in the log what is missing.";
const LOST_FILES = "files of a site cannot be read, as the repository is damaged; docent doctor says what to do";
const GONE =
  "The commit that it is pinned to is not in its repository any more: unpin it, pin another, or restore the repository.";

const BRANCH_GONE =
  "Its branch is not in its repository any more, or is damaged: push it from a clone, or restore the repository.";

/**
 * Follows the branch of each site: its commit is looked up at most every 250 ms, and a new one is loaded once, however
 * many requests need it, while they get the old one. A push by any process is visible within a second.
 */
export function createSiteVersions(deps: {
  repoStore: RepoStore;
  clock: Clock;
  logger: Logger;
  apiDocuments: ApiDocuments;
  /** Absent: no API description at an address is read. */
  addresses?: KeptAddresses;
  /** How long a request waits for a newer version before it gets the current one. */
  patienceMs?: number;
  /** How long a site waits for API descriptions to be parsed; null: without limit. */
  apiPatienceMs?: number | null;
  /** Called when API descriptions that a site was waiting for are parsed, and when files become unreadable or readable. */
  onRead?(project: SiteProject): void;
  /** The cache limit for all sites, at about 1,200 bytes a page and 350 a file. */
  maxBytes?: number;
  /** Called when the live commit of a site changes. */
  onNewVersion?(project: SiteProject): void;
  /** Whether a commit of the project's branch was shown before. Absent: a branch without a commit is an empty site. */
  wasDeployed?(project: SiteProject): Promise<boolean>;
}): SiteVersions {
  const { repoStore, clock, logger, patienceMs = PATIENCE_MS } = deps;
  const sites = createLruCache<string, Tracked>({
    maxWeight: deps.maxBytes ?? MAX_BYTES,
    // A larger one is still cached, alone: otherwise it would be loaded for each request.
    weigh: ({ version }) => Math.min(versionBytes(version), deps.maxBytes ?? MAX_BYTES),
  });
  const heads = createPageHeads();
  const patienceFor = (what: keyof typeof API_PATIENCE_MS) =>
    deps.apiPatienceMs === undefined ? API_PATIENCE_MS[what] : deps.apiPatienceMs;

  async function load(project: SiteProject, tracked: Tracked): Promise<SiteVersion> {
    const known = tracked.version;
    if (!(await repoStore.exists(project.id))) throw new RepositoryMissing(repoStore.directory(project.id));
    const commit = project.pinned ?? (await repoStore.resolve(project.id, `refs/heads/${project.branch}`));
    const isSameCommit = known !== null && known.commit === commit;
    if (isSameCommit && !hasToRetry(tracked) && !(await isOutdated(project, known))) return known;
    const isKnown = tracked.refused !== null && tracked.refused.commit === commit;
    // Checked each time, so that restoring the repository needs no restart.
    if (project.pinned != null && (await repoStore.resolve(project.id, project.pinned)) === null) {
      if (isKnown) throw tracked.refused!.error;
      const error = new AppError("not_found", GONE);
      throw refuse(project, tracked, { commit, error, isGone: true });
    }
    if (isKnown && !tracked.refused!.isGone) throw tracked.refused!.error;
    if (commit === null && project.notice === undefined && (await deps.wasDeployed?.(project)) === true)
      throw refuse(project, tracked, { commit, error: new AppError("not_found", BRANCH_GONE) });
    const how = {
      isLive: project.notice === undefined,
      isNewCommit: !isSameCommit,
      apiPatienceMs: patienceFor(known === null ? "first" : "newer"),
    };
    return await read(project, commit, how).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "too_large") throw refuse(project, tracked, { commit, error });
      throw error;
    });
  }

  const hasToRetry = ({ version, loadedAtMs }: Tracked) =>
    version !== null && lostFiles(version).length > 0 && clock.now().getTime() - loadedAtMs > LOST_RETRY_MS;

  async function isOutdated({ id }: SiteProject, { addresses, asked, awaited }: SiteVersion): Promise<boolean> {
    if (awaited.isReadAgain()) return true;
    if (asked.length === 0 || !deps.addresses) return false;
    return editionOf(await deps.addresses.of(id), asked) !== editionOf(addresses, asked);
  }

  async function read(
    project: SiteProject,
    commit: string | null,
    how: { isLive: boolean; isNewCommit: boolean; apiPatienceMs: number | null },
  ): Promise<SiteVersion> {
    const startedAt = performance.now();
    const snapshot = commit === null ? emptySnapshot : commitSnapshot(repoStore, project.id, commit);
    const { apiDocuments } = deps;
    const addresses = await deps.addresses?.of(project.id);
    const version = await loadSiteVersion(
      { apiDocuments, heads, ...(addresses && { addresses }), apiPatienceMs: how.apiPatienceMs },
      { commit, snapshot, project },
    );
    if (version.awaited.paths.length > 0) {
      logger.info(
        { projectId: project.id, commit, paths: version.awaited.paths },
        "site is shown without some API descriptions",
      );
      void version.awaited.done.then(() => deps.onRead?.(project));
    }
    deps.addresses?.want(project.id, version.asked, how);
    const { pages } = version.docs;
    logger.info(
      { projectId: project.id, commit, pages: pages.size, durationMs: Math.round(performance.now() - startedAt) },
      "site version loaded",
    );
    return version;
  }

  function refuse(
    { id }: SiteProject,
    tracked: Tracked,
    { commit, error, isGone = false }: { commit: string | null; error: AppError; isGone?: boolean },
  ): AppError {
    logger.warn({ projectId: id, commit, reason: error.message }, "site version refused");
    const refusal = new AppError("unavailable", `This site cannot be shown. ${error.message}`, {
      cause: error,
      retryAfterSeconds: REFUSED_RETRY_SECONDS,
    });
    tracked.refused = { commit, error: refusal, isGone };
    return refusal;
  }

  function refresh(project: SiteProject, tracked: Tracked): Promise<SiteVersion> {
    tracked.refresh ??= load(project, tracked)
      .then((version) => {
        if (tracked.version !== version) {
          if (version.commit !== null) deps.onNewVersion?.(project);
          const [before, now] = [tracked.version, version].map((each) => lostFiles(each).join("\n"));
          if (before !== now) deps.onRead?.(project);
          if (before !== now && now !== "") logger.error({ projectId: project.id, files: now }, LOST_FILES);
          tracked.loadedAtMs = clock.now().getTime();
        }
        tracked.version = version;
        tracked.refused = null;
        sites.set(siteKey(project), tracked); // its weight has changed
        return version;
      })
      .catch((error: unknown) => {
        const isRefused = error === tracked.refused?.error;
        if (!isRefused) logger.error({ err: error, projectId: project.id }, "site version not loaded");
        if (tracked.version !== null) return tracked.version;
        if (isRefused) throw error;
        if (error instanceof RepositoryMissing) {
          throw new AppError("unavailable", LOST, { cause: error, retryAfterSeconds: REFUSED_RETRY_SECONDS });
        }
        const lost = error instanceof FileUnreadable ? ` ${error.message}` : "";
        throw new AppError("unavailable", `The site cannot be read at the moment.${lost}`, {
          cause: error,
          retryAfterSeconds: 5,
        });
      })
      .finally(() => {
        tracked.checkedAtMs = clock.now().getTime();
        tracked.checkedFor = project.pinned ?? null;
        tracked.refresh = null;
      });
    return tracked.refresh;
  }

  function track(project: SiteProject): Tracked {
    const key = siteKey(project);
    const known = sites.get(key);
    if (known !== undefined) return known;
    const tracked: Tracked = {
      version: null,
      refused: null,
      loadedAtMs: 0,
      checkedAtMs: Number.NEGATIVE_INFINITY,
      checkedFor: null,
      refresh: null,
    };
    sites.set(key, tracked);
    return tracked;
  }

  async function current(project: SiteProject): Promise<SiteVersion> {
    const tracked = track(project);
    const ageMs = clock.now().getTime() - tracked.checkedAtMs;
    const isSameWish = tracked.checkedFor === (project.pinned ?? null);
    if (tracked.version !== null && isSameWish && ageMs >= 0 && ageMs < RECHECK_MS) return tracked.version;
    const next = refresh(project, tracked);
    return tracked.version === null ? next : Promise.race([next, after(patienceMs, tracked.version)]);
  }

  return {
    current,
    trouble(project) {
      const found = current(project).then(
        (version) => {
          const empty = version.commit === null ? null : folderWithoutPages(version.docs);
          const words = [...(empty === null ? [] : [empty]), ...lostFiles(version).map(unreadableText)];
          const { refused } = track(project);
          if (refused !== null && refused.commit !== version.commit)
            words.unshift(`An earlier version is shown. ${refused.error.message}`);
          return { isDown: empty !== null, words };
        },
        (error: unknown) => ({ isDown: true, words: [errorText(error)] }),
      );
      return Promise.race([found, after(TROUBLE_PATIENCE_MS, { isDown: false, words: [] })]);
    },
    load(project, commit, how) {
      const apiPatienceMs = how?.isWhole === true ? null : patienceFor("newer");
      return read(project, commit, { isLive: false, isNewCommit: true, apiPatienceMs });
    },
    async newest(project) {
      const tracked = track(project);
      await tracked.refresh?.catch(() => undefined); // it may have looked before the push
      const version = await refresh(project, tracked);
      if (tracked.refused !== null && tracked.refused.commit !== version.commit) throw tracked.refused.error;
      return version;
    },
  };
}

/** As measured on sites of 156 to 562 pages with 97 to 5,104 files: 260 KB to 2.6 MB. */
const versionBytes = (version: SiteVersion | null): number =>
  2_000 + (version === null ? 0 : version.docs.pages.size * 1_200 + version.files.size * 350);

const lostFiles = (version: SiteVersion | null): string[] => [...(version?.snapshot.unreadable ?? [])].sort();

const siteKey = ({ id, branch, contentRoot }: SiteProject): string => `${id} ${branch} ${contentRoot ?? ""}`;

function after<T>(delayMs: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), delayMs).unref());
}
