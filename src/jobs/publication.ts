import type { GateReport } from "#agent/gate.ts";
import type { PullRequest } from "#code-hosts/code-host.ts";
import type { Project } from "#projects/project.ts";
import { findFileChanges } from "./file-changes.ts";
import type { TurnOutcome } from "./finish-turn.ts";
import { keepBeside } from "./keep-work.ts";
import { ensurePullRequest } from "./publish.ts";
import { fillTemplate, readTemplate } from "./pull-request-template.ts";
import { bodySections } from "./pull-request-sections.ts";
import { pullRequestBody, titleLine } from "./pull-request-text.ts";
import { pushOnward, type PushWorkDeps, saying, type TurnContext } from "./push-work.ts";
import type { TurnEnd } from "./turn-steps.ts";
import { finishedTurns, pullRequestNews } from "./turn-history.ts";
import { recordProgress } from "./turns.ts";

export interface PublicationDeps extends PushWorkDeps {
  /** Where the pull request can be seen as a site; null where there is no such place. */
  previewUrl(project: Project, number: number): string | null;
}

/** Publishes what a turn made: one commit on the job's branch and its one pull request. Nothing changed: nothing is published. */
export async function publishTurn(
  deps: PublicationDeps,
  options: TurnContext & { end: Extract<TurnEnd, { ok: true }> },
): Promise<TurnOutcome> {
  const { claim, repository, end } = options;
  const { job } = claim;
  const { handledSeq, tree } = end;
  const { title, summary } = end.finish;
  const done = { ok: true, title: titleLine(title), summary, handledSeq } as const;
  const base = options.turn.baseCommit;
  const changes = await findFileChanges(deps.repoStore, repository.projectId, { base, tree });
  if (tree === null || changes.length === 0) return { ...done, pullRequest: job.pullRequest };
  const current = job.pullRequest && (await deps.codeHost.getPullRequest(repository, job.pullRequest.number));
  const work = { tree, title, summary };
  const pushed = await pushOnward(deps, options, { work, current });
  const { turn } = pushed;
  if (!pushed.ok) {
    return {
      ok: false,
      error: await keepBeside(deps, { ...options, turn }, { work, error: pushed.error }),
      handledSeq,
    };
  }
  const { commit } = pushed;
  if (commit === null) {
    return { ...done, pullRequest: current && job.pullRequest && { ...job.pullRequest, state: current.state } };
  }
  const report = pushed.report ? reportOnBoth(end.report, pushed.report) : end.report;
  const ensured = await ensureDescribed(deps, { ...options, turn, current, end: { ...end, report } });
  if (!ensured.ok) return { ok: false, error: saying(ensured.error, turn.branch), handledSeq };
  const { pullRequest } = ensured;
  if (pullRequest) {
    const { number, url } = pullRequest;
    const type = await pullRequestNews(deps, claim, { number, commit });
    await recordProgress(deps, claim, {
      turn: turn.turn,
      pullRequest,
      events: type ? [{ type, number, url, commit }] : [],
    });
  }
  return { ...done, pullRequest };
}

/** What the gate said of a pushed tree, with what it has against the turn's own, which was pushed all the same. */
function reportOnBoth(own: GateReport | null, pushed: GateReport): GateReport {
  const known = new Set(pushed.errors.map(({ path, message }) => `${path} ${message}`));
  const more = (own?.errors ?? []).filter(({ path, message }) => !known.has(`${path} ${message}`));
  return { ...pushed, errors: [...pushed.errors, ...more] };
}

/** The pull request with its description, which names the preview: of a new one only once its number is known. */
async function ensureDescribed(
  deps: PublicationDeps,
  options: TurnContext & { end: Extract<TurnEnd, { ok: true }>; current: PullRequest | null },
) {
  const { claim, project, repository, turn, end, current } = options;
  const { job } = claim;
  const open = current?.state === "open" ? current : null;
  // Whether it is a draft still is for people to say once it is there.
  const isDraft = open ? open.draft : job.draft;
  const turns = await finishedTurns(deps, claim, turn.branch);
  const ensure = async (preview: string | null) =>
    ensurePullRequest(deps, {
      repository,
      head: turn.branch,
      base: job.baseRef,
      title: job.title ?? titleLine(end.finish.title),
      body: await composeBody(deps, { ...options, turns, report: end.report, preview }),
      draft: isDraft || (end.report?.errors.length ?? 0) > 0,
    });
  const known = open && deps.previewUrl(project, open.number);
  const ensured = await ensure(known);
  if (!ensured.ok || !ensured.pullRequest) return { ...ensured, pullRequest: null };
  const previewUrl = deps.previewUrl(project, ensured.pullRequest.number);
  if (previewUrl !== known) await ensure(previewUrl);
  return { ...ensured, pullRequest: { ...ensured.pullRequest, previewUrl } };
}

async function composeBody(
  deps: PublicationDeps,
  options: Pick<TurnContext, "claim" | "project" | "repository"> & {
    turns: Awaited<ReturnType<typeof finishedTurns>>;
    report: GateReport | null;
    preview: string | null;
  },
): Promise<string> {
  const { claim, project, repository, turns } = options;
  const body = pullRequestBody({
    job: claim.job,
    turns,
    sections: bodySections(options),
    redact: deps.redact,
  });
  const base = await deps.repoStore.resolve(repository.projectId, `refs/heads/${claim.job.baseRef}`);
  const template = base && (await readTemplate(deps, project, base));
  return deps.redact(template ? fillTemplate(template, body) : body);
}
