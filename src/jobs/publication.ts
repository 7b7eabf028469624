import type { GateReport } from "#agent/gate.ts";
import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";
import { findFileChanges } from "./file-changes.ts";
import type { TurnOutcome } from "./finish-turn.ts";
import { ensurePullRequest, type PublishDeps, pushTurn } from "./publish.ts";
import { fillTemplate, readTemplate } from "./pull-request-template.ts";
import { bodySections } from "./pull-request-sections.ts";
import { pullRequestBody, titleLine } from "./pull-request-text.ts";
import type { Claim } from "./queue.ts";
import type { TurnEnd } from "./turn-steps.ts";
import { finishedTurns, recordProgress, type Turn, type TurnDeps } from "./turns.ts";

export interface PublicationDeps extends TurnDeps, PublishDeps {
  /** Where the pull request can be seen as a site; null where there is no such place. */
  previewUrl(project: Project, number: number): string | null;
}

interface Context {
  claim: Claim;
  project: Project;
  repository: HostedRepository;
  turn: Turn;
}

/** Publishes what a turn made: one commit on the job's branch and its one pull request. Nothing changed: nothing is published. */
export async function publishTurn(
  deps: PublicationDeps,
  options: Context & { end: Extract<TurnEnd, { ok: true }> },
): Promise<TurnOutcome> {
  const { claim, repository, turn, end } = options;
  const { job } = claim;
  const { title, summary } = end.finish;
  const changes = await findFileChanges(deps.repoStore, repository.projectId, {
    base: turn.baseCommit,
    tree: end.tree,
  });
  if (end.tree === null || changes.length === 0) {
    return { ok: true, title: titleLine(title), summary, pullRequest: job.pullRequest, handledSeq: end.handledSeq };
  }
  const pushed = await pushWork(deps, options, { tree: end.tree, title, summary });
  if (!pushed.ok) return { ok: false, error: pushed.error, handledSeq: end.handledSeq };
  const ensured = await ensureDescribed(deps, options);
  if (!ensured.ok) {
    return { ok: false, error: saying(ensured.error, turn.branch), handledSeq: end.handledSeq };
  }
  const { pullRequest } = ensured;
  if (pullRequest) {
    const { number, url } = pullRequest;
    const type = ensured.isNew ? "pull_request.opened" : "pull_request.updated";
    await recordProgress(deps, claim, {
      turn: turn.turn,
      pullRequest,
      events: [{ type, number, url, commit: pushed.commit }],
    });
  }
  return { ok: true, title: titleLine(title), summary, pullRequest, handledSeq: end.handledSeq };
}

/** The pull request with its description, which names the preview: of a new one only once its number is known. */
async function ensureDescribed(deps: PublicationDeps, options: Context & { end: Extract<TurnEnd, { ok: true }> }) {
  const { claim, project, repository, turn, end } = options;
  const { job } = claim;
  // Whether it is a draft still is for people to say once it is there.
  const current = job.pullRequest && (await deps.codeHost.getPullRequest(repository, job.pullRequest.number));
  const isDraft = current?.state === "open" ? current.draft : job.draft;
  const ensure = async (preview: string | null) =>
    ensurePullRequest(deps, {
      repository,
      head: turn.branch,
      base: job.baseRef,
      title: job.title ?? titleLine(end.finish.title),
      body: await composeBody(deps, { ...options, report: end.report, preview }),
      draft: isDraft || (end.report?.errors.length ?? 0) > 0,
    });
  const known = job.pullRequest?.state === "open" ? deps.previewUrl(project, job.pullRequest.number) : null;
  const ensured = await ensure(known);
  if (!ensured.ok || !ensured.pullRequest) return { ...ensured, pullRequest: null };
  const previewUrl = deps.previewUrl(project, ensured.pullRequest.number);
  if (previewUrl !== known) await ensure(previewUrl);
  return { ...ensured, pullRequest: { ...ensured.pullRequest, previewUrl } };
}

/** A failed turn whose work is safe to show keeps it on the job's branch, and says where. */
export async function keepWork(
  deps: PublicationDeps,
  options: Context & { end: Extract<TurnEnd, { ok: false }> },
): Promise<TurnOutcome> {
  const { end, turn } = options;
  const { error, handledSeq, work } = end;
  if (!work) return { ok: false, error, handledSeq };
  const pushed = await pushWork(deps, options, {
    tree: work.tree,
    title: work.finish.title,
    summary: work.finish.summary,
  });
  return { ok: false, error: pushed.ok ? saying(error, turn.branch) : error, handledSeq };
}

const saying = <E extends { message: string }>(error: E, branch: string): E => ({
  ...error,
  message: `${error.message} The work is kept on the branch ${branch}.`,
});

async function pushWork(
  deps: PublicationDeps,
  { claim, repository, turn }: Context,
  work: { tree: ObjectId; title: string; summary: string },
) {
  await recordProgress(deps, claim, { turn: turn.turn, phase: "publishing", events: [] });
  const pushed = await pushTurn(deps, {
    repository,
    jobId: claim.jobId,
    turn: turn.turn,
    branch: turn.branch,
    baseCommit: turn.baseCommit,
    tree: work.tree,
    startedAt: turn.startedAt,
    commit: { title: deps.redact(work.title), summary: deps.redact(work.summary) },
  });
  if (pushed.ok) {
    await recordProgress(deps, claim, {
      turn: turn.turn,
      commitId: pushed.commit,
      events: [{ type: "commit.pushed", commit: pushed.commit, branch: turn.branch }],
    });
  }
  return pushed;
}

async function composeBody(
  deps: PublicationDeps,
  {
    claim,
    project,
    repository,
    turn,
    report,
    preview,
  }: Context & { report: GateReport | null; preview: string | null },
): Promise<string> {
  const turns = await finishedTurns(deps, claim, turn.branch);
  const body = pullRequestBody({
    job: claim.job,
    turns,
    sections: bodySections({ report, preview }),
    redact: deps.redact,
  });
  const base = await deps.repoStore.resolve(repository.projectId, `refs/heads/${claim.job.baseRef}`);
  const template = base && (await readTemplate(deps, project, base));
  return deps.redact(template ? fillTemplate(template, body) : body);
}
