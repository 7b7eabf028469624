import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { AUTHOR } from "./turn-commit.ts";

/** What a turn changed: `tree` against the commit `from`. */
export interface TurnChanges {
  from: ObjectId;
  tree: ObjectId;
  at: Date;
}

export type Replanted = { ok: true; tree: ObjectId; isEmpty: boolean } | { ok: false; conflicts: string[] };

/**
 * The tree of the commit `onto` with what a turn changed, and nothing else of what the turn started from; `isEmpty`
 * when that is in it already. A three-way merge whose base is the turn's start, whatever history says: a squash leaves
 * the commits of a branch out of the base branch.
 */
export async function replant(
  repoStore: Pick<RepoStore, "commit" | "log" | "mergeTrees">,
  project: ProjectId,
  { from, tree, at, onto }: TurnChanges & { onto: ObjectId },
): Promise<Replanted> {
  const [tip] = await repoStore.log(project, { base: null, head: onto, limit: 1 });
  if (!tip) throw new Error(`The commit ${onto} cannot be read.`);
  // git merge-tree is told a merge base from 2.40 on only: commits of that parentage, which no branch gets, stand in.
  const standIn = (content: ObjectId) =>
    repoStore.commit(project, { tree: content, parents: [from], message: "Stand-in\n", author: AUTHOR, at });
  const merged = await repoStore.mergeTrees(project, { ours: await standIn(tip.tree), theirs: await standIn(tree) });
  return merged.ok ? { ...merged, isEmpty: merged.tree === tip.tree } : merged;
}
