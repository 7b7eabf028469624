import type { PullRequest } from "#hosts/code-host.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import { findLocked } from "#features/jobs/jobs.ts";
import { announceEvents } from "#features/jobs/outbox.ts";
import { notePullRequest } from "#features/jobs/transitions/by-callers.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";

type Seen = Pick<PullRequest, "number" | "state" | "head">;

const EVENT_TYPES = {
  merged: "pull_request.merged",
  closed: "pull_request.closed",
  open: "pull_request.reopened",
} as const;

/**
 * Records which pull requests of jobs people merged, closed or reopened at a host, each change once with an event. Any
 * number of processes may do so on one store.
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
    const recorded = pullRequestOf(job);
    const seen = recorded && byNumber.get(recorded.number);
    if (seen && isNewState(recorded.state, seen.state)) await recordState(deps, { projectId, jobId: job.id, seen });
  }
}

/** A merged pull request stays merged, even when the host's list is outdated. */
const isNewState = (recorded: Seen["state"], seen: Seen["state"]) => recorded !== seen && recorded !== "merged";

async function recordState(
  deps: TransitionDeps,
  { projectId, jobId, seen: { number, state } }: { projectId: ProjectId; jobId: JobId; seen: Seen },
): Promise<void> {
  const events = await deps.database.transaction(async (transaction): Promise<JobEventData[]> => {
    const row = await findLocked(transaction, deps.database, { projectId, jobId });
    const recorded = row && pullRequestOf(row);
    // Its worker, or another process, was faster.
    if (!row || recorded?.number !== number || !isNewState(recorded.state, state)) return [];
    const event = { type: EVENT_TYPES[state], number, url: recorded.url };
    const at = deps.clock.now().getTime();
    await notePullRequest(transaction, deps, row, { at, pullRequest: { ...recorded, state }, events: [event] });
    return [event];
  });
  if (events.length > 0) announceEvents(deps.database, jobId, events);
}
