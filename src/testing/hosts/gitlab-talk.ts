import type { Hono } from "hono";
import { z } from "zod";
import type { HostParts } from "./host-server.ts";
import type { TalkComment } from "./host-talk.ts";

const Body = z.strictObject({ body: z.string().max(1_000_000) });
const LEVELS = { none: 0, read: 20, write: 30, admin: 40 };

/** Comments in GitLab's form: notes, some of them in discussions, whose ids the notes do not contain. */
export function addGitlabTalk(api: Hono, { state }: HostParts): void {
  const { talk } = state;
  const refuse = (status: number, message: string) => Response.json({ message }, { status });
  const show = ({ id, author, body, createdAt, changedAt, place, thread }: TalkComment) => ({
    id,
    type: place ? "DiffNote" : thread !== null ? "DiscussionNote" : null,
    body,
    author: { id: author.id, username: author.login },
    system: false,
    internal: false,
    noteable_type: "MergeRequest",
    created_at: createdAt.toISOString(),
    updated_at: changedAt.toISOString(),
    ...(place && { position: { new_path: place.path, new_line: place.line } }),
  });
  const add = (number: number, body: string, first: TalkComment | null) => {
    const at = first ? { place: first.place, thread: first.thread ?? first.id } : {};
    return Response.json(show(talk.say(talk.self, number, body, at)), { status: 201 });
  };
  const discussionId = ({ id, thread }: TalkComment) => `d${String(thread ?? id).padStart(39, "0")}`;
  api.get("/merge_requests/:number{[0-9]+}/notes", (c) => {
    const [size, page] = [Number(c.req.query("per_page") ?? 20), Number(c.req.query("page") ?? 1)];
    const all = talk
      .of(Number(c.req.param("number")))
      .toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime());
    return c.json(all.slice((page - 1) * size, page * size).map(show));
  });
  api.get("/merge_requests/:number{[0-9]+}/discussions", (c) => {
    const discussions = Map.groupBy(talk.of(Number(c.req.param("number"))), discussionId);
    const all = [...discussions].map(([id, comments]) => ({ id, notes: comments.map(show) }));
    const [size, page] = [Number(c.req.query("per_page") ?? 20), Number(c.req.query("page") ?? 1)];
    return c.json(all.slice((page - 1) * size, page * size));
  });
  api.post("/merge_requests/:number{[0-9]+}/notes", async (c) =>
    add(Number(c.req.param("number")), Body.parse(await c.req.json()).body, null),
  );
  api.post("/merge_requests/:number{[0-9]+}/discussions/:id/notes", async (c) => {
    const number = Number(c.req.param("number"));
    const first = talk.of(number).find((comment) => discussionId(comment) === c.req.param("id"));
    return first ? add(number, Body.parse(await c.req.json()).body, first) : refuse(404, "404 Discussion Not Found");
  });
  api.put("/merge_requests/:number{[0-9]+}/notes/:id{[0-9]+}", async (c) => {
    const { body } = Body.parse(await c.req.json());
    const comment = talk.find(Number(c.req.param("id")));
    if (!comment) return refuse(404, "404 Not found");
    Object.assign(comment, { body, changedAt: new Date() });
    return c.json(show(comment));
  });
  api.get("/members/all/:id{[0-9]+}", (c) => {
    const person = talk.people.find(({ id }) => id === Number(c.req.param("id")));
    if (!person || person.access === "none") return refuse(404, "404 Not found");
    return c.json({ id: person.id, username: person.login, state: "active", access_level: LEVELS[person.access] });
  });
}

/** Accounts of the whole host, in addition to those of a project. */
export function addGitlabUsers(app: Hono, { state: { talk } }: HostParts): void {
  app.get("/api/v4/users/:id{[0-9]+}", (c) => {
    const person = talk.people.find(({ id }) => id === Number(c.req.param("id")))!;
    return c.json({ id: person.id, username: person.login, bot: person.isBot });
  });
  app.get("/api/v4/user", (c) => c.json({ id: talk.self.id, username: talk.self.login, bot: talk.self.isBot }));
}
