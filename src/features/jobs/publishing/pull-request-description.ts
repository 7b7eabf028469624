import type { GateReport } from "#agent/gate/gate.ts";
import type { HostedRepository, PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import { bodySections } from "./pull-request-sections.ts";
import { fillTemplate, readTemplate } from "./pull-request-template.ts";
import { publishedTitle, pullRequestBody, titleLine } from "./pull-request-text.ts";
import type { PublishDeps, TurnContext } from "./turn-commit.ts";
import { finishedTurns, lastPushed } from "#features/jobs/turn/turn-history.ts";

export interface DescriptionDeps extends PublishDeps {
  /** Address of the pull request's preview site; null without a preview. */
  previewUrl(project: Project, number: number): string | null;
  /** The page that shows everything about a job's change. */
  reviewUrl(project: Project, jobId: JobId): string;
}

interface Described extends TurnContext {
  title: string;
  report: GateReport | null;
  /** The existing pull request of the branch. */
  open: PullRequest | null;
}

/**
 * Opens or updates the pull request of a turn's branch. The description links the preview, which for a new pull request
 * takes a second call once its number is known. If it was merged or closed by then, no other one is opened.
 */
export async function describePullRequest(deps: DescriptionDeps, options: Described): Promise<EnsureResult> {
  const { claim, project, repository, turn, open, report } = options;
  const { job } = claim;
  const isUnfinished = turn.endedEarly !== null;
  // People decide whether an existing pull request stays a draft, unless it is a draft because the work was unfinished.
  const isOurDraft = !isUnfinished && !job.draft && (await lastPushed(deps, claim, turn))?.isUnfinished === true;
  const isDraft = open ? open.draft && !isOurDraft : job.draft || isUnfinished;
  const turns = await finishedTurns(deps, claim, turn.branch);
  const ensure = async (known: number | null, preview: string | null) =>
    ensurePullRequest(deps, {
      repository,
      known,
      head: turn.branch,
      base: job.baseRef,
      title: publishedTitle(deps.redact(job.title ?? titleLine(options.title))),
      body: await composeBody(deps, { ...options, turns, preview }),
      draft: isDraft || (report?.errors.length ?? 0) > 0,
    });
  if (open) return ensure(open.number, deps.previewUrl(project, open.number));
  const opened = await ensure(null, null);
  if (!opened.ok || !opened.pullRequest) return opened;
  const { number } = opened.pullRequest;
  const previewUrl = deps.previewUrl(project, number);
  if (previewUrl === null) return opened;
  const described = await ensure(number, previewUrl);
  return described.ok ? described : opened;
}

async function composeBody(
  deps: DescriptionDeps,
  options: Pick<Described, "claim" | "project" | "repository" | "report" | "turn"> & {
    turns: Awaited<ReturnType<typeof finishedTurns>>;
    preview: string | null;
  },
): Promise<string> {
  const { claim, project, repository, turns } = options;
  const reviewUrl = deps.reviewUrl(project, claim.jobId);
  const body = pullRequestBody({
    job: claim.job,
    turns,
    reviewUrl,
    sections: bodySections({ ...options, reviewUrl, unfinished: options.turn.endedEarly?.error ?? null }),
    redact: deps.redact,
  });
  const base = await deps.repoStore.resolve(repository.projectId, `refs/heads/${claim.job.baseRef}`);
  const template = base && (await readTemplate(deps, project, base));
  return deps.redact(template ? fillTemplate(template, body) : body);
}

export type EnsureResult =
  /** Null when there are no changes to show. */
  { ok: true; pullRequest: PullRequest | null } | { ok: false; error: JobError };

interface RequestedPullRequest {
  repository: HostedRepository;
  /** Number of the branch's open pull request; null when it has no open one. */
  known: number | null;
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/** Opens or updates the one pull request of the job's branch. If `known` was merged or closed meanwhile, it is unchanged. */
export async function ensurePullRequest(
  { codeHost }: Pick<PublishDeps, "codeHost">,
  { repository, known, ...request }: RequestedPullRequest,
): Promise<EnsureResult> {
  const ensured = await (
    known === null
      ? codeHost.ensurePullRequest(repository, request)
      : codeHost.updatePullRequest(repository, known, request)
  ).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    if ((await codeHost.fetchBranch(repository, request.base)) !== null) throw error;
    return { outcome: "no_base" } as const;
  });
  if (ensured.outcome === "no_base") {
    return { ok: false, error: jobError("ref_not_found", `The repository has no branch "${request.base}" any more.`) };
  }
  if (ensured.outcome === "denied") {
    return { ok: false, error: jobError("push_denied", `The code host refused the pull request: ${ensured.reason}`) };
  }
  return { ok: true, pullRequest: ensured.outcome === "empty" ? null : ensured.pullRequest };
}
