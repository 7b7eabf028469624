import { z } from "zod";
import type { HostCall } from "#hosts/remote/host-call.ts";
import type { HostNotices } from "#hosts/remote/host-notices.ts";

/** The events of a webhook, a repository's or an app's. */
export const GITHUB_EVENTS = [
  "push",
  "pull_request",
  "issue_comment",
  "pull_request_review",
  "pull_request_review_comment",
];
const Hooks = z.array(z.looseObject({ id: z.number(), config: z.looseObject({ url: z.string().optional() }) }));

/** https://docs.github.com/en/rest: commit statuses and repository webhooks, version 2022-11-28. */
export const githubNotices: HostNotices = {
  async postStatus(call, path, { head }, { name, url, description }) {
    const body = { state: "success", target_url: url, description, context: name };
    await call({ method: "POST", path: `/repos/${path}/statuses/${head.commit}`, body });
  },

  async ensureWebhook(call, path, { url, secret }) {
    const config = { url, content_type: "json", secret: secret.reveal(), insecure_ssl: "0" };
    const [id] = await findHooks(call, path, url);
    if (id === undefined) {
      const body = { name: "web", active: true, events: GITHUB_EVENTS, config };
      await call({ method: "POST", path: `/repos/${path}/hooks`, body, isOnce: true, secret });
      // When several processes created one at once, the first one is kept.
      const [, ...duplicates] = await findHooks(call, path, url);
      for (const duplicate of duplicates) await removeHook(call, path, duplicate);
    } else {
      const body = { active: true, events: GITHUB_EVENTS, config };
      await call({ method: "PATCH", path: `/repos/${path}/hooks/${id}`, body, secret });
    }
  },

  async removeWebhook(call, path, url) {
    for (const id of await findHooks(call, path, url)) await removeHook(call, path, id);
  },
};

/** A repository has at most 20 webhooks per event. */
async function findHooks(call: HostCall, path: string, url: string): Promise<number[]> {
  const found = (await call({ method: "GET", path: `/repos/${path}/hooks?per_page=100` })).read(Hooks);
  const ids = found.filter(({ config }) => config.url === url).map(({ id }) => id);
  return ids.toSorted((a, b) => a - b);
}

async function removeHook(call: HostCall, path: string, id: number): Promise<void> {
  await call({ method: "DELETE", path: `/repos/${path}/hooks/${id}`, answers: [404] });
}
