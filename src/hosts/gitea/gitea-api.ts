import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import { createDraftTitles } from "#hosts/remote/draft-title.ts";
import type { CreateOutcome, HostApi, WantedPullRequest } from "#hosts/remote/host-api.ts";
import { type HostAnswer, type HostCall, hostMessage } from "#hosts/remote/host-call.ts";
import { CommitId, HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";
import { isSameSecret, Secret } from "#lib/secrets/secret.ts";
import { giteaConversation } from "./gitea-conversation.ts";
import { mergeOnGitea } from "./gitea-merge.ts";
import { createGiteaNotices } from "./gitea-notices.ts";

const RepositoryAnswer = z.looseObject({
  id: z.number(),
  html_url: WebAddress,
  default_branch: z.string(),
  empty: z.boolean(),
  archived: z.boolean(),
  permissions: z.looseObject({ push: z.boolean() }).optional(),
});

const Side = z.looseObject({
  ref: z.string(),
  sha: CommitId,
  repo: z.looseObject({ full_name: z.string() }).nullable(),
});
const PullRequestAnswer = z.looseObject({
  number: z.int().positive(),
  html_url: WebAddress,
  state: z.enum(["open", "closed"]),
  draft: z.boolean().optional(),
  title: z.string(),
  body: z.string(),
  head: Side,
  base: Side,
  merged: z.boolean(),
  merge_commit_sha: CommitId.nullish(),
  created_at: HostInstant,
  updated_at: HostInstant,
});
type PullRequestAnswer = z.infer<typeof PullRequestAnswer>;

const titles = createDraftTitles("WIP:", /^(?:wip:|\[wip\])\s*/i);

// Neither can filter by head branch (Gitea 1.24, Forgejo 12), so the newest are read in pages of the maximum size.
const PAGE = 50;
const MAX_PAGES = 10;

/**
 * https://docs.gitea.com/api and https://forgejo.org/docs/latest/user/api-usage/, version 1: identical in the parts
 * used here.
 */
function createGiteaApi(own: Pick<HostApi, "kind" | "name" | "notices">, signatureHeader: string): HostApi {
  return {
    ...own,
    capabilities: { draft: "prefix", maxBodyLength: 65_535 },
    conversation: giteaConversation,
    headers: (token) => ({ Authorization: `token ${token.reveal()}` }),
    gitAuthorization: (token) => new Secret(`Basic ${Buffer.from(`docent:${token.reveal()}`).toString("base64")}`),
    apiUrl: (origin) => `${origin}/api/v1`,
    isSigned: (headers, _secret, hmac) => isSameSecret(headers.get(signatureHeader) ?? "", hmac.toString("hex")),

    async readRepository(call, path) {
      const answer = await call({ method: "GET", path: `/repos/${path}`, answers: [404] });
      if (answer.status === 404) return null;
      const found = answer.read(RepositoryAnswer);
      return {
        id: String(found.id),
        url: found.html_url,
        defaultBranch: found.empty ? null : found.default_branch,
        missing: await missingPermissions(call, found, path),
      };
    },

    async locateRepository(call, by) {
      const place = "id" in by ? `/repositories/${by.id}` : `/repos/${by.path}`;
      const answer = await call({ method: "GET", path: place, answers: [404] });
      if (answer.status === 404) return null;
      const { id, html_url: url } = answer.read(RepositoryAnswer);
      return { id: String(id), url };
    },

    async createPullRequest(call, path, wanted) {
      // Versions differ in their response for a branch without commits of its own.
      const commits = await commitsBetween(call, path, wanted);
      if (commits === null) return { outcome: "unknown_branch" };
      if (commits === 0) return { outcome: "empty" };
      const { head, base, body } = wanted;
      const answer = await call({
        method: "POST",
        path: `/repos/${path}/pulls`,
        body: { head, base, title: titles.write(wanted), body },
        answers: [403, 404, 409, 422, 423],
      });
      return readCreation(answer);
    },

    async listPullRequests(call, path, head) {
      const found: PullRequest[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        // Newest first is the default, which has no name.
        const query = `state=all&limit=${PAGE}&page=${page}`;
        const answer = await call({ method: "GET", path: `/repos/${path}/pulls?${query}` });
        const part = answer.read(z.array(PullRequestAnswer));
        const own = part.filter((one) => (head === null || one.head.ref === head) && isFromHere(one));
        found.push(...own.map(present));
        if (part.length < PAGE || found.some(({ state }) => state === "open")) break;
      }
      return found;
    },

    async listChangedPullRequests(call, path, page) {
      const query = `state=all&sort=recentupdate&limit=${PAGE}&page=${page}`;
      const answer = await call({ method: "GET", path: `/repos/${path}/pulls?${query}` });
      const found = answer.read(z.array(PullRequestAnswer));
      return { pullRequests: found.filter(isFromHere).map(present), hasMore: found.length === PAGE };
    },

    async getPullRequest(call, path, number) {
      const answer = await call({ method: "GET", path: `/repos/${path}/pulls/${number}`, answers: [404] });
      return answer.status === 404 ? null : present(answer.read(PullRequestAnswer));
    },

    async updatePullRequest(call, path, { number }, { title, body, draft }) {
      const change = { title: titles.write({ title, draft }), body };
      const answer = await call({ method: "PATCH", path: `/repos/${path}/pulls/${number}`, body: change });
      return present(answer.read(PullRequestAnswer));
    },

    async closePullRequest(call, path, number) {
      await call({ method: "PATCH", path: `/repos/${path}/pulls/${number}`, body: { state: "closed" } });
    },

    async mergePullRequest(call, path, pullRequest, message) {
      const answer = await mergeOnGitea(call, path, pullRequest, message);
      if (answer !== null) return answer;
      const place = `/repos/${path}/pulls/${pullRequest.number}`;
      const merged = present((await call({ method: "GET", path: place })).read(PullRequestAnswer));
      return { outcome: "merged", commit: merged.mergedCommit ?? pullRequest.head.commit };
    },
  };
}

export const giteaApi = createGiteaApi(
  { kind: "gitea", name: "Gitea", notices: createGiteaNotices("gitea") },
  "x-gitea-signature",
);
export const forgejoApi = createGiteaApi(
  { kind: "forgejo", name: "Forgejo", notices: createGiteaNotices("forgejo") },
  "x-forgejo-signature",
);

const isFromHere = ({ head, base }: PullRequestAnswer) => head.repo?.full_name === base.repo?.full_name;

function present(found: PullRequestAnswer): PullRequest {
  return {
    number: found.number,
    url: found.html_url,
    state: found.merged ? "merged" : found.state,
    draft: found.draft ?? titles.read(found.title) !== found.title,
    title: titles.read(found.title),
    body: found.body,
    head: { branch: found.head.ref, commit: found.head.sha },
    base: { branch: found.base.ref },
    mergedCommit: found.merged ? (found.merge_commit_sha ?? null) : null,
    createdAt: new Date(found.created_at),
    updatedAt: new Date(found.updated_at),
  };
}

function readCreation({ status, body, read }: HostAnswer): CreateOutcome {
  // `read` rejects a 200 with a proxy's page.
  if (status < 300) return { outcome: "created", pullRequest: present(read(PullRequestAnswer)) };
  if (status === 409) return { outcome: "exists" };
  if (status === 404) return { outcome: "unknown_branch" };
  return { outcome: "denied", reason: hostMessage(body) };
}

/** Null when one of the branches does not exist. */
async function commitsBetween(
  call: HostCall,
  path: string,
  { head, base }: Pick<WantedPullRequest, "head" | "base">,
): Promise<number | null> {
  const range = `${encodeURIComponent(base)}...${encodeURIComponent(head)}`;
  const answer = await call({ method: "GET", path: `/repos/${path}/compare/${range}`, answers: [404] });
  if (answer.status === 404) return null;
  return answer.read(z.looseObject({ total_commits: z.number() })).total_commits;
}

/**
 * The `permissions` in a response are the person's, not the token's scopes. Those show only in use: creating a pull
 * request from a nonexistent branch fails with a different error when the token may write (Gitea 1.24, Forgejo 12).
 */
async function missingPermissions(
  call: HostCall,
  { permissions, archived, default_branch: base }: z.infer<typeof RepositoryAnswer>,
  path: string,
): Promise<string[]> {
  if (archived) return ["The repository is archived: its owner has to unarchive it (Settings → Danger Zone)."];
  if (permissions?.push !== true)
    return [`The token's owner may not push to ${path}: they need write access (Settings → Collaborators).`];
  const { status } = await call({
    method: "POST",
    path: `/repos/${path}/pulls`,
    body: { head: "docent/permission-check", base: base || "main", title: "Check" },
    answers: [403, 404, 409, 422, 423],
  });
  if (status !== 403) return [];
  return [
    `The token may not write to ${path}: it lacks the permission “repository: Read and Write” (Settings → Applications).`,
  ];
}
