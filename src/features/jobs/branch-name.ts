import type { CodeHost, HostedRepository } from "#hosts/code-host.ts";

const FOLDER = "docent";
const MAX_BRANCH_NAMES = 50;

/**
 * The next branch name of a job that does not exist on the code host and is not `taken`. When a branch has the name of
 * the folder, git cannot create branches below it, so the name has no folder.
 */
export async function freeBranchName(
  codeHost: CodeHost,
  repository: HostedRepository,
  options: { jobId: string; prompt: string; taken: string | null },
): Promise<string> {
  const isFolderFree = (await codeHost.fetchBranch(repository, FOLDER)) === null;
  for (let attempt = 1; attempt <= MAX_BRANCH_NAMES; attempt++) {
    const name = branchName({ ...options, isFolderFree, attempt });
    if (name !== options.taken && (await codeHost.fetchBranch(repository, name)) === null) return name;
  }
  throw new Error(`No free branch name was found in ${MAX_BRANCH_NAMES} tries.`);
}

// Without a folder: words of the prompt, end of the job's id, number of a later branch, suffix of unpublished work.
const FLAT = new RegExp(`^${FOLDER}-[a-z0-9-]+-[0-9a-hjkmnp-tv-z]{8}(-\\d+)?(-unpublished-\\d+(-\\d+)?)?$`);

/** Whether a branch has a name of the agent's. Such branches are deleted after a merge, and pushes to them trigger nothing. */
export const isAgentBranch = (branch: string): boolean => branch.startsWith(`${FOLDER}/`) || FLAT.test(branch);

/** The branch that keeps work of a turn which no pull request may show. */
export const unpublishedBranch = (branch: string, turn: number): string => `${branch}-unpublished-${turn}`;

/** The branch name without a folder, so that it cannot conflict with a branch named like the folder. */
export const withoutFolder = (branch: string): string => branch.replaceAll("/", "-");

/** `docent/<words of the prompt>-<end of the job's id>`, and `-2`, `-3` … for the branches after a merge. */
function branchName(options: { jobId: string; prompt: string; isFolderFree: boolean; attempt: number }): string {
  const words = options.prompt
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 32)
    .replace(/-$/, "");
  const suffix = options.attempt > 1 ? `-${options.attempt}` : "";
  const name = `${FOLDER}/${words === "" ? "job" : words}-${options.jobId.slice(-8)}${suffix}`;
  return options.isFolderFree ? name : withoutFolder(name);
}
