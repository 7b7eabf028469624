import type { PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Database } from "#db/database.ts";
import { asSentence, recordRemark } from "./connection-remarks.ts";
import { PREVIEW_STATUS, PREVIEW_WORDS } from "./host-notices.ts";
import { COMMENT, giveBack, recordPosted, takePost } from "./posts.ts";
import type { ReachedHost } from "./reach-host.ts";
import { isPreviewComment, previewComment } from "./report-words.ts";
import { mayReach } from "./webhook-upkeep.ts";

export const PREVIEW_POSTS = ["off", "status", "comment"] as const;

/** Where the address of a pull request's preview is posted, and the address. */
export interface PreviewPosting {
  how: (typeof PREVIEW_POSTS)[number];
  link(number: number): string;
}

interface Deps {
  database: Database;
  clock: Clock;
}

/**
 * Posts the address of each open pull request's preview: as a status of each newest commit, or in one comment. A host
 * that refuses it is not asked again for the same commit. `AppError unavailable`, `rate_limited`.
 */
export async function postPreviews(
  deps: Deps,
  reached: ReachedHost,
  { posting, pullRequests }: { posting: PreviewPosting; pullRequests: readonly PullRequest[] },
): Promise<void> {
  const { how, link } = posting;
  const { projectId, url } = reached.connection;
  if (how === "off") return recordRemark(deps, projectId, "previews", null);
  for (const pullRequest of pullRequests.filter(({ state, head }) => state === "open" && head.commit !== "")) {
    const address = link(pullRequest.number);
    // The description of an agent's pull request contains it.
    if (!mayReach(url, address) || (how === "comment" && pullRequest.body.includes(address))) continue;
    const target = how === "status" ? pullRequest.head.commit : COMMENT;
    if (!(await takePost(deps, { projectId, number: pullRequest.number, target }))) continue;
    const refusal = await post(reached, { how, pullRequest, address }).then(
      () => null,
      async (error: unknown) => {
        if (error instanceof AppError && !["unavailable", "rate_limited"].includes(error.code)) return error.message;
        await giveBack(deps, { projectId, number: pullRequest.number, target });
        throw error;
      },
    );
    await recordPosted(deps, { projectId, number: pullRequest.number, target });
    const advice = "`docent projects set PROJECT previewPosts` says `comment` or `off` where it should not be.";
    await recordRemark(
      deps,
      projectId,
      "previews",
      refusal && `Previews are not shown there: ${asSentence(refusal)} ${advice}`,
    );
    if (refusal !== null) return;
  }
}

async function post(
  { api, call, path }: ReachedHost,
  { how, pullRequest, address }: { how: "status" | "comment"; pullRequest: PullRequest; address: string },
): Promise<void> {
  const { number } = pullRequest;
  if (how === "status") {
    const status = { name: PREVIEW_STATUS, url: address, description: PREVIEW_WORDS };
    return api.notices.postStatus(call, path, pullRequest, status);
  }
  // Posted by an earlier attempt, or before the database was lost. Hosts round the times of different things
  // differently.
  const since = new Date(pullRequest.createdAt.getTime() - 60_000);
  const comments = await api.conversation.listComments(call, path, pullRequest, since);
  if (comments.some((comment) => isPreviewComment(comment.body, address))) return;
  await api.conversation.addComment(call, path, { number, thread: null, body: previewComment(address) });
}
