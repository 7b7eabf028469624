import { z } from "zod";
import type { HostComment, HostConversation } from "#hosts/remote/host-conversation.ts";
import { commentNumber } from "#hosts/remote/host-conversation.ts";
import type { HostCall } from "#hosts/remote/host-call.ts";
import { HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";

// Null when the account was deleted.
const User = z.looseObject({ id: z.number(), login: z.string(), type: z.string() }).nullable();
const IssueComment = z.looseObject({
  id: z.number(),
  user: User,
  body: z.string().nullish(),
  html_url: WebAddress,
  updated_at: HostInstant,
  performed_via_github_app: z.unknown().optional(),
});
const ReviewComment = IssueComment.extend({
  in_reply_to_id: z.number().optional(),
  path: z.string(),
  line: z.number().nullish(),
});
const Review = z.looseObject({
  id: z.number(),
  user: User,
  body: z.string().nullish(),
  html_url: WebAddress,
  // Absent while a review is still being written.
  submitted_at: HostInstant.optional(),
});
const Made = z.looseObject({ id: z.number() });

const PAGE = 100;
const MAX_PAGES = 3;

/** https://docs.github.com/en/rest: issue comments, pull request comments and reviews, version 2022-11-28. */
export const githubConversation: HostConversation = {
  async readBotLogin(call) {
    // The token of an installation belongs to no user.
    const answer = await call({ method: "GET", path: "/user", answers: [403, 404] });
    if (answer.status !== 200) return null;
    const { login, type } = answer.read(z.looseObject({ login: z.string(), type: z.string() }));
    return type === "Bot" ? login : null;
  },

  async listComments(call, path, { number }, since) {
    const query = `since=${since.toISOString()}`;
    const below = await pages(call, `/repos/${path}/issues/${number}/comments?${query}`, IssueComment);
    const inFiles = await pages(call, `/repos/${path}/pulls/${number}/comments?${query}`, ReviewComment);
    const reviews = await pages(call, `/repos/${path}/pulls/${number}/reviews?`, Review);
    return [
      ...below.flatMap((one) => present("issue", one, { thread: null, place: null })),
      ...inFiles.flatMap((one) =>
        present("review", one, {
          thread: String(one.in_reply_to_id ?? one.id),
          place: { path: one.path, line: one.line ?? null },
        }),
      ),
      ...reviews.flatMap((one) =>
        one.submitted_at === undefined || Date.parse(one.submitted_at) < since.getTime()
          ? []
          : present("summary", { ...one, updated_at: one.submitted_at }, { thread: null, place: null }),
      ),
    ];
  },

  async readAuthor(call, path, { login, isBot }) {
    const place = `/repos/${path}/collaborators/${encodeURIComponent(login)}/permission`;
    const answer = await call({ method: "GET", path: place, answers: [404] });
    if (answer.status === 404) return { isBot, mayWrite: false };
    const { permission } = answer.read(z.looseObject({ permission: z.string() }));
    return { isBot, mayWrite: permission === "admin" || permission === "write" };
  },

  async addComment(call, path, { number, thread, body }) {
    const place =
      thread === null
        ? `/repos/${path}/issues/${number}/comments`
        : `/repos/${path}/pulls/${number}/comments/${thread}/replies`;
    const { id } = (await call({ method: "POST", path: place, body: { body }, isOnce: true })).read(Made);
    return `${thread === null ? "issue" : "review"}:${id}`;
  },

  async changeComment(call, path, { id, body }) {
    const kind = id.startsWith("review:") ? "pulls" : "issues";
    await call({ method: "PATCH", path: `/repos/${path}/${kind}/comments/${commentNumber(id)}`, body: { body } });
  },
};

async function pages<T>(call: HostCall, path: string, shape: z.ZodType<T>): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await call({ method: "GET", path: `${path}&per_page=${PAGE}&page=${page}` });
    const part = answer.read(z.array(shape));
    found.push(...part);
    if (part.length < PAGE) break;
  }
  return found;
}

function present(
  kind: string,
  { id, user, body, html_url, updated_at, performed_via_github_app: app }: z.infer<typeof IssueComment>,
  where: Pick<HostComment, "thread" | "place">,
): HostComment[] {
  if (user === null) return [];
  const isBot = user.type !== "User" || user.login.endsWith("[bot]") || (app !== undefined && app !== null);
  const author = { id: String(user.id), login: user.login, isBot };
  const changedAt = new Date(updated_at);
  return [{ id: `${kind}:${id}`, author, body: body ?? "", url: html_url, changedAt, ...where }];
}
