import type { GateReport } from "#agent/gate/gate.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import type { PullRequest } from "#hosts/code-host.ts";
import { countFiles, findFileMoves } from "#features/jobs/file-changes.ts";
import type { JobPullRequest } from "#features/jobs/job.ts";
import type { TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { pullRequestNews } from "#features/jobs/turn/turn-history.ts";
import { withChanges, withoutChange } from "#features/jobs/turn/ending-words.ts";
import type { TurnEnd } from "#features/jobs/turn/turn-steps.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { keepSeparately, keepWork, withKeptBranch } from "./keep-work.ts";
import { landWork } from "./land-work.ts";
import { describePullRequest, type DescriptionDeps } from "./pull-request-description.ts";
import { titleLine } from "./pull-request-text.ts";
import type { TurnContext } from "./turn-commit.ts";

export type PublicationDeps = DescriptionDeps;

// One more than needed when someone merges or closes the pull request while it is updated.
const MAX_TRIES = 3;

/** Publishes a turn's changes as one commit on the job's branch, with its one pull request. Without changes, does nothing. */
export async function publishTurn(
  deps: PublicationDeps,
  options: TurnContext & { end: Extract<TurnEnd, { kind: "done" }> },
): Promise<TurnOutcome> {
  const { claim, project, repository, end } = options;
  const { handledSeq, tree } = end;
  const { title, summary } = end.finish;
  const before = claim.job.pullRequest;
  const present = (one: PullRequest) => remembered(one, deps.previewUrl(project, one.number));

  const range = { base: options.turn.baseCommit, tree };
  const fileCount = countFiles(await findFileMoves(deps.repoStore, repository.projectId, range));
  const isByModel = claim.job.model !== BUILTIN_RULES;
  const done = (pullRequest: JobPullRequest | null, changed = true): TurnOutcome => {
    const finish =
      isByModel && tree !== null
        ? changed
          ? withChanges(end.finish, fileCount)
          : withoutChange(end.finish)
        : end.finish;
    const { question = null, files = [], forLaterJobs = [] } = finish;
    return {
      ok: true,
      title: titleLine(title),
      summary: finish.summary,
      changed,
      question,
      files,
      forLaterJobs,
      handledSeq,
      pullRequest,
    };
  };
  if (tree === null || fileCount === 0) return done(before, false);
  const made = { tree, title, summary };
  let { turn } = options;
  let current = await findCurrent(deps, options);
  for (let tries = 1; ; tries++) {
    const landed = await landWork(deps, { ...options, turn }, { made, current });
    turn = landed.turn;
    const context = { ...options, turn };
    if (landed.outcome === "failed") {
      return { ok: false, error: await keepSeparately(deps, context, { made, error: landed.error }), handledSeq };
    }
    if (landed.outcome === "empty") return done(landed.pullRequest ? present(landed.pullRequest) : before, false);
    if (landed.outcome === "decided") {
      return done(
        await recordPullRequest(deps, context, { ...landed, pullRequest: present(landed.pullRequest), title }),
      );
    }
    const report = landed.report ? combinedReport(end.report, landed.report) : end.report;
    const open = current?.head.branch === turn.branch ? current : null;
    const described = await describePullRequest(deps, { ...context, open, report, title });
    if (!described.ok) return { ok: false, error: withKeptBranch(described.error, turn.branch), handledSeq };
    if (!described.pullRequest) return done(before, false);
    const pullRequest = present(described.pullRequest);
    if (pullRequest.state === "open") {
      return done(await recordPullRequest(deps, context, { ...landed, pullRequest, title }));
    }
    // It was merged or closed before its description covered this turn.
    if (tries === MAX_TRIES) return done(pullRequest);
    current = described.pullRequest;
  }
}

/**
 * Publishes the work of a turn that ended early, as a draft or on the open pull request. Work that the gate refused is kept
 * on a separate branch. The turn fails anyway, with an error that says where its work is.
 */
export async function publishUnfinished(
  deps: PublicationDeps,
  options: TurnContext & { end: Extract<TurnEnd, { kind: "early" }> },
): Promise<TurnOutcome> {
  const { early, work, report } = options.end;
  const { error, handledSeq } = early;
  if (!work || !report) return keepWork(deps, { ...options, end: { kind: "failed", error, handledSeq, work } });
  const context = { ...options, turn: { ...options.turn, endedEarly: early } };
  const published = await publishTurn(deps, { ...context, end: { kind: "done", ...work, handledSeq, report } });
  const where = published.ok ? placeOf(published.pullRequest) : published.error.message;
  const { changed = false } = published;
  return { ok: false, error: { ...error, message: `${error.message} ${where}`.trim() }, handledSeq, changed };
}

function placeOf(pullRequest: JobPullRequest | null): string {
  if (!pullRequest) return "The base branch has all that was done until then.";
  const kind = pullRequest.draft ? ", a draft" : "";
  return `What was done until then is in pull request #${pullRequest.number}${kind}.`;
}

/** The pull request of the branch that a turn works on, even when a worker died before it recorded the pull request. */
async function findCurrent(
  deps: PublicationDeps,
  { claim, repository, turn }: TurnContext,
): Promise<PullRequest | null> {
  const recorded =
    claim.job.pullRequest && (await deps.codeHost.getPullRequest(repository, claim.job.pullRequest.number));
  if (recorded?.head.branch === turn.branch) return recorded;
  return deps.codeHost.findPullRequest(repository, turn.branch);
}

/** Records the pull request, with an event unless the transcript already has it. */
async function recordPullRequest(
  deps: PublicationDeps,
  { claim, turn }: TurnContext,
  { pullRequest, commit, title }: { pullRequest: JobPullRequest; commit: string; title: string },
): Promise<JobPullRequest> {
  const { number, url } = pullRequest;
  const type = await pullRequestNews(deps, claim, { number, commit });
  const events = type ? [{ type, number, url, commit }] : [];
  // Recorded with the event, because notifications name the job by its title. Unfinished work has no title of its own.
  const named = turn.endedEarly ? {} : { title: titleLine(title) };
  await recordProgress(deps, claim, { turn: turn.turn, pullRequest, ...named, events });
  return pullRequest;
}

/** The gate's report on the pushed tree, with the errors of the turn's own tree added, which was pushed despite them. */
function combinedReport(own: GateReport | null, pushed: GateReport): GateReport {
  const known = new Set(pushed.errors.map(({ path, message }) => `${path} ${message}`));
  const more = (own?.errors ?? []).filter(({ path, message }) => !known.has(`${path} ${message}`));
  return { ...pushed, errors: [...pushed.errors, ...more] };
}

/** The fields of a pull request that a job stores. */
export const remembered = ({ number, url, state, draft }: PullRequest, previewUrl: string | null): JobPullRequest => ({
  number,
  url,
  state,
  draft,
  previewUrl,
});
