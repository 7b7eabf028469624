import { z } from "zod";
import { commentNumber, type HostConversation } from "#hosts/remote/host-conversation.ts";
import type { HostCall } from "#hosts/remote/host-call.ts";
import { HostInstant } from "#hosts/remote/host-fields.ts";

const Note = z.looseObject({
  id: z.number(),
  /** Null for a comment outside a discussion. */
  type: z.string().nullish(),
  body: z.string(),
  author: z.looseObject({ id: z.number(), username: z.string() }),
  /** Written by GitLab itself. */
  system: z.boolean(),
  internal: z.boolean().optional(),
  updated_at: HostInstant,
  position: z.looseObject({ new_path: z.string().nullish(), new_line: z.number().nullish() }).nullish(),
});
const Discussion = z.looseObject({ id: z.string(), notes: z.array(z.looseObject({ id: z.number() })) });
const Made = z.looseObject({ id: z.number() });

/** The Developer role, which may push to branches that are not protected. */
const DEVELOPER = 30;
const PAGE = 100;
const MAX_PAGES = 5;

const project = (path: string) => `/projects/${encodeURIComponent(path)}`;
const mergeRequest = (path: string, number: number) => `${project(path)}/merge_requests/${number}`;

/** https://docs.gitlab.com/api/notes, /api/discussions and /api/members, version 4. */
export const gitlabConversation: HostConversation = {
  async readBotLogin(call) {
    const answer = await call({ method: "GET", path: "/user", answers: [403] });
    if (answer.status !== 200) return null;
    const { username, bot } = answer.read(z.looseObject({ username: z.string(), bot: z.boolean().optional() }));
    return bot === true ? username : null;
  },

  async listComments(call, path, { number, url }, since) {
    const notes: z.infer<typeof Note>[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = `order_by=updated_at&sort=desc&per_page=${PAGE}&page=${page}`;
      const place = `${mergeRequest(path, number)}/notes?${query}`;
      const part = (await call({ method: "GET", path: place })).read(z.array(Note));
      const recent = part.filter(({ updated_at }) => Date.parse(updated_at) >= since.getTime());
      notes.push(...recent);
      if (recent.length < PAGE) break;
    }
    return notes
      .filter(({ system, internal }) => !system && internal !== true)
      .map(({ id, type, author, body, updated_at, position }) => ({
        id: `note:${id}`,
        author: { id: String(author.id), login: author.username, isBot: false },
        body,
        url: `${url}#note_${id}`,
        changedAt: new Date(updated_at),
        // The discussion is searched for only when a reply is posted.
        thread: type === "DiffNote" || type === "DiscussionNote" ? String(id) : null,
        place: position?.new_path ? { path: position.new_path, line: position.new_line ?? null } : null,
      }));
  },

  async readAuthor(call, path, { id }) {
    const member = await call({ method: "GET", path: `${project(path)}/members/all/${id}`, answers: [404] });
    if (member.status === 404) return { isBot: false, mayWrite: false };
    const { access_level } = member.read(z.looseObject({ access_level: z.number() }));
    const user = await call({ method: "GET", path: `/users/${id}` });
    const { bot } = user.read(z.looseObject({ bot: z.boolean().optional() }));
    return { isBot: bot === true, mayWrite: access_level >= DEVELOPER };
  },

  async addComment(call, path, { number, thread, body }) {
    const discussion = thread === null ? null : await findDiscussion(call, mergeRequest(path, number), thread);
    const place = mergeRequest(path, number) + (discussion === null ? "/notes" : `/discussions/${discussion}/notes`);
    return `note:${(await call({ method: "POST", path: place, body: { body }, isOnce: true })).read(Made).id}`;
  },

  async changeComment(call, path, { number, id, body }) {
    const place = `${mergeRequest(path, number)}/notes/${commentNumber(id)}`;
    await call({ method: "PUT", path: place, body: { body } });
  },
};

/** Notes do not name their discussion. Null when it is not found: the reply is then posted as a new comment. */
async function findDiscussion(call: HostCall, place: string, note: string): Promise<string | null> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await call({ method: "GET", path: `${place}/discussions?per_page=${PAGE}&page=${page}` });
    const part = answer.read(z.array(Discussion));
    const found = part.find(({ notes }) => notes.some(({ id }) => String(id) === note));
    if (found) return /^[0-9a-zA-Z]+$/.test(found.id) ? found.id : null;
    if (part.length < PAGE) return null;
  }
  return null;
}
