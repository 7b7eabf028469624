import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Problem } from "#docs/problems.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersions } from "#features/sites/site-versions.ts";
import type { KeptReports } from "./kept-reports.ts";
import { counted } from "#lib/counted.ts";
import { withoutPages } from "./first-uses.ts";
import type { Report } from "./report.ts";

/** The problems in the docs of a pull request, and those of them that its merge base does not have. */
export interface PullRequestFindings {
  /** "12 pages, 1 error, 3 warnings" */
  summary: string;
  /** Errors first. */
  added: readonly Problem[];
}

export interface ReportedPullRequest {
  number: number;
  head: { commit: ObjectId };
  base: { branch: string };
}

/** Compares the report of a pull request's newest commit with that of its merge base. */
export function createPullRequestReports(deps: {
  repoStore: Pick<RepoStore, "resolve" | "mergeBase">;
  versions: Pick<SiteVersions, "load">;
  reports: Pick<KeptReports, "look" | "settled">;
}) {
  const { repoStore, versions, reports } = deps;

  async function reportOf(site: SiteProject, commit: ObjectId, name: string): Promise<Report | null> {
    const version = await versions.load(site, commit, { isWhole: true });
    const kept = { name: `${name} of ${site.id}`, project: site.id };
    reports.look(kept, version);
    await reports.settled(version);
    const state = reports.look(kept, version);
    return state.kind === "ready" ? state.report : null;
  }

  /** Null when there is no report now: too many are in progress, or the repository lacks the commit. */
  return async (
    site: SiteProject,
    { number, head, base }: ReportedPullRequest,
  ): Promise<PullRequestFindings | null> => {
    if ((await repoStore.resolve(site.id, head.commit)) === null) return null;
    const report = await reportOf(site, head.commit, `pull request ${number}`);
    if (report === null) return null;
    const tip = await repoStore.resolve(site.id, `refs/heads/${base.branch}`);
    const from = tip && (await repoStore.mergeBase(site.id, tip, head.commit));
    const before = from === null ? { problems: [] } : await reportOf(site, from, "base of pull requests");
    if (before === null) return null;
    return { summary: summaryOf(report), added: addedProblems(before.problems, report.problems) };
  };
}

function summaryOf({ pages, errors, warnings }: Report): string {
  return [counted(pages, "page"), counted(errors, "error"), counted(warnings, "warning")].join(", ");
}

/** Edits above a problem move its line: problems are equal when their file and message are. */
export function addedProblems(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const keyOf = ({ path, code, message }: Problem) => `${path}\n${code} ${withoutPages(message)}`;
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  const added = after.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    if (left > 0) known.set(keyOf(problem), left - 1);
    return left === 0;
  });
  return [...added.filter(({ severity }) => severity === "error"), ...added.filter(({ severity }) => severity === "warning")]; // oxfmt-ignore
}
