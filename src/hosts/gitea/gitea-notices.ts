import { z } from "zod";
import type { HostCall } from "#hosts/remote/host-call.ts";
import type { HostNotices } from "#hosts/remote/host-notices.ts";

const EVENTS = [
  "push",
  "pull_request",
  "pull_request_sync",
  "pull_request_comment",
  "pull_request_review_approved",
  "pull_request_review_rejected",
  "pull_request_review_comment",
  "issue_comment",
];
const Hooks = z.array(z.looseObject({ id: z.number(), config: z.looseObject({ url: z.string().optional() }) }));

/** https://docs.gitea.com/api (1.24) and Forgejo 12: statuses and hooks of a repository. `type` is that of the webhook. */
export const createGiteaNotices = (type: "gitea" | "forgejo"): HostNotices => ({
  async postStatus(call, path, { head }, { name, url, description }) {
    const body = { state: "success", target_url: url, description, context: name };
    await call({ method: "POST", path: `/repos/${path}/statuses/${head.commit}`, body });
  },

  async ensureWebhook(call, path, { url, secret }) {
    const config = { url, content_type: "json", secret: secret.reveal() };
    const [id] = await findHooks(call, path, url);
    if (id === undefined) {
      const body = { type, active: true, events: EVENTS, config };
      await call({ method: "POST", path: `/repos/${path}/hooks`, body, isOnce: true, secret });
      // When several processes created one at once, the first one is kept.
      const [, ...duplicates] = await findHooks(call, path, url);
      for (const duplicate of duplicates) await removeHook(call, path, duplicate);
    } else {
      const body = { active: true, events: EVENTS, config };
      await call({ method: "PATCH", path: `/repos/${path}/hooks/${id}`, body, secret });
    }
  },

  async removeWebhook(call, path, url) {
    for (const id of await findHooks(call, path, url)) await removeHook(call, path, id);
  },
});

async function findHooks(call: HostCall, path: string, url: string): Promise<number[]> {
  const found = (await call({ method: "GET", path: `/repos/${path}/hooks?limit=50` })).read(Hooks);
  const ids = found.filter(({ config }) => config.url === url).map(({ id }) => id);
  return ids.toSorted((a, b) => a - b);
}

async function removeHook(call: HostCall, path: string, id: number): Promise<void> {
  await call({ method: "DELETE", path: `/repos/${path}/hooks/${id}`, answers: [404] });
}
