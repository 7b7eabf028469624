import { createHmac } from "node:crypto";
import type { RemoteKind } from "#hosts/code-host.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";

export interface HostShape {
  kind: RemoteKind;
  start(files: Record<string, string>): Promise<HostServer>;
  /** Headers of the host's webhook. */
  sign(body: string, secret: string): Record<string, string>;
  /** Addresses of a pull request in the REST interface, below the host's own. */
  pullRequest(number: number): string;
  /** What merges it there. */
  merge(head: string): { method: string; path: string; body: unknown };
}

const hmac = (body: string, secret: string) => createHmac("sha256", secret).update(body).digest("hex");

const ofGitea = {
  pullRequest: (number: number) => `/api/v1/repos/acme/docs/pulls/${number}`,
  merge: (head: string) => ({ method: "POST", path: "/merge", body: { Do: "squash", head_commit_id: head } }),
};

export const HOST_SHAPES: readonly HostShape[] = [
  {
    kind: "github",
    start: startGithubServer,
    sign: (body, secret) => ({ "x-github-event": "push", "x-hub-signature-256": `sha256=${hmac(body, secret)}` }),
    pullRequest: (number) => `/api/v3/repos/acme/docs/pulls/${number}`,
    merge: (sha) => ({ method: "PUT", path: "/merge", body: { merge_method: "squash", sha } }),
  },
  {
    kind: "gitlab",
    start: startGitlabServer,
    sign: (_body, secret) => ({ "x-gitlab-token": secret }),
    pullRequest: (number) => `/api/v4/projects/acme%2Fdocs/merge_requests/${number}`,
    merge: (sha) => ({ method: "PUT", path: "/merge", body: { squash: true, sha } }),
  },
  {
    kind: "gitea",
    start: startGiteaServer,
    sign: (body, secret) => ({ "x-gitea-signature": hmac(body, secret) }),
    ...ofGitea,
  },
  {
    kind: "forgejo",
    start: startForgejoServer,
    sign: (body, secret) => ({ "x-forgejo-signature": hmac(body, secret) }),
    ...ofGitea,
  },
];

/** One request of somebody else to the host's REST interface. */
export async function callHost(
  { origin }: HostServer,
  call: { method?: string; path: string; body?: unknown },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(origin + call.path, {
    method: call.method ?? "GET",
    headers: { authorization: `Bearer ${HOST_TOKEN}`, "content-type": "application/json" },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** Sends a webhook as the host would, to all that were made there. Answers with the statuses. */
export async function deliverHook({ state }: HostServer, shape: HostShape, event: object): Promise<number[]> {
  const body = JSON.stringify(event);
  const answers = state.notices.webhooks.map(async ({ url, secret }) => {
    const headers = { "content-type": "application/json", ...shape.sign(body, secret) };
    return (await fetch(url, { method: "POST", headers, body })).status;
  });
  return Promise.all(answers);
}
