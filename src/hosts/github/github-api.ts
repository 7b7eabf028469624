import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import type { CreateOutcome, HostApi } from "#hosts/remote/host-api.ts";
import { type HostAnswer, type HostCall, hostMessage } from "#hosts/remote/host-call.ts";
import { CommitId, HostInstant, WebAddress } from "#hosts/remote/host-fields.ts";
import { AppError } from "#lib/app-error.ts";
import { isSameSecret, Secret } from "#lib/secrets/secret.ts";
import { githubConversation } from "./github-conversation.ts";
import { askGraphql } from "./github-graphql.ts";
import { mergeOnGithub } from "./github-merge.ts";
import { githubNotices } from "./github-notices.ts";

// https://docs.github.com/en/rest, version 2022-11-28; GitHub Enterprise Server 3.14 and later support it, too.
const API_VERSION = "2022-11-28";
const NAME = "GitHub";

const RepositoryAnswer = z.looseObject({
  id: z.number(),
  html_url: WebAddress,
  default_branch: z.string(),
  archived: z.boolean(),
  permissions: z.looseObject({ push: z.boolean(), pull: z.boolean() }).optional(),
});

const PullRequestAnswer = z.looseObject({
  number: z.int().positive(),
  node_id: z.string(),
  html_url: WebAddress,
  state: z.enum(["open", "closed"]),
  draft: z.boolean().optional(),
  title: z.string(),
  body: z.string().nullable(),
  // The head repository is null when its fork was deleted.
  head: z.looseObject({ ref: z.string(), sha: CommitId, repo: z.looseObject({ full_name: z.string() }).nullable() }),
  base: z.looseObject({ ref: z.string(), repo: z.looseObject({ full_name: z.string() }) }),
  merged_at: z.string().nullable(),
  merge_commit_sha: CommitId.nullable(),
  created_at: HostInstant,
  updated_at: HostInstant,
});
type PullRequestAnswer = z.infer<typeof PullRequestAnswer>;

const GHE = /^https:\/\/[^./]+\.ghe\.com$/;
const UNPROCESSABLE = 422;
const PAGE = 100;

/** GitHub and GitHub Enterprise, with a fine-grained or classic token, or one of an app's installation. */
export const githubApi: HostApi = {
  kind: "github",
  name: NAME,
  capabilities: { draft: "field", maxBodyLength: 65_536 },
  conversation: githubConversation,
  notices: githubNotices,
  headers: (token) => ({
    Accept: "application/vnd.github+json",
    Authorization: `Bearer ${token.reveal()}`,
    "X-GitHub-Api-Version": API_VERSION,
  }),
  gitAuthorization: (token) =>
    new Secret(`Basic ${Buffer.from(`x-access-token:${token.reveal()}`).toString("base64")}`),
  // GitHub's own hosts serve it at `api.`: github.com, and SUBDOMAIN.ghe.com of Enterprise Cloud with data residency.
  apiUrl: (origin) =>
    origin === "https://github.com" || GHE.test(origin) ? origin.replace("://", "://api.") : `${origin}/api/v3`,

  isSigned: (headers, _secret, hmac) =>
    isSameSecret(headers.get("x-hub-signature-256") ?? "", `sha256=${hmac.toString("hex")}`),

  async readRepository(call, path, { isGranted }) {
    const answer = await call({ method: "GET", path: `/repos/${path}`, answers: [404] });
    if (answer.status === 404) return null;
    const found = answer.read(RepositoryAnswer);
    return {
      id: String(found.id),
      url: found.html_url,
      defaultBranch: found.default_branch === "" ? null : found.default_branch,
      missing: await missingPermissions(call, found, { path, isGranted }),
    };
  },

  async locateRepository(call, by) {
    // The path by id is undocumented, but GitHub's own redirects of renamed repositories use it (2026).
    const place = "id" in by ? `/repositories/${by.id}` : `/repos/${by.path}`;
    const answer = await call({ method: "GET", path: place, answers: [404] });
    return answer.status === 404 ? null : located(answer.read(RepositoryAnswer));
  },

  async createPullRequest(call, path, { head, base, title, body, draft }) {
    const send = (asDraft: boolean) =>
      call({
        method: "POST",
        path: `/repos/${path}/pulls`,
        body: { title, head: `${ownerOf(path)}:${head}`, base, body, draft: asDraft },
        answers: [UNPROCESSABLE, 403],
      });
    let answer = await send(draft);
    // Some plans have no drafts in private repositories (GitHub Free, 2026): a regular pull request is better than
    // none.
    if (
      draft &&
      answer.status === UNPROCESSABLE &&
      /draft pull requests are not supported/i.test(hostMessage(answer.body))
    ) {
      answer = await send(false);
    }
    return readCreation(answer);
  },

  async listPullRequests(call, path, head) {
    const query = new URLSearchParams({
      ...(head !== null && { head: `${ownerOf(path)}:${head}` }),
      state: "all",
      sort: "created",
      direction: "desc",
      per_page: String(PAGE),
    });
    const answer = await call({ method: "GET", path: `/repos/${path}/pulls?${query.toString()}` });
    const found = answer.read(z.array(PullRequestAnswer));
    // A fork's branch may have the same name.
    return found.filter(isFromHere).map(present);
  },

  async listChangedPullRequests(call, path, page) {
    const query = `state=all&sort=updated&direction=desc&per_page=${PAGE}&page=${page}`;
    const found = (await call({ method: "GET", path: `/repos/${path}/pulls?${query}` })).read(
      z.array(PullRequestAnswer),
    );
    return { pullRequests: found.filter(isFromHere).map(present), hasMore: found.length === PAGE };
  },

  async getPullRequest(call, path, number) {
    const answer = await call({ method: "GET", path: `/repos/${path}/pulls/${number}`, answers: [404] });
    return answer.status === 404 ? null : present(answer.read(PullRequestAnswer));
  },

  async updatePullRequest(call, path, current, { title, body, draft }) {
    const place = `/repos/${path}/pulls/${current.number}`;
    const answer = await call({ method: "PATCH", path: place, body: { title, body } });
    const changed = answer.read(PullRequestAnswer);
    if ((changed.draft ?? false) === draft) return present(changed);
    return { ...present(changed), draft: (await setDraft(call, changed.node_id, draft)) ? draft : !draft };
  },

  async closePullRequest(call, path, number) {
    await call({ method: "PATCH", path: `/repos/${path}/pulls/${number}`, body: { state: "closed" } });
  },

  mergePullRequest: mergeOnGithub,
};

const located = ({ id, html_url: url }: z.infer<typeof RepositoryAnswer>) => ({ id: String(id), url });
const ownerOf = (path: string) => path.split("/", 1)[0]!;
const isFromHere = ({ head, base }: PullRequestAnswer) => head.repo?.full_name === base.repo.full_name;

function present(found: PullRequestAnswer): PullRequest {
  return {
    number: found.number,
    url: found.html_url,
    state: found.merged_at !== null ? "merged" : found.state,
    draft: found.draft ?? false,
    title: found.title,
    body: found.body ?? "",
    head: { branch: found.head.ref, commit: found.head.sha },
    base: { branch: found.base.ref },
    // For an open one it is a test merge.
    mergedCommit: found.merged_at === null ? null : found.merge_commit_sha,
    createdAt: new Date(found.created_at),
    updatedAt: new Date(found.updated_at),
  };
}

/** Only the message tells what a 422 on creation means (2026). */
function readCreation({ status, body, read }: HostAnswer): CreateOutcome {
  // `read` rejects a 200 with a proxy's page.
  if (status < 300) return { outcome: "created", pullRequest: present(read(PullRequestAnswer)) };
  const message = hostMessage(body);
  if (status === 403) return { outcome: "denied", reason: message };
  if (/a pull request already exists/i.test(message)) return { outcome: "exists" };
  if (/no commits between/i.test(message)) return { outcome: "empty" };
  const InvalidField = z.looseObject({ errors: z.array(z.looseObject({ field: z.string().optional() })) });
  const fields = InvalidField.safeParse(body).data?.errors.map(({ field }) => field) ?? [];
  if (
    fields.includes("head") ||
    fields.includes("base") ||
    /head sha can't be blank|not all refs are readable/i.test(message)
  ) {
    return { outcome: "unknown_branch" };
  }
  return { outcome: "denied", reason: message };
}

/** REST cannot change it. False where the plan has no drafts. */
async function setDraft(call: HostCall, id: string, draft: boolean): Promise<boolean> {
  const mutation = draft ? "convertPullRequestToDraft" : "markPullRequestReadyForReview";
  const query = `mutation($id: ID!) { ${mutation}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`;
  const { refusal } = await askGraphql(call, query, { id });
  if (refusal === null) return true;
  if (draft) return false;
  throw new AppError("conflict", `${NAME} did not take the pull request out of its draft state: ${refusal}`);
}

/**
 * The `permissions` in a response are the person's, not the token's (2026): for an app's token they deny push, and for
 * a read-only fine-grained token they grant it. No endpoint lists a fine-grained token's permissions, so two requests
 * are made that cannot succeed: creating a branch at a nonexistent commit, and a pull request from a nonexistent
 * branch.
 */
async function missingPermissions(
  call: HostCall,
  { permissions, archived, default_branch: base }: z.infer<typeof RepositoryAnswer>,
  { path, isGranted }: { path: string; isGranted: boolean },
): Promise<string[]> {
  if (archived)
    return ["The repository is archived: its owner has to unarchive it (Settings → General → Danger Zone)."];
  if (isGranted) return [];
  if (permissions?.push !== true)
    return [
      `The token's owner may not push to ${path}: they need the role Write or higher (Settings → Collaborators).`,
    ];
  // GitHub responds 404 to a classic token without the scope.
  const isRefused = async (place: string, body: object) => {
    const answers = [403, 404, 409, UNPROCESSABLE];
    const { status } = await call({ method: "POST", path: `/repos/${path}${place}`, body, answers });
    return status === 403 || status === 404;
  };
  const lacking = [
    ...((await isRefused("/git/refs", { ref: `refs/heads/${NO_BRANCH}`, sha: "0".repeat(40) })) ? ["Contents"] : []),
    ...((await isRefused("/pulls", { title: "Check", head: `${ownerOf(path)}:${NO_BRANCH}`, base: base || "main" }))
      ? ["Pull requests"]
      : []),
  ];
  if (lacking.length === 0) return [];
  return [
    `The token may not write to ${path}: it lacks ${lacking.join(" and ")} “Read and write”. For a fine-grained token: Settings → ` +
      "Developer settings → Fine-grained tokens → Repository permissions. For a classic one: the scope “repo”.",
  ];
}

const NO_BRANCH = "docent/permission-check";
