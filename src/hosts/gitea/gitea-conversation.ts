import { z } from "zod";
import {
  type CommentAuthor,
  commentNumber,
  type HostComment,
  type HostConversation,
} from "#hosts/remote/host-conversation.ts";
import { HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";

const User = z.looseObject({ id: z.number(), login: z.string() });
const Comment = z.looseObject({
  id: z.number(),
  user: User.nullish(),
  body: z.string(),
  html_url: WebAddress,
  updated_at: HostInstant,
});
const Review = z.looseObject({
  id: z.number(),
  user: User.nullish(),
  body: z.string(),
  html_url: WebAddress,
  state: z.string(),
  comments_count: z.number(),
  submitted_at: HostInstant,
  updated_at: HostInstant.nullish(),
});
const ReviewComment = Comment.extend({ path: z.string(), position: z.number().nullish() });
const Made = z.looseObject({ id: z.number() });

const PAGE = 50;
const MAX_PAGES = 4;
/** Each costs a request. */
const MAX_REVIEWS_READ = 20;

/** https://docs.gitea.com/api (1.24) and Forgejo 12: issue comments, pull request reviews, collaborators. */
export const giteaConversation: HostConversation = {
  // Neither distinguishes bot accounts from people.
  readBotLogin: async () => null,

  async listComments(call, path, { number }, since) {
    const query = `since=${encodeURIComponent(since.toISOString())}`;
    const below = await call({ method: "GET", path: `/repos/${path}/issues/${number}/comments?${query}` });
    const found = below.read(z.array(Comment)).flatMap((one) => present("issue", one, null));

    const reviews: z.infer<typeof Review>[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const place = `/repos/${path}/pulls/${number}/reviews?limit=${PAGE}&page=${page}`;
      const part = (await call({ method: "GET", path: place })).read(z.array(Review));
      reviews.push(...part.filter(({ state }) => state !== "PENDING"));
      if (part.length < PAGE) break;
    }
    for (const review of reviews) {
      const updated_at = review.updated_at ?? review.submitted_at;
      found.push(...present("summary", { ...review, updated_at }, null));
    }
    // A reply in a thread may leave the review's timestamp unchanged.
    const withComments = reviews.filter(({ comments_count }) => comments_count > 0).slice(-MAX_REVIEWS_READ);
    for (const { id } of withComments) {
      const answer = await call({ method: "GET", path: `/repos/${path}/pulls/${number}/reviews/${id}/comments` });
      for (const one of answer.read(z.array(ReviewComment))) {
        found.push(...present("review", one, { path: one.path, line: one.position ?? null }));
      }
    }
    return found.filter(({ changedAt }) => changedAt >= since);
  },

  async readAuthor(call, path, { login, isBot }: CommentAuthor) {
    const place = `/repos/${path}/collaborators/${encodeURIComponent(login)}/permission`;
    const answer = await call({ method: "GET", path: place, answers: [403, 404] });
    if (answer.status === 404) return { isBot, mayWrite: false };
    if (answer.status === 200) {
      const { permission } = answer.read(z.looseObject({ permission: z.string() }));
      return { isBot, mayWrite: ["owner", "admin", "write"].includes(permission) };
    }
    // Only administrators of the repository may read others' permissions; this list contains those who may write, too.
    const assignees = await call({ method: "GET", path: `/repos/${path}/assignees` });
    return { isBot, mayWrite: assignees.read(z.array(User)).some((one) => one.login === login) };
  },

  // Neither API can reply in a review thread.
  async addComment(call, path, { number, body }) {
    const place = `/repos/${path}/issues/${number}/comments`;
    return `issue:${(await call({ method: "POST", path: place, body: { body }, isOnce: true })).read(Made).id}`;
  },

  async changeComment(call, path, { id, body }) {
    const place = `/repos/${path}/issues/comments/${commentNumber(id)}`;
    await call({ method: "PATCH", path: place, body: { body } });
  },
};

/** Accounts of the host itself, such as the one for its actions, have negative ids. */
function present(
  kind: string,
  { id, user, body, html_url: url, updated_at }: z.infer<typeof Comment>,
  place: HostComment["place"],
): HostComment[] {
  if (!user) return [];
  const author = { id: String(user.id), login: user.login, isBot: user.id <= 0 || user.login.endsWith("[bot]") };
  return [{ id: `${kind}:${id}`, author, body, url, changedAt: new Date(updated_at), thread: null, place }];
}
