import { z } from "zod";
import type { PullRequest } from "#hosts/code-host.ts";
import type { HostMerge } from "#hosts/remote/host-api.ts";
import { type HostCall, hostMessage } from "#hosts/remote/host-call.ts";
import { CommitId } from "#hosts/remote/host-fields.ts";
import { askGraphql } from "./github-graphql.ts";

/**
 * The first one that the repository and the rules of its base branch allow: a job is one change, so one commit where
 * possible.
 */
const METHODS = ["squash", "merge", "rebase"] as const;
type Method = (typeof METHODS)[number];

/** Omitted for tokens that may not push. */
const Settings = z.looseObject({
  allow_squash_merge: z.boolean().optional(),
  allow_merge_commit: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});
const Rule = z.looseObject({
  type: z.string(),
  parameters: z.looseObject({ allowed_merge_methods: z.array(z.string()).optional() }).optional(),
});

/** Merges by a method that the repository allows, or through the merge queue of the base branch if it has one. */
export async function mergeOnGithub(
  call: HostCall,
  path: string,
  pullRequest: PullRequest,
  { subject, body }: { subject: string; body: string },
): Promise<HostMerge> {
  const { number, head, base } = pullRequest;
  const { methods, hasQueue } = await findMethods(call, path, base.branch);
  if (hasQueue) return enqueue(call, path, pullRequest);
  const [method] = methods;
  if (method === undefined) {
    const reason = `The settings of the repository and the rules of ${base.branch} together allow no way to merge. Ask an administrator to allow one.`;
    return { outcome: "refused", reason };
  }
  const answer = await call({
    method: "PUT",
    path: `/repos/${path}/pulls/${number}/merge`,
    body: { merge_method: method, sha: head.commit, commit_title: subject, commit_message: body },
    answers: [403, 405, 409, 422],
  });
  const message = hostMessage(answer.body);
  if (answer.status === 409) return { outcome: "head_moved" };
  // Rules do not mention the merge queue of a classic protected branch.
  if (answer.status === 405 && /merge queue/i.test(message)) return enqueue(call, path, pullRequest);
  // Sent while another merge moves the base branch (2026: 405, with the advice to try again).
  if (answer.status === 405 && /base branch was modified|merge already in progress/i.test(message)) {
    return { outcome: "try_again", reason: message };
  }
  if (answer.status !== 200) return { outcome: "refused", reason: message };
  const { sha } = answer.read(z.looseObject({ sha: CommitId }));
  // The repository may delete merged branches itself; then it no longer exists.
  const branch = head.branch.split("/").map(encodeURIComponent).join("/");
  await call({ method: "DELETE", path: `/repos/${path}/git/refs/heads/${branch}`, answers: [403, 404, 422] });
  return { outcome: "merged", commit: sha };
}

async function findMethods(call: HostCall, path: string, base: string) {
  const settings = (await call({ method: "GET", path: `/repos/${path}` })).read(Settings);
  const place = `/repos/${path}/rules/branches/${encodeURIComponent(base)}`;
  // Plans without rules for private repositories respond 403, older hosts 404.
  const answer = await call({ method: "GET", path: place, answers: [403, 404] });
  const rules = answer.status === 200 ? answer.read(z.array(Rule)) : [];
  const isAllowed: Record<Method, boolean> = {
    squash: settings.allow_squash_merge !== false,
    merge: settings.allow_merge_commit !== false && !rules.some(({ type }) => type === "required_linear_history"),
    rebase: settings.allow_rebase_merge !== false,
  };
  const byRules = (method: Method) =>
    rules.every(({ parameters }) => parameters?.allowed_merge_methods?.includes(method) ?? true);
  return {
    methods: METHODS.filter((method) => isAllowed[method] && byRules(method)),
    hasQueue: rules.some(({ type }) => type === "merge_queue"),
  };
}

const ENQUEUE =
  "mutation($id: ID!, $head: GitObjectID!) { enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { state } } }";
const IS_QUEUED = "query($id: ID!) { node(id: $id) { ... on PullRequest { isInMergeQueue } } }";
const Queued = z.object({ node: z.looseObject({ isInMergeQueue: z.boolean() }) });

async function enqueue(call: HostCall, path: string, { number, head }: PullRequest): Promise<HostMerge> {
  const found = await call({ method: "GET", path: `/repos/${path}/pulls/${number}` });
  const { node_id: id } = found.read(z.looseObject({ node_id: z.string() }));
  const { refusal } = await askGraphql(call, ENQUEUE, { id, head: head.commit });
  if (refusal === null) return { outcome: "queued" };
  // GitHub refuses one that is in the queue already.
  const { data } = await askGraphql(call, IS_QUEUED, { id });
  if (Queued.safeParse(data).data?.node.isInMergeQueue === true) return { outcome: "queued" };
  const reason = `The base branch is changed through its merge queue only, and GitHub did not take it into the queue: ${refusal}`;
  return { outcome: "refused", reason };
}
