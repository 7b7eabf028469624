import { inertText } from "#agent/finish-text.ts";
import type { CodeHost, HostedRepository } from "#hosts/code-host.ts";
import type { JobId } from "#lib/ids.ts";
import type { CommitInfo, Identity } from "#git/objects/objects.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Project } from "#features/projects/project.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import type { CheckDeps } from "#features/jobs/turn/turn-check.ts";
import type { StepDeps, Turn } from "#features/jobs/turn/turns.ts";
import { type AgentCommit, commitMessage } from "./pull-request-text.ts";

export interface PublishDeps extends StepDeps, CheckDeps {
  codeHost: CodeHost;
}

export interface TurnContext {
  claim: Claim;
  project: Project;
  repository: HostedRepository;
  turn: Turn;
}

/** The changes of a turn, with the title and summary of their commit. */
export interface MadeWork {
  tree: ObjectId;
  title: string;
  summary: string;
}

/** Everything that a turn's commit is derived from. */
export interface TurnCommit {
  repository: HostedRepository;
  jobId: string;
  turn: number;
  baseCommit: ObjectId;
  tree: ObjectId;
  startedAt: Date;
  commit: AgentCommit;
}

export async function turnCommit(
  { redact, database }: Pick<PublishDeps, "redact" | "database">,
  { claim, repository, turn }: Pick<TurnContext, "claim" | "repository" | "turn">,
  { tree, title, summary }: MadeWork,
): Promise<TurnCommit> {
  const { baseCommit, startedAt } = turn;
  const commit = {
    title: inertText(redact(title)),
    summary: inertText(redact(summary)),
    askedBy: await askedBy(database, claim.jobId, turn.turn),
  };
  return { repository, jobId: claim.jobId, turn: turn.turn, baseCommit, tree, startedAt, commit };
}

/** The person who sent the first message of a turn; null for a program. It is constant, so that the commit's id is constant. */
async function askedBy({ kysely }: PublishDeps["database"], jobId: JobId, seq: number): Promise<Identity | null> {
  const row = await kysely
    .selectFrom("job_message")
    .select(["asked_by", "asked_by_email"])
    .where("job_id", "=", jobId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return row?.asked_by && row.asked_by_email ? { name: row.asked_by, email: row.asked_by_email } : null;
}

export const AUTHOR = { name: "Docent", email: "agent@docent.invalid" };

/** A commit of a turn. Its id depends on the turn, the parent and the tree alone. */
export function commitOn(
  repoStore: RepoStore,
  { repository, startedAt, ...work }: TurnCommit,
  { parent, tree }: { parent: ObjectId; tree: ObjectId },
): Promise<ObjectId> {
  const message = commitMessage(work.commit, work);
  return repoStore.commit(repository.projectId, { tree, parents: [parent], message, author: AUTHOR, at: startedAt });
}

/** The turn's own commit in the history of `tip`, which has it after a crash, for example. */
export async function findOwnCommit(
  repoStore: RepoStore,
  { repository, jobId, turn, baseCommit }: TurnCommit,
  tip: ObjectId,
): Promise<CommitInfo | null> {
  const commits = await repoStore.log(repository.projectId, { base: baseCommit, head: tip, limit: 100 });
  const isOwn = ({ trailers }: CommitInfo) =>
    trailers["Docent-Job"] === jobId && trailers["Docent-Turn"] === String(turn);
  return commits.find(isOwn) ?? null;
}
