import { z } from "zod";
import type { OwnChange, OwnWork } from "#tools/own-work.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import type { Turn, TurnDeps } from "./turns.ts";

const TurnFinished = z.object({ ok: z.boolean() });

/**
 * The changes of earlier turns, from the commits that they published on any branch. Code that undoes a change must check
 * whether it is still there. Turns that were refused or failed without a commit are left out.
 */
export function ownWork(
  deps: Pick<TurnDeps, "database"> & { repoStore: Pick<RepoStore, "log" | "tree" | "readBlob"> },
  claim: Claim,
  { turn }: Pick<Turn, "turn">,
): OwnWork {
  const { repoStore } = deps;
  const project = claim.job.projectId;

  async function changesOf(commit: string): Promise<OwnChange[]> {
    const [info] = await repoStore.log(project, { base: null, head: commit, limit: 1 });
    const parent = info?.parents[0];
    if (parent === undefined) return [];
    const idsOf = async (id: string) =>
      new Map((await repoStore.tree(project, id)).map(({ path, oid }) => [path, oid]));
    const [before, after] = [await idsOf(parent), await idsOf(commit)];
    return [...new Set([...before.keys(), ...after.keys()])]
      .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
      .filter((change) => change.before !== change.after);
  }

  return {
    async turns() {
      const rows = await deps.database.kysely
        .selectFrom("job_turn")
        .leftJoin("job_event", (join) =>
          join
            .onRef("job_event.job_id", "=", "job_turn.job_id")
            .onRef("job_event.turn", "=", "job_turn.turn")
            .on("job_event.type", "=", "turn.finished"),
        )
        .select(["job_turn.commit_id", "job_event.data"])
        .where("job_turn.job_id", "=", claim.jobId)
        .where("job_turn.turn", "<", turn)
        .orderBy("job_turn.turn")
        .execute();
      const carriedOut = rows.filter(
        ({ commit_id: commit, data }) => commit !== null || (data !== null && TurnFinished.parse(JSON.parse(data)).ok),
      );
      const turns: OwnChange[][] = [];
      for (const { commit_id: commit } of carriedOut) turns.push(commit === null ? [] : await changesOf(commit));
      return turns;
    },
    read: (id) => repoStore.readBlob(project, id),
  };
}
