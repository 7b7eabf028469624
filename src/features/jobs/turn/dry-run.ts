import { findFileMoves } from "#features/jobs/file-changes.ts";
import type { Plan } from "#features/jobs/job.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import type { TurnOutcome } from "./finish-turn.ts";
import type { TurnStepsDeps } from "./turn-loop.ts";
import type { TurnEnd } from "./turn-steps.ts";
import { recordProgress, type Turn } from "./turns.ts";

const MAX_PATHS = 200;
const NOTHING_PUBLISHED = "This was a dry run: there is no branch and no pull request.";

/** Ends a turn of a dry run: counts and reports its changes without publishing them. */
export async function endDryRun(
  deps: TurnStepsDeps,
  { claim, turn, end }: { claim: Claim; turn: Turn; end: TurnEnd },
): Promise<TurnOutcome> {
  if (end.kind === "early") {
    const { error, handledSeq } = end.early;
    return { ok: false, error, handledSeq };
  }
  const { handledSeq } = end;
  if (end.kind === "failed") return { ok: false, error: end.error, handledSeq };
  const changes = await findFileMoves(deps.repoStore, claim.job.projectId, { base: turn.baseCommit, tree: end.tree });
  await recordProgress(deps, claim, { turn: turn.turn, events: changes });
  const { title, summary } = end.finish;
  return {
    ok: true,
    title,
    summary: `${summary}\n\n${NOTHING_PUBLISHED}`,
    changed: changes.length > 0,
    question: end.finish.question ?? null,
    pullRequest: null,
    plan: planOf(changes),
    handledSeq,
  };
}

/** The plan of a `files.changed` event; an empty plan without such an event. */
function planOf(changes: readonly JobEventData[]): Plan {
  const files = changes.find((event) => event.type === "files.changed");
  const { added = [], modified = [], removed = [] } = files ?? {};
  const paths = [...added, ...modified, ...removed].sort().slice(0, MAX_PATHS);
  return { added: added.length, modified: modified.length, removed: removed.length, paths };
}
