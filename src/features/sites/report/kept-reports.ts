import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { Report } from "./report.ts";
import type { MakeSiteReport } from "./site-report.ts";

/** The state of a version's report: ready, in progress, or currently unavailable. */
export type ReportState =
  | { kind: "ready"; report: Report }
  | { kind: "making"; done: number; all: number }
  | { kind: "failed" };

/** Reports of the versions that are being viewed, created in the background and kept as long as the version. */
export interface KeptReports extends AsyncDisposable {
  /**
   * The state of a version's report; the first call starts it. `site` names what the version belongs to: a newer
   * version of that cancels the report of an older one.
   */
  look(site: { name: string; project: ProjectId }, version: SiteVersion): ReportState;
  /** Resolves when the report of a version is ready or failed. */
  settled(version: SiteVersion): Promise<void>;
}

interface Kept {
  state: ReportState;
  failedAtMs: number;
  run: Promise<void>;
}

const RETRY_MS = 30_000;
/** The limit of running reports; others start at a later call. */
const MAX_RUNNING = 200;
/** Each preview has a report of its own, and a project may have hundreds of previews. */
const MAX_RUNNING_OF_PROJECT = 20;

export function createKeptReports(deps: { makeReport: MakeSiteReport; logger: Logger }): KeptReports {
  const { makeReport, logger } = deps;
  const kept = new WeakMap<SiteVersion, Kept>();
  const running = new Map<
    string,
    { project: ProjectId; version: SiteVersion; stop: AbortController; run: Promise<void> }
  >();

  function hasRoom(site: { name: string; project: ProjectId }): boolean {
    if (running.has(site.name)) return true; // it replaces that one
    const own = [...running.values()].filter(({ project }) => project === site.project);
    return running.size < MAX_RUNNING && own.length < MAX_RUNNING_OF_PROJECT;
  }

  function begin({ name, project }: { name: string; project: ProjectId }, version: SiteVersion): Kept {
    running.get(name)?.stop.abort();
    const stop = new AbortController();
    const entry: Kept = {
      state: { kind: "making", done: 0, all: version.docs.pages.size },
      failedAtMs: 0,
      run: Promise.resolve(),
    };
    kept.set(version, entry);
    const options = {
      signal: stop.signal,
      onProgress: (done: number, all: number) => void (entry.state = { kind: "making", done, all }),
    };
    entry.run = makeReport({ project, version }, options)
      .then((report) => {
        entry.state = { kind: "ready", report };
      })
      .catch((error: unknown) => {
        entry.state = { kind: "failed" };
        entry.failedAtMs = stop.signal.aborted ? 0 : performance.now();
        if (!stop.signal.aborted) logger.error({ err: error, projectId: project }, "report of a site not made");
      })
      .finally(() => {
        if (running.get(name)?.version === version) running.delete(name);
      });
    running.set(name, { project, version, stop, run: entry.run });
    return entry;
  }

  return {
    look(site, version) {
      const known = kept.get(version);
      const isOver = known?.state.kind === "failed" && performance.now() - known.failedAtMs > RETRY_MS;
      if (known !== undefined && !isOver) return known.state;
      // Without its APIs the report would list links that are not broken; a version with them follows.
      if (version.awaited.paths.length > 0) return { kind: "making", done: 0, all: version.docs.pages.size };
      if (!hasRoom(site)) return { kind: "making", done: 0, all: version.docs.pages.size };
      return begin(site, version).state;
    },
    settled: async (version) => kept.get(version)?.run,
    async [Symbol.asyncDispose]() {
      const runs = [...running.values()];
      for (const { stop } of runs) stop.abort();
      await Promise.all(runs.map(({ run }) => run));
    },
  };
}
