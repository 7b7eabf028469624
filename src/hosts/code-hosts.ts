import type { CodeHost, CodeHostKind, HostedRepository } from "./code-host.ts";

/**
 * Combines several code hosts into one: each call goes to the host of the repository. `Error` when it is not
 * configured.
 */
export function createCodeHosts(hosts: Partial<Record<CodeHostKind, CodeHost>>): CodeHost {
  const of = ({ codeHost }: HostedRepository): CodeHost => {
    const host = hosts[codeHost];
    if (!host) throw new Error(`This server has no code host "${codeHost}".`);
    return host;
  };
  return {
    repositoryUrl: (repository) => of(repository).repositoryUrl(repository),
    fetchBranch: async (repository, branch) => of(repository).fetchBranch(repository, branch),
    push: async (repository, options) => of(repository).push(repository, options),
    ensurePullRequest: async (repository, options) => of(repository).ensurePullRequest(repository, options),
    updatePullRequest: async (repository, number, change) =>
      of(repository).updatePullRequest(repository, number, change),
    getPullRequest: async (repository, number) => of(repository).getPullRequest(repository, number),
    findPullRequest: async (repository, head) => of(repository).findPullRequest(repository, head),
    mergePullRequest: async (repository, number, options) =>
      of(repository).mergePullRequest(repository, number, options),
    closePullRequest: async (repository, number) => of(repository).closePullRequest(repository, number),
  };
}
