import type { Hono } from "hono";
import type { HostParts } from "./host-server.ts";
import type { HostNoticesState } from "./host-talk.ts";

interface HookBody {
  events?: string[];
  config?: { url: string; secret: string };
  url?: string;
  token?: string;
  [event: string]: unknown;
}
interface StatusBody {
  target_url: string;
  context?: string;
  name?: string;
  state: string;
  description: string;
}

/** Webhooks and statuses, for which the hosts use almost the same fields. */
export function addNotices(api: Hono, { state }: HostParts, shape: "github" | "gitea" | "gitlab"): void {
  const { notices } = state;
  let lastHook = 0;
  const missing = () => Response.json({ message: "Not Found" }, { status: 404 });
  const show = ({ id, url, events }: HostNoticesState["webhooks"][number]) =>
    shape === "gitlab" ? { id, url } : { id, active: true, events, config: { url, content_type: "json" } };
  const read = (body: HookBody) => ({
    url: body.config?.url ?? body.url ?? "",
    secret: body.config?.secret ?? body.token ?? "",
    events: body.events ?? Object.keys(body).filter((name) => name.endsWith("_events")),
  });
  api.get("/hooks", (c) => c.json(notices.webhooks.map(show)));
  api.post("/hooks", async (c) => {
    const wanted = read(await c.req.json<HookBody>());
    // A counter, not the length: concurrent creations need distinct ids, too.
    const hook = { id: ++lastHook, ...wanted };
    notices.webhooks.push(hook);
    return c.json(show(hook), 201);
  });
  api.on(shape === "gitlab" ? "PUT" : "PATCH", "/hooks/:id{[0-9]+}", async (c) => {
    const hook = notices.webhooks.find(({ id }) => id === Number(c.req.param("id")));
    if (!hook) return missing();
    Object.assign(hook, read(await c.req.json<HookBody>()));
    return c.json(show(hook));
  });
  api.delete("/hooks/:id{[0-9]+}", (c) => {
    notices.webhooks = notices.webhooks.filter(({ id }) => id !== Number(c.req.param("id")));
    return c.body(null, 204);
  });
  api.post("/statuses/:commit{[0-9a-f]{40}}", async (c) => {
    const {
      target_url: url,
      context,
      name = context ?? "",
      state: outcome,
      description,
    } = await c.req.json<StatusBody>();
    const commit = c.req.param("commit");
    const isThere = notices.statuses.some((one) => one.commit === commit && one.name === name);
    if (isThere && shape === "gitlab") {
      return Response.json({ message: "Cannot transition status via :enqueue from :success" }, { status: 400 });
    }
    notices.statuses.push({ commit, name, url, outcome, description });
    return c.json(shape === "gitea" ? { id: 1, context: name, target_url: url } : { id: 1 }, 201);
  });
}
