import type { Job, JobPullRequest } from "#features/jobs/job.ts";
import { withCurrentPullRequest } from "#features/jobs/jobs.ts";
import type { Project } from "#features/projects/project.ts";
import type { HttpContext } from "#kit/http/context.ts";
import { type RateLimitState, setRateLimit } from "#kit/limits/rate-limit.ts";
import type { AgentJobBody } from "./schemas.ts";

/** A job as the API returns it. While a job is active, its pull request is in `pullRequest` only. */
export function jobToJson(job: Job, repositoryUrl: string): AgentJobBody {
  return {
    id: job.id,
    status: job.status,
    source: { repository: repositoryUrl, ref: job.dryRun ? null : job.branch },
    model: job.model,
    prLink: job.status === "active" ? null : (job.pullRequest?.url ?? null),
    createdAt: job.createdAt.toISOString(),
    archivedAt: job.archivedAt?.toISOString() ?? null,
    transcriptDeletedAt: job.transcriptDeletedAt?.toISOString() ?? null,
    pullRequest: pullRequestToJson(job.pullRequest),
    title: job.title,
    summary: job.summary,
    changed: job.changed,
    dryRun: job.dryRun,
    effort: job.effort,
    plan: job.plan,
    error: job.error,
    lastMessage: { seq: job.messageCount, error: job.refusal ?? job.error, question: job.question },
    usage: {
      steps: job.usage.steps,
      inputTokens: job.usage.inputTokens,
      cachedInputTokens: job.usage.cachedTokens,
      outputTokens: job.usage.outputTokens,
      costUsd: job.usage.costMicroUsd / 1_000_000,
    },
    phase: job.phase,
    waitingFor: job.phase === "waiting" ? waitingToJson(job.waiting) : null,
    notice: job.notice,
    previewLink: job.pullRequest?.state === "open" ? job.pullRequest.previewUrl : null,
  };
}

function waitingToJson(waiting: Job["waiting"]): AgentJobBody["waitingFor"] {
  if (!waiting) return null;
  const { provider, reason, since, retryAt } = waiting;
  return { provider, reason, since: since.toISOString(), retryAt: retryAt.toISOString() };
}

function pullRequestToJson(pullRequest: Job["pullRequest"]): AgentJobBody["pullRequest"] {
  if (!pullRequest) return null;
  const { number, url, state, draft } = pullRequest;
  return { number, url, state, draft };
}

/** The ETag of this version of the job; polling with it reads one row. Includes changes that people make to the pull request, and a notice. */
export function jobEtag({ id, revision, pullRequest, notice }: Job): string {
  const seen = pullRequest ? `${pullRequest.state}${pullRequest.draft ? "-draft" : ""}` : "none";
  return `"${id}.${revision}.${seen}${notice === null ? "" : ".notice"}"`;
}

export interface JobAnswerDeps {
  /** See `createWorkerNotice`. */
  withNotice(job: Job): Promise<Job>;
  repositoryUrl(project: Project): string;
  /** The current state of the pull request, which people may have merged or closed. Null when it is unknown. */
  currentPullRequest(project: Project, number: number): Promise<Pick<JobPullRequest, "state" | "draft"> | null>;
}

/** A job with the current state of its pull request at the code host, and with a notice where one is due. */
export const withStateNow = async (
  { currentPullRequest, withNotice }: Pick<JobAnswerDeps, "currentPullRequest" | "withNotice">,
  project: Project,
  job: Job,
) => withCurrentPullRequest(await withNotice(job), (number) => currentPullRequest(project, number));

/** Sets the headers of a response with a job and returns its body. `rateLimit`: null when the request was not counted. */
export function answerJob(
  c: HttpContext,
  { repositoryUrl }: Pick<JobAnswerDeps, "repositoryUrl">,
  { project, job, rateLimit = null }: { project: Project; job: Job; rateLimit?: RateLimitState | null },
): AgentJobBody {
  c.header("ETag", jobEtag(job));
  setRateLimit(c, rateLimit);
  return jobToJson(job, repositoryUrl(project));
}
