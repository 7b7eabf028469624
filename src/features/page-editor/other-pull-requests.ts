import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { PullRequest } from "#hosts/code-host.ts";

export interface OtherPullRequestsDeps {
  repoStore: RepoStore;
  openPullRequests(project: Project, limit: number): Promise<PullRequest[]>;
}

/** Each is a process of git. */
const MAX_LOOKED_AT = 10;

/**
 * The newest open pull requests of the embedded host that change a file. Those of other hosts would take
 * requests to the host.
 */
export async function findOtherPullRequests(
  { repoStore, openPullRequests }: OtherPullRequestsDeps,
  project: Project,
  { path, tip }: { path: string; tip: ObjectId },
): Promise<{ number: number; title: string }[]> {
  if (project.codeHost !== "embedded") return [];
  const open = await openPullRequests(project, MAX_LOOKED_AT);
  const { projectId } = hostedRepository(project);
  const logs = await Promise.all(
    open.map(({ head }) => repoStore.log(projectId, { base: tip, head: head.commit, path, limit: 1 })),
  );
  return open.filter((_, at) => logs[at]!.length > 0).map(({ number, title }) => ({ number, title }));
}
