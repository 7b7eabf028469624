import { z } from "zod";
import type { HostCall } from "#hosts/remote/host-call.ts";
import type { HostNotices } from "#hosts/remote/host-notices.ts";

const EVENTS = { push_events: true, merge_requests_events: true, note_events: true };
const Hooks = z.array(z.looseObject({ id: z.number(), url: z.string() }));
const project = (path: string) => `/projects/${encodeURIComponent(path)}`;

/** https://docs.gitlab.com/api/commits and /api/project_webhooks, version 4. */
export const gitlabNotices: HostNotices = {
  async postStatus(call, path, { head }, { name, url, description }) {
    const body = {
      state: "success",
      ref: head.branch,
      name,
      target_url: url,
      description,
    };
    // 400: the commit has this status already.
    await call({ method: "POST", path: `${project(path)}/statuses/${head.commit}`, body, answers: [400] });
  },

  async ensureWebhook(call, path, { url, secret }) {
    const body = { url, token: secret.reveal(), ...EVENTS };
    const [id] = await findHooks(call, path, url);
    if (id !== undefined)
      return void (await call({ method: "PUT", path: `${project(path)}/hooks/${id}`, body, secret }));
    await call({ method: "POST", path: `${project(path)}/hooks`, body, isOnce: true, secret });
    // When several processes created one at once, the first one is kept.
    const [, ...duplicates] = await findHooks(call, path, url);
    for (const duplicate of duplicates) await removeHook(call, path, duplicate);
  },

  async removeWebhook(call, path, url) {
    for (const id of await findHooks(call, path, url)) await removeHook(call, path, id);
  },
};

async function findHooks(call: HostCall, path: string, url: string): Promise<number[]> {
  const found = (await call({ method: "GET", path: `${project(path)}/hooks?per_page=100` })).read(Hooks);
  const ids = found.filter((hook) => hook.url === url).map(({ id }) => id);
  return ids.toSorted((a, b) => a - b);
}

async function removeHook(call: HostCall, path: string, id: number): Promise<void> {
  await call({ method: "DELETE", path: `${project(path)}/hooks/${id}`, answers: [404] });
}
