import type { GateReport } from "#agent/gate/gate.ts";
import type { PullRequest } from "#code-hosts/code-host.ts";
import { findFileChanges } from "#jobs/file-changes.ts";
import type { TurnOutcome } from "#jobs/turn/finish-turn.ts";
import type { JobPullRequest } from "#jobs/job.ts";
import { keepBeside, keepWork } from "./keep-work.ts";
import { remembered } from "./publish.ts";
import { describePullRequest, type DescriptionDeps } from "./pull-request-description.ts";
import { titleLine } from "./pull-request-text.ts";
import { type MadeWork, pushOnward, saying, type TurnContext } from "./push-work.ts";
import type { TurnEnd } from "#jobs/turn/turn-steps.ts";
import { pullRequestNews } from "#jobs/turn/turn-history.ts";
import { recordProgress } from "#jobs/turn/turns.ts";

export type PublicationDeps = DescriptionDeps;

type Publication = TurnContext & { end: Extract<TurnEnd, { ok: true }> };

// One more than it takes when somebody ends the pull request while it is brought up to date.
const MAX_TRIES = 3;

/** Publishes what a turn made: one commit on the job's branch and its one pull request. Nothing changed: nothing is published. */
export async function publishTurn(deps: PublicationDeps, options: Publication): Promise<TurnOutcome> {
  const { claim, repository, end } = options;
  const { handledSeq, tree } = end;
  const { title, summary } = end.finish;
  const done = { ok: true, title: titleLine(title), summary, handledSeq } as const;
  const changes = await findFileChanges(deps.repoStore, repository.projectId, { base: options.turn.baseCommit, tree });
  if (tree === null || changes.length === 0) return { ...done, pullRequest: claim.job.pullRequest };
  const work = { tree, title, summary };
  let context = options;
  let current = await findCurrent(deps, options);
  for (let tries = 1; ; tries++) {
    const published = await publishOnce(deps, context, { work, current });
    const { outcome, turn } = published;
    if (outcome === "failed") return { ok: false, error: published.error, handledSeq };
    if (outcome !== "ended" || tries === MAX_TRIES) return { ...done, pullRequest: published.pullRequest };
    context = { ...context, turn };
    current = published.current;
  }
}

/**
 * Publishes what a turn made until it ended early, as a draft or on the pull request that is open; what the gate refused
 * is kept beside. The turn has failed all the same, with an error that says where its work is.
 */
export async function publishUnfinished(
  deps: PublicationDeps,
  options: TurnContext & { end: Extract<TurnEnd, { ok: "early" }> },
): Promise<TurnOutcome> {
  const { early, work, report } = options.end;
  const { error, handledSeq } = early;
  if (!work || !report) return keepWork(deps, { ...options, end: { ok: false, error, handledSeq, work } });
  const context = { ...options, turn: { ...options.turn, endedEarly: early } };
  const published = await publishTurn(deps, { ...context, end: { ok: true, ...work, handledSeq, report } });
  const where = published.ok ? placeOf(published.pullRequest) : published.error.message;
  return { ok: false, error: { ...error, message: `${error.message} ${where}`.trim() }, handledSeq };
}

function placeOf(pullRequest: JobPullRequest | null): string {
  if (!pullRequest) return "The base branch has all that was done until then.";
  const kind = pullRequest.draft ? ", a draft" : "";
  return `What was done until then is in pull request #${pullRequest.number}${kind}.`;
}

/** The pull request of the branch that a turn works on, also when a worker died before it could note it down. */
async function findCurrent(
  deps: PublicationDeps,
  { claim, repository, turn }: TurnContext,
): Promise<PullRequest | null> {
  const noted = claim.job.pullRequest && (await deps.codeHost.getPullRequest(repository, claim.job.pullRequest.number));
  if (noted?.head.branch === turn.branch) return noted;
  return deps.codeHost.findPullRequest(repository, turn.branch);
}

type Published = { turn: Publication["turn"] } & (
  | { outcome: "done"; pullRequest: JobPullRequest | null }
  /** The pull request was merged or closed before it told of this turn. */
  | { outcome: "ended"; pullRequest: JobPullRequest; current: PullRequest }
  | { outcome: "failed"; error: Extract<TurnOutcome, { ok: false }>["error"] }
);

async function publishOnce(
  deps: PublicationDeps,
  options: Publication,
  { work, current }: { work: MadeWork; current: PullRequest | null },
): Promise<Published> {
  const { project, end } = options;
  const before = options.claim.job.pullRequest;
  const pushed = await pushOnward(deps, options, { work, current });
  const { turn, outcome } = pushed;
  const context = { ...options, turn };
  const present = (pullRequest: PullRequest) => remembered(pullRequest, deps.previewUrl(project, pullRequest.number));
  if (outcome === "failed") {
    return { outcome, error: await keepBeside(deps, context, { work, error: pushed.error }), turn };
  }
  if (outcome === "empty")
    return { outcome: "done", pullRequest: pushed.pullRequest ? present(pushed.pullRequest) : before, turn };
  if (outcome === "decided") {
    const pullRequest = present(pushed.pullRequest);
    await tell(deps, context, { pullRequest, commit: pushed.commit });
    return { outcome: "done", pullRequest, turn };
  }
  const report = pushed.report ? reportOnBoth(end.report, pushed.report) : end.report;
  const open = current?.head.branch === turn.branch ? current : null;
  const described = await describePullRequest(deps, { ...context, open, report, title: work.title });
  if (!described.ok) return { outcome: "failed", error: saying(described.error, turn.branch), turn };
  if (!described.pullRequest) return { outcome: "done", pullRequest: before, turn };
  const pullRequest = present(described.pullRequest);
  if (pullRequest.state !== "open") return { outcome: "ended", pullRequest, current: described.pullRequest, turn };
  await tell(deps, context, { pullRequest, commit: pushed.commit });
  return { outcome: "done", pullRequest, turn };
}

/** Notes the pull request down, with an event unless the transcript has it. */
async function tell(
  deps: PublicationDeps,
  { claim, turn }: TurnContext,
  { pullRequest, commit }: { pullRequest: JobPullRequest; commit: string },
): Promise<void> {
  const { number, url } = pullRequest;
  const type = await pullRequestNews(deps, claim, { number, commit });
  const events = type ? [{ type, number, url, commit }] : [];
  await recordProgress(deps, claim, { turn: turn.turn, pullRequest, events });
}

/** What the gate said of a pushed tree, with what it has against the turn's own, which was pushed all the same. */
function reportOnBoth(own: GateReport | null, pushed: GateReport): GateReport {
  const known = new Set(pushed.errors.map(({ path, message }) => `${path} ${message}`));
  const more = (own?.errors ?? []).filter(({ path, message }) => !known.has(`${path} ${message}`));
  return { ...pushed, errors: [...pushed.errors, ...more] };
}
