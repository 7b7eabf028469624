import type { PullRequest } from "#hosts/code-host.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import { findLocked } from "#features/jobs/jobs.ts";
import { announceEvents } from "#features/jobs/outbox.ts";
import { notePullRequest } from "#features/jobs/transitions/by-callers.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";

type Seen = Pick<PullRequest, "number" | "state" | "head">;

const TOLD = { merged: "pull_request.merged", closed: "pull_request.closed", open: "pull_request.reopened" } as const;

/**
 * Writes down at their jobs which pull requests people merged, closed or opened again at a host, each once with an event.
 * Any number of processes may do it on one store.
 */
export async function recordPullRequestStates(
  deps: TransitionDeps,
  projectId: ProjectId,
  pullRequests: readonly Seen[],
): Promise<void> {
  if (pullRequests.length === 0) return;
  const byNumber = new Map(pullRequests.map((seen) => [seen.number, seen]));
  const jobs = await deps.database.kysely
    .selectFrom("job")
    .select(["id", "pull_request"])
    .where("project_id", "=", projectId)
    .where("branch", "in", [...new Set(pullRequests.map(({ head }) => head.branch))])
    .where("pull_request", "is not", null)
    .execute();
  for (const job of jobs) {
    const noted = pullRequestOf(job);
    const seen = noted && byNumber.get(noted.number);
    if (seen && isNews(noted.state, seen.state)) await recordState(deps, { projectId, jobId: job.id, seen });
  }
}

/** What is merged stays merged, however old the host's list is. */
const isNews = (noted: Seen["state"], seen: Seen["state"]) => noted !== seen && noted !== "merged";

async function recordState(
  deps: TransitionDeps,
  { projectId, jobId, seen: { number, state } }: { projectId: ProjectId; jobId: JobId; seen: Seen },
): Promise<void> {
  const events = await deps.database.transaction(async (transaction): Promise<JobEventData[]> => {
    const row = await findLocked(transaction, deps.database, { projectId, jobId });
    const noted = row && pullRequestOf(row);
    // Its worker, or another process, was faster.
    if (!row || noted?.number !== number || !isNews(noted.state, state)) return [];
    const event = { type: TOLD[state], number, url: noted.url };
    const at = deps.clock.now().getTime();
    await notePullRequest(transaction, deps, row, { at, pullRequest: { ...noted, state }, events: [event] });
    return [event];
  });
  if (events.length > 0) announceEvents(deps.database, jobId, events);
}
