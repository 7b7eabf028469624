import type { CodeHost, HostedRepository } from "#hosts/code-host.ts";

const FOLDER = "docent";
const MAX_BRANCH_NAMES = 50;

/**
 * The next name for a branch of a job that the code host does not have, and that is not `taken`. Where somebody's branch
 * is called as the folder is, which leaves git no place for one, it is a name without a folder.
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

// The words of a prompt and the end of a job's id in both forms; the number of a later branch; work that is not published.
const FLAT = new RegExp(`^${FOLDER}-[a-z0-9-]+-[0-9a-hjkmnp-tv-z]{8}(-\\d+)?(-unpublished-\\d+(-\\d+)?)?$`);

/** Whether a branch is called as those of the agent are: they go away with a merge, and set off nothing. */
export const isAgentBranch = (branch: string): boolean => branch.startsWith(`${FOLDER}/`) || FLAT.test(branch);

/** Beside a turn's branch: where work is kept that no pull request may show. */
export const unpublishedBranch = (branch: string, turn: number): string => `${branch}-unpublished-${turn}`;

/** A branch's name without a folder, which no branch called as the folder can be in the way of. */
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
