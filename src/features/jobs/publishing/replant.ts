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
 * Applies a turn's changes, and nothing else from the turn's base commit, to the tree of the commit `onto`. `isEmpty`: it
 * already has these changes. This is a three-way merge whose merge base is the turn's base commit, regardless of history,
 * because a squash leaves the commits of a branch out of the base branch.
 */
export async function replant(
  repoStore: Pick<RepoStore, "commit" | "log" | "mergeTrees">,
  project: ProjectId,
  { from, tree, at, onto }: TurnChanges & { onto: ObjectId },
): Promise<Replanted> {
  const [tip] = await repoStore.log(project, { base: null, head: onto, limit: 1 });
  if (!tip) throw new Error(`The commit ${onto} cannot be read.`);
  // git merge-tree accepts a merge base only since 2.40. Stand-in commits on no branch, with `from` as parent, work in all.
  const standIn = (content: ObjectId) =>
    repoStore.commit(project, { tree: content, parents: [from], message: "Stand-in\n", author: AUTHOR, at });
  const merged = await repoStore.mergeTrees(project, { ours: await standIn(tip.tree), theirs: await standIn(tree) });
  return merged.ok ? { ...merged, isEmpty: merged.tree === tip.tree } : merged;
}
