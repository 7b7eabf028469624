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
  /** Where the pull request can be seen as a site; null where there is no such place. */
  previewUrl(project: Project, number: number): string | null;
  /** The screen that shows all that is known of a job's change. */
  reviewUrl(project: Project, jobId: JobId): string;
}

interface Described extends TurnContext {
  title: string;
  report: GateReport | null;
  /** The pull request that the branch has already. */
  open: PullRequest | null;
}

/**
 * The pull request of a turn's branch with its description, which names the preview: of a new one only once its number
 * is known. It may have ended by then; that never opens another one.
 */
export async function describePullRequest(deps: DescriptionDeps, options: Described): Promise<EnsureResult> {
  const { claim, project, repository, turn, open, report } = options;
  const { job } = claim;
  const isUnfinished = turn.endedEarly !== null;
  // Whether it is a draft still is for people to say once it is there, unless it is one because it was not finished.
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
  /** Null: there is nothing to show. */
  { ok: true; pullRequest: PullRequest | null } | { ok: false; error: JobError };

interface WantedPullRequest {
  repository: HostedRepository;
  /** The open pull request that the branch has; null when it has none. */
  known: number | null;
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/** The one pull request of the job's branch, made, or brought up to date; as it is where `known` has ended meanwhile. */
export async function ensurePullRequest(
  { codeHost }: Pick<PublishDeps, "codeHost">,
  { repository, known, ...request }: WantedPullRequest,
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
