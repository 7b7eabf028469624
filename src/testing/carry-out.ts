import type { CodeHost, HostedRepository } from "#hosts/code-host.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { finishTurn } from "#features/jobs/turn/finish-turn.ts";
import { type FailCode, type Job, jobError } from "#features/jobs/job.ts";
import { remembered } from "#features/jobs/publishing/publication.ts";
import { ensurePullRequest } from "#features/jobs/publishing/pull-request-description.ts";
import { commitOn } from "#features/jobs/publishing/turn-commit.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { recordProgress, type TurnDeps } from "#features/jobs/turn/turns.ts";

/** The result of a message: files written and a pull request, or a failure. */
interface CarriedWork {
  files?: Record<string, string>;
  fail?: FailCode;
  /** It failed because the provider was unavailable. */
  outage?: true;
  summary?: string;
}

/** Finishes the next message of the longest waiting job as a worker does, without a model. */
export function createCarryOut(
  deps: TurnDeps & { repoStore: RepoStore; codeHost: CodeHost; repository: HostedRepository },
) {
  const { clock, repoStore, codeHost, repository } = deps;
  return async function carryOut(work: CarriedWork = {}): Promise<Job["id"]> {
    const claim = await claimJob(deps, { owner: "test", leaseMs: 60_000 });
    if (!claim) throw new Error("no job waits");
    const turn = claim.job.handledCount + 1;
    if (work.fail) {
      const error = { ...jobError(work.fail, "It did not work."), ...(work.outage && { outage: work.outage }) };
      await finishTurn(deps, { claim, turn, outcome: { ok: false, error, handledSeq: turn } });
      return claim.jobId;
    }
    const summary = work.summary ?? "Done.";
    if (!work.files) {
      await finishTurn(deps, {
        claim,
        turn,
        outcome: {
          ok: true,
          title: "Nothing",
          summary,
          pullRequest: claim.job.pullRequest,
          handledSeq: turn,
        },
      });
      return claim.jobId;
    }
    const branch = claim.job.branch ?? `docent/work-${claim.jobId.slice(-8)}`;
    const started = await codeHost.fetchBranch(repository, claim.job.branch ?? claim.job.baseRef);
    const startedAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    const start = { turn, baseCommit: started!, branch, startedAt, commitId: null, waitedMs: 0, endedEarly: null };
    await recordProgress(deps, claim, {
      turn,
      phase: "running",
      start,
      events: [{ type: "turn.started", messages: [turn], baseCommit: started!, branch }],
    });
    const edits = Object.entries(work.files).map(([file, text]) => ({ path: file, content: Buffer.from(text) }));
    const tree = await repoStore.snapshot(repository.projectId, { base: started!, edits });
    const commit = await commitOn(
      repoStore,
      {
        repository,
        jobId: claim.jobId,
        turn,
        baseCommit: started!,
        tree,
        startedAt,
        commit: { title: "Edit pages", summary },
      },
      { parent: started!, tree },
    );
    const expected = claim.job.branch === null ? null : started;
    const pushed = await codeHost.push(repository, { branch, commit, expected });
    if (pushed.outcome !== "pushed") throw new Error(`The branch was not pushed: ${pushed.outcome}.`);
    const ensured = await ensurePullRequest(
      { codeHost },
      {
        repository,
        known: claim.job.pullRequest?.number ?? null,
        head: branch,
        base: claim.job.baseRef,
        title: "Edit pages",
        body: summary,
        draft: false,
      },
    );
    if (!ensured.ok || !ensured.pullRequest) throw new Error("no pull request");
    const pullRequest = remembered(ensured.pullRequest, null);
    const { number, url } = pullRequest;
    const isKnown = claim.job.pullRequest?.number === number;
    await recordProgress(deps, claim, {
      turn,
      commitId: commit,
      pullRequest,
      events: [
        { type: "commit.pushed", commit, branch },
        { type: isKnown ? "pull_request.updated" : "pull_request.opened", number, url, commit },
      ],
    });
    await finishTurn(deps, {
      claim,
      turn,
      outcome: {
        ok: true,
        title: "Edit pages",
        summary,
        pullRequest,
        handledSeq: turn,
      },
    });
    return claim.jobId;
  };
}
