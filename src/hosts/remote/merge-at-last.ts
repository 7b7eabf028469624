import type { MergeOutcome, PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { HostApi, HostMerge } from "./host-api.ts";
import type { Sleep } from "./host-call.ts";

/** Delays: some hosts need seconds after a push until they know the branch, and whether it can be merged. */
export const INDEXING_MS = [500, 1_000, 2_000, 4_000, 8_000];

export const HEAD_MOVED = { ok: false, reason: "head_moved", detail: "The branch has new commits." } as const;

interface Steps {
  merge(): Promise<HostMerge>;
  /** The pull request as it is now. */
  read(): Promise<PullRequest | null>;
  /** Files that conflict between the two branches. */
  findConflicts(): Promise<string[]>;
  sleep: Sleep;
}

/** Merges `current`, and retries temporary failures. */
export async function mergeAtLast(
  { name }: Pick<HostApi, "name">,
  current: PullRequest,
  { merge, read, findConflicts, sleep }: Steps,
): Promise<MergeOutcome> {
  for (let tries = 0; ; tries++) {
    const answer = await merge().catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
    let reason = `${name} has not found out yet whether it can be merged.`;
    if (answer instanceof AppError || answer.outcome !== "unchecked") {
      if (!(answer instanceof AppError) && answer.outcome === "merged") return { ok: true, commit: answer.commit };
      // It may have been merged anyway: by an earlier request whose response was lost, by a person, or by this one,
      // when Gitea and Forgejo respond 403, 404 or 500 because they could not delete the branch afterwards.
      const now = await read().catch((error: unknown) => {
        throw answer instanceof AppError ? answer : error;
      });
      if (now?.state === "merged" && now.mergedCommit !== null && now.head.commit === current.head.commit) {
        return { ok: true, commit: now.mergedCommit };
      }
      if (answer instanceof AppError) throw answer;
      if (answer.outcome === "queued") return queued(name, current);
      if (answer.outcome === "head_moved") return HEAD_MOVED;
      const paths = await findConflicts();
      if (paths.length > 0) {
        return { ok: false, reason: "conflict", detail: "The branches change the same lines.", paths };
      }
      if (answer.outcome === "refused") return { ok: false, reason: "blocked", detail: answer.reason };
      reason = `${name} asked to try again, and did so several times: ${answer.reason}`;
    }
    const waitMs = INDEXING_MS[tries];
    if (waitMs === undefined) return { ok: false, reason: "blocked", detail: reason };
    await sleep(waitMs);
  }
}

const queued = (name: string, { base }: PullRequest): MergeOutcome => ({
  ok: false,
  reason: "queued",
  detail: `It is in the merge queue of ${base.branch}: ${name} merges it when its turn comes and its checks pass.`,
});
