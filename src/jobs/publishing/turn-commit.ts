import type { HostedRepository } from "#code-hosts/code-host.ts";
import type { CommitInfo } from "#git/objects.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { type AgentCommit, commitMessage } from "./pull-request-text.ts";

/** What one turn made, and where it belongs. */
export interface TurnWork {
  repository: HostedRepository;
  jobId: string;
  turn: number;
  branch: string;
  baseCommit: ObjectId;
  tree: ObjectId;
  startedAt: Date;
  commit: AgentCommit;
}

export const AUTHOR = { name: "Docent", email: "agent@docent.invalid" };

/** A commit of a turn. Its id depends on the turn, the parent and the tree alone. */
export function commitOn(
  repoStore: RepoStore,
  { repository, startedAt, ...work }: TurnWork,
  { parent, tree }: { parent: ObjectId; tree: ObjectId },
): Promise<ObjectId> {
  const message = commitMessage(work.commit, work);
  return repoStore.commit(repository.projectId, { tree, parents: [parent], message, author: AUTHOR, at: startedAt });
}

/** The commit by which a turn is in the history of `tip` already, as after a crash. */
export async function findOwnCommit(
  repoStore: RepoStore,
  { repository, jobId, turn, baseCommit }: TurnWork,
  tip: ObjectId,
): Promise<CommitInfo | null> {
  const commits = await repoStore.log(repository.projectId, { base: baseCommit, head: tip, limit: 100 });
  const isOwn = ({ trailers }: CommitInfo) =>
    trailers["Docent-Job"] === jobId && trailers["Docent-Turn"] === String(turn);
  return commits.find(isOwn) ?? null;
}
