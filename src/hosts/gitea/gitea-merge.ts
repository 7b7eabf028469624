import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import type { HostMerge } from "#hosts/remote/host-api.ts";
import { type HostCall, hostMessage } from "#hosts/remote/host-call.ts";

/** Values of `Do` with the setting that allows each, in order of preference where the default is not allowed. */
const STYLES = [
  ["squash", "allow_squash_merge"],
  ["merge", "allow_merge_commits"],
  ["rebase", "allow_rebase"],
  ["rebase-merge", "allow_rebase_explicit"],
  ["fast-forward-only", "allow_fast_forward_only_merge"],
] as const;

const allowed = z.boolean().optional();
const Settings = z.looseObject({
  allow_squash_merge: allowed,
  allow_merge_commits: allowed,
  allow_rebase: allowed,
  allow_rebase_explicit: allowed,
  allow_fast_forward_only_merge: allowed,
  default_merge_style: z.string().optional(),
});

/**
 * Merges with the repository's default style, or another one that it allows. Null: merged. The responses are those of
 * `MergePullRequest` in `routers/api/v1/repo/pull.go` (Gitea 1.24, Forgejo 12).
 */
export async function mergeOnGitea(
  call: HostCall,
  path: string,
  { number, head, base }: PullRequest,
  { subject, body }: { subject: string; body: string },
): Promise<HostMerge | null> {
  const settings = (await call({ method: "GET", path: `/repos/${path}` })).read(Settings);
  const styles = STYLES.filter(([, field]) => settings[field] !== false).map(([style]) => style);
  const style = styles.find((one) => one === settings.default_merge_style) ?? styles[0];
  if (style === undefined)
    return { outcome: "refused", reason: "The settings of the repository allow no way to merge." };
  const answer = await call({
    method: "POST",
    path: `/repos/${path}/pulls/${number}/merge`,
    body: {
      Do: style,
      head_commit_id: head.commit,
      MergeTitleField: subject,
      MergeMessageField: body,
      delete_branch_after_merge: true,
    },
    answers: [403, 405, 409, 422, 423],
  });
  if (answer.status < 300) return null;
  const message = hostMessage(answer.body);
  if (answer.status === 409) return readConflict(message, base.branch);
  // A conflict gets the same response permanently, so the caller checks for conflicts first.
  if (answer.status === 405 && message === "Please try again later") return { outcome: "try_again", reason: message };
  return { outcome: "refused", reason: message };
}

function readConflict(message: string, base: string): HostMerge {
  if (message === "head out of date") return { outcome: "head_moved" };
  if (message === "merge push out of date") return { outcome: "try_again", reason: message };
  const rule = /^PushRejected with(?:out)? remote (?:error )?message:? ?(.*)$/.exec(message);
  if (!rule) return { outcome: "refused", reason: `It cannot be merged into ${base} without conflicts.` };
  const words = rule[1] ? `It said: ${rule[1].trim()}` : "It gave no reason.";
  return { outcome: "refused", reason: `A rule of the repository refused the merge into ${base}. ${words}` };
}
