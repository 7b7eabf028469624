import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import { createDraftTitles } from "#hosts/remote/draft-title.ts";
import type { HostApi, WantedPullRequest } from "#hosts/remote/host-api.ts";
import { type HostCall, hostMessage } from "#hosts/remote/host-call.ts";
import { CommitId, HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";
import { isSameSecret, Secret } from "#lib/secrets/secret.ts";
import { gitlabConversation } from "./gitlab-conversation.ts";
import { gitlabNotices } from "./gitlab-notices.ts";

// https://docs.gitlab.com/api/, version 4, GitLab 16 and later.
const NAME = "GitLab";
/** The Developer role, which may push to branches that are not protected. */
const DEVELOPER = 30;
const PAGE = 100;

const Access = z.looseObject({ access_level: z.number() }).nullish();
const ProjectAnswer = z.looseObject({
  id: z.number(),
  web_url: WebAddress,
  default_branch: z.string().nullish(),
  archived: z.boolean(),
  squash_option: z.string().optional(),
  permissions: z.looseObject({ project_access: Access, group_access: Access }).optional(),
});

const MergeRequestAnswer = z.looseObject({
  iid: z.int().positive(),
  web_url: WebAddress,
  state: z.enum(["opened", "closed", "merged", "locked"]),
  draft: z.boolean(),
  squash: z.boolean().optional(),
  title: z.string(),
  description: z.string().nullable(),
  source_branch: z.string(),
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  target_branch: z.string(),
  sha: CommitId.nullable(),
  merge_commit_sha: CommitId.nullish(),
  squash_commit_sha: CommitId.nullish(),
  detailed_merge_status: z.string().optional(),
  created_at: HostInstant,
  updated_at: HostInstant,
});
type MergeRequestAnswer = z.infer<typeof MergeRequestAnswer>;

const titles = createDraftTitles("Draft:", /^(?:draft:|\[draft\]|\(draft\))\s*/i);
const project = (path: string) => `/projects/${encodeURIComponent(path)}`;

/** GitLab, as a service and self-managed, with a project, group or personal access token. */
export const gitlabApi: HostApi = {
  kind: "gitlab",
  name: NAME,
  capabilities: { draft: "prefix", maxBodyLength: 1_048_576 },
  conversation: gitlabConversation,
  notices: gitlabNotices,
  headers: (token) => ({ "PRIVATE-TOKEN": token.reveal() }),
  gitAuthorization: (token) => new Secret(`Basic ${Buffer.from(`oauth2:${token.reveal()}`).toString("base64")}`),
  apiUrl: (origin) => `${origin}/api/v4`,
  // GitLab sends the secret itself instead of a signature.
  isSigned: (headers, secret) => isSameSecret(headers.get("x-gitlab-token") ?? "", secret.reveal()),

  async readRepository(call, path) {
    const answer = await call({ method: "GET", path: project(path), answers: [404] });
    if (answer.status === 404) return null;
    const found = answer.read(ProjectAnswer);
    return {
      id: String(found.id),
      url: found.web_url,
      defaultBranch: found.default_branch ?? null,
      missing: [...missingPermissions(found, path), ...(await missingScopes(call))],
    };
  },

  async locateRepository(call, by) {
    const answer = await call({ method: "GET", path: project("id" in by ? by.id : by.path), answers: [404] });
    if (answer.status === 404) return null;
    const { id, web_url: url } = answer.read(ProjectAnswer);
    return { id: String(id), url };
  },

  async createPullRequest(call, path, wanted) {
    // GitLab also opens merge requests without commits.
    const commits = await commitsBetween(call, path, wanted);
    if (commits === null) return { outcome: "unknown_branch" };
    if (commits === 0) return { outcome: "empty" };
    const answer = await call({
      method: "POST",
      path: `${project(path)}/merge_requests`,
      body: {
        source_branch: wanted.head,
        target_branch: wanted.base,
        title: titles.write(wanted),
        description: wanted.body,
        remove_source_branch: true,
        squash: true,
      },
      answers: [400, 403, 409, 422],
    });
    // `read` rejects a 200 with a proxy's page.
    if (answer.status < 300) {
      return { outcome: "created", pullRequest: present(answer.read(MergeRequestAnswer)) };
    }
    // Decided by the status: messages are translated.
    if (answer.status === 409) return { outcome: "exists" };
    return { outcome: "denied", reason: hostMessage(answer.body) };
  },

  async listPullRequests(call, path, head) {
    const query = new URLSearchParams({
      ...(head !== null && { source_branch: head }),
      state: "all",
      order_by: "created_at",
      sort: "desc",
      per_page: String(PAGE),
    });
    const answer = await call({ method: "GET", path: `${project(path)}/merge_requests?${query.toString()}` });
    const found = answer.read(z.array(MergeRequestAnswer));
    return found.filter(isFromHere).map(present);
  },

  async listChangedPullRequests(call, path, page) {
    const query = `state=all&order_by=updated_at&sort=desc&per_page=${PAGE}&page=${page}`;
    const answer = await call({ method: "GET", path: `${project(path)}/merge_requests?${query}` });
    const found = answer.read(z.array(MergeRequestAnswer));
    return { pullRequests: found.filter(isFromHere).map(present), hasMore: found.length === PAGE };
  },

  async getPullRequest(call, path, number) {
    const answer = await call({ method: "GET", path: `${project(path)}/merge_requests/${number}`, answers: [404] });
    return answer.status === 404 ? null : present(answer.read(MergeRequestAnswer));
  },

  async updatePullRequest(call, path, { number }, { title, body, draft }) {
    const change = { title: titles.write({ title, draft }), description: body };
    const place = `${project(path)}/merge_requests/${number}`;
    return present((await call({ method: "PUT", path: place, body: change })).read(MergeRequestAnswer));
  },

  async closePullRequest(call, path, number) {
    const place = `${project(path)}/merge_requests/${number}`;
    await call({ method: "PUT", path: place, body: { state_event: "close" } });
  },

  async mergePullRequest(call, path, { number, head }, { subject, body }) {
    const place = `${project(path)}/merge_requests/${number}`;
    const { squash: isWished, detailed_merge_status: status = "" } = (await call({ method: "GET", path: place })).read(
      MergeRequestAnswer,
    );
    // Mergeability is computed in the background; until then, GitLab reports that it cannot be merged.
    if (CHECKING.has(status)) return { outcome: "unchecked" };
    // GitLab chooses between merge commit and fast-forward by the project's settings; squashing must be requested.
    const { squash_option: option } = (await call({ method: "GET", path: project(path) })).read(ProjectAnswer);
    const squash = option === "always" || (option !== "never" && (isWished ?? true));
    const message = `${subject}\n\n${body}`.trim();
    const answer = await call({
      method: "PUT",
      path: `${place}/merge`,
      body: {
        sha: head.commit,
        squash,
        ...(squash ? { squash_commit_message: message } : { merge_commit_message: message }),
        should_remove_source_branch: true,
      },
      answers: [401, 405, 406, 409, 422],
    });
    if (answer.status === 409) return { outcome: "head_moved" };
    if (answer.status !== 200) {
      // GitLab's own message is "405 Method Not Allowed" for all of these.
      return { outcome: "refused", reason: BLOCKED[status] ?? hostMessage(answer.body) };
    }
    const merged = present(answer.read(MergeRequestAnswer));
    return { outcome: "merged", commit: merged.mergedCommit ?? head.commit };
  },
};

/** Values of `detailed_merge_status`, like those below. */
const CHECKING = new Set(["unchecked", "checking", "preparing", "approvals_syncing"]);
const BLOCKED: Readonly<Record<string, string>> = {
  need_rebase:
    "The project merges by fast-forward only and the target branch has moved: rebase the merge request at GitLab.",
  ci_must_pass: "The project merges only after a pipeline has passed.",
  ci_still_running: "Its pipeline is still running.",
  not_approved: "It is not approved yet.",
  requested_changes: "A reviewer has requested changes.",
  discussions_not_resolved: "Its threads have to be resolved first.",
  merge_request_blocked: "Another merge request blocks it.",
  status_checks_must_pass: "Its status checks have to pass first.",
};

const isFromHere = (found: MergeRequestAnswer) => found.source_project_id === found.target_project_id;

function present(found: MergeRequestAnswer): PullRequest {
  return {
    number: found.iid,
    url: found.web_url,
    // It is `locked` while it is being merged.
    state: found.state === "opened" || found.state === "locked" ? "open" : found.state,
    draft: found.draft,
    title: titles.read(found.title),
    body: found.description ?? "",
    head: { branch: found.source_branch, commit: found.sha ?? "" },
    base: { branch: found.target_branch },
    mergedCommit: found.state === "merged" ? (found.merge_commit_sha ?? found.squash_commit_sha ?? found.sha) : null,
    createdAt: new Date(found.created_at),
    updatedAt: new Date(found.updated_at),
  };
}

/** Null when one of the branches does not exist. */
async function commitsBetween(
  call: HostCall,
  path: string,
  { head, base }: Pick<WantedPullRequest, "head" | "base">,
): Promise<number | null> {
  const query = new URLSearchParams({ from: base, to: head });
  const answer = await call({
    method: "GET",
    path: `${project(path)}/repository/compare?${query.toString()}`,
    answers: [404],
  });
  if (answer.status === 404) return null;
  return answer.read(z.looseObject({ commits: z.array(z.unknown()) })).commits.length;
}

function missingPermissions({ permissions, archived }: z.infer<typeof ProjectAnswer>, path: string): string[] {
  if (archived) return ["The project is archived: an owner has to unarchive it (Settings → General → Advanced)."];
  const { project_access, group_access } = permissions ?? {};
  const level = Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0);
  if (level >= DEVELOPER) return [];
  return [
    `The token may not push to ${path}: it needs the role Developer or higher and the scopes “api” and “write_repository” ` +
      "(Settings → Access tokens).",
  ];
}

/** The role is the person's; a token may have fewer scopes. Other kinds of tokens do not list their scopes. */
async function missingScopes(call: HostCall): Promise<string[]> {
  const answer = await call({ method: "GET", path: "/personal_access_tokens/self", answers: [401, 403, 404] });
  const { data } = z.looseObject({ scopes: z.array(z.string()) }).safeParse(answer.body);
  if (answer.status !== 200 || !data || data.scopes.includes("api")) return [];
  const has = data.scopes.map((scope) => `“${scope}”`).join(", ") || "none";
  return [
    `The token lacks the scope “api”; it has ${has}. Make one with “api” and “write_repository” (Settings → Access tokens).`,
  ];
}
