import type { PullRequest } from "#code-hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { answerMark } from "./addressed.ts";
import { asSentence, recordRemark } from "./connection-remarks.ts";
import type { ReachedHost } from "./reach-host.ts";
import { mayReach } from "./webhook-upkeep.ts";

export const PREVIEW_POSTS = ["off", "status", "comment"] as const;

/** Where the address of a pull request's preview is shown at its host, and the address. */
export interface PreviewPosting {
  how: (typeof PREVIEW_POSTS)[number];
  link(number: number): string;
}

interface Deps {
  database: Database;
  clock: Clock;
}

const MARK = answerMark("preview");
/** Of posts that are not at a commit. */
const COMMENT = "comment";
/** A try that was cut off is repeated after it. */
const TRY_MS = 120_000;

/**
 * Shows the address of each open pull request's preview at its host: among the checks of each newest commit, or in one
 * comment. A host that refuses it is not asked again for the same commit. `AppError unavailable`, `rate_limited`.
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
    // The description of an agent's has it.
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
  if (how === "status") return api.notices.postStatus(call, path, pullRequest, address);
  // By an earlier try, or before the database was lost. Hosts round the times of one thing and another differently.
  const since = new Date(pullRequest.createdAt.getTime() - 60_000);
  const body = `**Preview:** ${address}\n\n${MARK}`;
  const comments = await api.conversation.listComments(call, path, pullRequest, since);
  if (comments.some((comment) => isSame(comment.body, body))) return;
  await api.conversation.addComment(call, path, { number, thread: null, body });
}

/** Hosts change the ends of lines and of the whole. */
const isSame = (a: string, b: string) => a.replaceAll("\r\n", "\n").trim() === b;

interface Post {
  projectId: ProjectId;
  number: number;
  target: string;
}

/** False when it is posted, or another process posts it. */
async function takePost({ database, clock }: Deps, { projectId, number, target }: Post): Promise<boolean> {
  const now = clock.now().getTime();
  const made = await database.kysely
    .insertInto("preview_post")
    .values({ project_id: projectId, number, target, tried_at: now, is_posted: 0 })
    .onConflict((conflict) => conflict.columns(["project_id", "number", "target"]).doNothing())
    .returning("number")
    .executeTakeFirst();
  if (made) return true;
  const again = await rowOf({ database }, { projectId, number, target })
    .set({ tried_at: now })
    .where("is_posted", "=", 0)
    // Or the clock was ahead once.
    .where((is) => is.or([is("tried_at", "<=", now - TRY_MS), is("tried_at", ">", now + TRY_MS)]))
    .returning("number")
    .executeTakeFirst();
  return again !== undefined;
}

const rowOf = ({ database }: Pick<Deps, "database">, { projectId, number, target }: Post) =>
  database.kysely
    .updateTable("preview_post")
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("target", "=", target);

/** What was posted at older commits is not asked for again. */
async function recordPosted(deps: Deps, one: Post): Promise<void> {
  await rowOf(deps, one).set({ is_posted: 1 }).execute();
  if (one.target === COMMENT) return;
  await deps.database.kysely
    .deleteFrom("preview_post")
    .where("project_id", "=", one.projectId)
    .where("number", "=", one.number)
    .where("target", "not in", [one.target, COMMENT])
    .execute();
}

const giveBack = (deps: Deps, one: Post) => rowOf(deps, one).set({ tried_at: 0 }).execute();
