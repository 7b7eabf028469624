import { type Change, checkChange, type GateDeps, type GateReport } from "#agent/gate.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Project } from "#projects/project.ts";
import type { Turn } from "./turns.ts";

/** Puts a turn's tree before the gate, against the commit that the turn started from. */
export async function checkTurn(
  { repoStore, gate }: { repoStore: RepoStore; gate: GateDeps },
  { project, turn, tree }: { project: Project; turn: Turn; tree: ObjectId },
): Promise<GateReport> {
  const base = commitSnapshot(repoStore, project.id, turn.baseCommit);
  const head = commitSnapshot(repoStore, project.id, tree);
  const differences = await repoStore.changes(project.id, turn.baseCommit, tree);
  const paths = new Set(differences.flatMap((difference) => [difference.path, difference.oldPath ?? difference.path]));
  const changes: Change[] = [];
  for (const path of paths) changes.push({ path, before: await base.read(path), after: await head.read(path) });
  const changedLines = differences.reduce(
    (sum, { additions, deletions }) => sum + (additions ?? 0) + (deletions ?? 0),
    0,
  );
  return checkChange(gate, { base, head, contentRoot: project.settings.contentRoot ?? null, changes, changedLines });
}
