import type { CodeHost, HostedRepository } from "#code-hosts/code-host.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobError, jobError, type JobPullRequest } from "./job.ts";
import { type AgentCommit, commitMessage } from "./pull-request-text.ts";

export interface PublishDeps {
  repoStore: RepoStore;
  codeHost: CodeHost;
}

const AUTHOR = { name: "Docent", email: "agent@docent.invalid" };
const MAX_PUSHES = 3;

export type PushResult = { ok: true; commit: ObjectId } | { ok: false; error: JobError };

/**
 * Puts one turn's tree on the job's branch as one commit and never loses anybody's work: the push is a compare and
 * swap against the tip that the turn started from; what others pushed meanwhile is merged in. The commit's id depends
 * on the turn alone, so a replay after a crash finds its own commit and stops.
 */
export async function pushTurn(
  { repoStore, codeHost }: PublishDeps,
  options: {
    repository: HostedRepository;
    jobId: string;
    turn: number;
    branch: string;
    baseCommit: ObjectId;
    tree: ObjectId;
    startedAt: Date;
    commit: AgentCommit;
  },
): Promise<PushResult> {
  const { repository, branch, baseCommit } = options;
  const project = repository.projectId;
  const message = commitMessage(options.commit, options);
  const commitOn = (parent: ObjectId, tree: ObjectId) =>
    repoStore.commit(project, { tree, parents: [parent], message, author: AUTHOR, at: options.startedAt });
  const ours = await commitOn(baseCommit, options.tree);
  let commit = ours;
  for (let pushes = 1; pushes <= MAX_PUSHES; pushes++) {
    const tip = await codeHost.fetchBranch(repository, branch);
    if (tip === commit) return { ok: true, commit };
    if (tip !== null && tip !== baseCommit) {
      const known = await findOwnCommit(repoStore, project, { base: baseCommit, tip, ...options });
      if (known) return { ok: true, commit: known };
      const merged = await repoStore.mergeTrees(project, { ours: tip, theirs: ours });
      if (!merged.ok) {
        const files = merged.conflicts.slice(0, 5).join(", ");
        return {
          ok: false,
          error: jobError("branch_moved", `Somebody pushed to ${branch} meanwhile, and both changed ${files}.`),
        };
      }
      commit = await commitOn(tip, merged.tree);
    }
    const pushed = await codeHost.push(repository, { branch, commit, expected: tip });
    if (pushed.outcome === "pushed") return { ok: true, commit };
    if (pushed.outcome === "denied") return { ok: false, error: jobError("push_denied", pushed.reason) };
  }
  return {
    ok: false,
    error: jobError("branch_moved", `${branch} moved ${MAX_PUSHES} times while the agent tried to push to it.`),
  };
}

async function findOwnCommit(
  repoStore: RepoStore,
  project: HostedRepository["projectId"],
  options: { base: ObjectId; tip: ObjectId; jobId: string; turn: number },
): Promise<ObjectId | null> {
  const commits = await repoStore.log(project, { base: options.base, head: options.tip, limit: 100 });
  const own = commits.find(
    ({ trailers }) => trailers["Docent-Job"] === options.jobId && trailers["Docent-Turn"] === String(options.turn),
  );
  return own ? options.tip : null;
}

export type EnsureResult =
  | { ok: true; pullRequest: Omit<JobPullRequest, "previewUrl"> | null; isNew: boolean }
  | { ok: false; error: JobError };

/** The one open pull request of the job's branch, made or brought up to date. */
export async function ensurePullRequest(
  { codeHost }: Pick<PublishDeps, "codeHost">,
  options: { repository: HostedRepository; head: string; base: string; title: string; body: string; draft: boolean },
): Promise<EnsureResult> {
  const { repository, ...request } = options;
  const ensured = await codeHost.ensurePullRequest(repository, request);
  if (ensured.outcome === "denied") {
    return { ok: false, error: jobError("push_denied", `The code host refused the pull request: ${ensured.reason}`) };
  }
  if (ensured.outcome === "empty") return { ok: true, pullRequest: null, isNew: false };
  const { number, url, state, draft } = ensured.pullRequest;
  return { ok: true, pullRequest: { number, url, state, draft }, isNew: ensured.outcome === "created" };
}

/** Whether an error means that the code host, not the job, is in trouble, so that waiting may help. */
export function isHostTrouble(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}
