import type { Hono } from "hono";
import { z } from "zod";
import type { HostParts } from "./host-server.ts";
import type { TalkComment } from "./host-talk.ts";

const Body = z.strictObject({ body: z.string() });

/** Comments in the form of Gitea and Forgejo: on a pull request, and as parts of reviews. */
export function addGiteaTalk(api: Hono, { state, origin, path }: HostParts): void {
  const { talk } = state;
  const refuse = (status: number, message: string) => Response.json({ message }, { status });
  const user = ({ id, login, isBot }: TalkComment["author"]) => ({ id: isBot ? -id : id, login });
  const show = ({ id, number, author, body, createdAt, changedAt, place }: TalkComment) => ({
    id,
    user: user(author),
    body,
    html_url: `${origin}/${path}/pulls/${number}#issuecomment-${id}`,
    created_at: createdAt.toISOString(),
    updated_at: changedAt.toISOString(),
    ...(place && { path: place.path, position: place.line }),
  });
  api.get("/issues/:number{[0-9]+}/comments", (c) => {
    const since = Date.parse(c.req.query("since") ?? "1970-01-01T00:00:00Z");
    const all = talk.of(Number(c.req.param("number"))).filter(({ place }) => place === null);
    return c.json(all.filter(({ changedAt }) => changedAt.getTime() >= since).map(show));
  });
  // Each comment in a file has a review of its own, whose timestamp does not change with it.
  api.get("/pulls/:number{[0-9]+}/reviews", (c) => {
    const all = talk.of(Number(c.req.param("number"))).filter(({ place }) => place !== null);
    const page = Number(c.req.query("page") ?? 1);
    const reviews = all.map((comment) => ({
      id: comment.id + 1_000,
      user: user(comment.author),
      html_url: show(comment).html_url,
      body: "",
      state: "COMMENT",
      comments_count: 1,
      submitted_at: comment.createdAt.toISOString(),
    }));
    return c.json(reviews.slice((page - 1) * 50, page * 50));
  });
  api.get("/pulls/:number{[0-9]+}/reviews/:id{[0-9]+}/comments", (c) => {
    const comment = talk.find(Number(c.req.param("id")) - 1_000);
    return comment ? c.json([show(comment)]) : refuse(404, "The target couldn't be found.");
  });
  api.post("/issues/:number{[0-9]+}/comments", async (c) => {
    const { body } = Body.parse(await c.req.json());
    return Response.json(show(talk.say(talk.self, Number(c.req.param("number")), body)), { status: 201 });
  });
  api.patch("/issues/comments/:id{[0-9]+}", async (c) => {
    const { body } = Body.parse(await c.req.json());
    const comment = talk.find(Number(c.req.param("id")));
    if (!comment) return refuse(404, "The target couldn't be found.");
    Object.assign(comment, { body, changedAt: new Date() });
    return c.json(show(comment));
  });
  // Only administrators may read others' permissions.
  api.get("/collaborators/:login/permission", (c) => {
    const person = talk.findPerson(c.req.param("login"));
    if (talk.self.access !== "admin") return refuse(403, "Only admins can query all permissions");
    if (!person) return refuse(404, "user does not exist");
    return c.json({ permission: person.access, role_name: person.access, user: { login: person.login } });
  });
  api.get("/assignees", (c) =>
    c.json(talk.people.filter(({ access }) => access === "write" || access === "admin").map(user)),
  );
}
