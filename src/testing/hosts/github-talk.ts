import type { Hono } from "hono";
import { z } from "zod";
import type { HostParts } from "./host-server.ts";
import type { Person, TalkComment } from "./host-talk.ts";

const Body = z.strictObject({ body: z.string().max(65_536) });

const LINKS =
  "avatar events followers following gists html organizations received_events repos starred subscriptions".split(" ");

/** An account as GitHub includes it with its comments. */
const githubUser = (origin: string, { id, login, isBot }: Person) => ({
  login,
  id,
  node_id: `U_${id}`,
  gravatar_id: "",
  url: `${origin}/api/v3/users/${login}`,
  ...Object.fromEntries(LINKS.map((name) => [`${name}_url`, `${origin}/${login}`])),
  type: isBot ? "Bot" : "User",
  site_admin: false,
});

/** Comments in GitHub's form: on a pull request, in its files, and of its reviews. Times are in whole seconds. */
export function addGithubTalk(app: Hono, api: Hono, { state, origin, path }: HostParts): void {
  const { talk } = state;
  const refuse = (status: number, message: string) => Response.json({ message }, { status });
  const second = (date: Date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000).toISOString().replace(".000", "");
  const show = (comment: TalkComment) => {
    const { id, number, author, body, place, thread } = comment;
    return {
      id,
      user: githubUser(origin, author),
      body,
      html_url: `${origin}/${path}/pull/${number}#${place ? "discussion_r" : "issuecomment-"}${id}`,
      created_at: second(comment.createdAt),
      updated_at: second(comment.changedAt),
      ...(place && { ...place, ...(thread !== null && { in_reply_to_id: thread }) }),
      ...(!place && { performed_via_github_app: null }),
    };
  };
  const list = (number: number, isInFiles: boolean, query: Record<string, string>) => {
    const since = Date.parse(query["since"] ?? "1970-01-01T00:00:00Z");
    const size = Number(query["per_page"] ?? 30);
    const page = Number(query["page"] ?? 1);
    const all = talk.of(number).filter(({ place }) => (place !== null) === isInFiles);
    const shown = all.map(show).filter(({ updated_at }) => Date.parse(updated_at) >= since);
    return Response.json(shown.slice((page - 1) * size, page * size));
  };
  // Some fields are visible to the account itself only.
  app.get("/api/v3/user", (c) => c.json({ ...githubUser(origin, talk.self), two_factor_authentication: true }));
  api.get("/issues/:number{[0-9]+}/comments", (c) => list(Number(c.req.param("number")), false, c.req.query()));
  api.get("/pulls/:number{[0-9]+}/comments", (c) => list(Number(c.req.param("number")), true, c.req.query()));
  api.get("/pulls/:number{[0-9]+}/reviews", () => Response.json([]));
  api.post("/issues/:number{[0-9]+}/comments", async (c) => {
    const { body } = Body.parse(await c.req.json());
    return Response.json(show(talk.say(talk.self, Number(c.req.param("number")), body)), { status: 201 });
  });
  api.post("/pulls/:number{[0-9]+}/comments/:id{[0-9]+}/replies", async (c) => {
    const { body } = Body.parse(await c.req.json());
    const first = talk.find(Number(c.req.param("id")));
    // Only the first comment of a thread can be replied to.
    if (!first?.place || first.thread !== null) return refuse(404, "Not Found");
    const at = { place: first.place, thread: first.id };
    return Response.json(show(talk.say(talk.self, first.number, body, at)), { status: 201 });
  });
  api.patch("/:kind{issues|pulls}/comments/:id{[0-9]+}", async (c) => {
    const { body } = Body.parse(await c.req.json());
    const comment = talk.find(Number(c.req.param("id")));
    if (!comment || (comment.place !== null) !== (c.req.param("kind") === "pulls")) return refuse(404, "Not Found");
    Object.assign(comment, { body, changedAt: new Date() });
    return c.json(show(comment));
  });
  api.get("/collaborators/:login/permission", (c) => {
    const person = talk.findPerson(c.req.param("login"));
    if (!person) return refuse(404, `${c.req.param("login")} is not a user`);
    return c.json({
      permission: person.access,
      role_name: person.access,
      user: { ...githubUser(origin, person), role_name: person.access },
    });
  });
}
