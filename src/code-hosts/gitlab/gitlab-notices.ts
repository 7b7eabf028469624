import { z } from "zod";
import type { HostCall } from "#code-hosts/remote/host-call.ts";
import { type HostNotices, PREVIEW_STATUS, PREVIEW_WORDS } from "#code-hosts/remote/host-notices.ts";

const EVENTS = { push_events: true, merge_requests_events: true, note_events: true };
const Hooks = z.array(z.looseObject({ id: z.number(), url: z.string() }));
const project = (path: string) => `/projects/${encodeURIComponent(path)}`;

/** https://docs.gitlab.com/api/commits and /api/project_webhooks, version 4. */
export const gitlabNotices: HostNotices = {
  async postStatus(call, path, { head }, url) {
    const body = {
      state: "success",
      ref: head.branch,
      name: PREVIEW_STATUS,
      target_url: url,
      description: PREVIEW_WORDS,
    };
    // 400: it has the status already.
    await call({ method: "POST", path: `${project(path)}/statuses/${head.commit}`, body, answers: [400] });
  },

  async ensureWebhook(call, path, { url, secret }) {
    const body = { url, token: secret.reveal(), ...EVENTS };
    const id = await findHook(call, path, url);
    if (id === null) await call({ method: "POST", path: `${project(path)}/hooks`, body, isOnce: true, secret });
    else await call({ method: "PUT", path: `${project(path)}/hooks/${id}`, body, secret });
  },

  async removeWebhook(call, path, url) {
    const id = await findHook(call, path, url);
    if (id !== null) await call({ method: "DELETE", path: `${project(path)}/hooks/${id}`, answers: [404] });
  },
};

async function findHook(call: HostCall, path: string, url: string): Promise<number | null> {
  const found = (await call({ method: "GET", path: `${project(path)}/hooks?per_page=100` })).read(Hooks);
  return found.find((hook) => hook.url === url)?.id ?? null;
}
