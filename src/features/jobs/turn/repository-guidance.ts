import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Project } from "#features/projects/project.ts";

/** What a repository says to whoever changes it; null for what it does not have. */
export interface RepositoryGuidance {
  /** `AGENTS.md`. */
  instructions: string | null;
  /** `CONTRIBUTING.md`, for people, in the places where hosts show it. */
  contributing: string | null;
}

const INSTRUCTIONS = [".docent/AGENTS.md", "AGENTS.md"];
// In capitals: files of that name are not written by the agent.
const CONTRIBUTING = [".github", ".gitlab", ".gitea", ".forgejo", "", "docs"].map((folder) =>
  folder === "" ? "CONTRIBUTING.md" : `${folder}/CONTRIBUTING.md`,
);
const MAX_INSTRUCTIONS_CHARACTERS = 16_384;
const MAX_CONTRIBUTING_CHARACTERS = 8_192;

/** Of the base branch only: a head branch is written by whoever opened the pull request, the agent included. */
export async function readGuidance(
  { repoStore, redact }: { repoStore: RepoStore; redact(text: string): string },
  project: Pick<Project, "id">,
  baseRef: string,
): Promise<RepositoryGuidance> {
  const base = await repoStore.resolve(project.id, `refs/heads/${baseRef}`);
  if (base === null) return { instructions: null, contributing: null };
  const snapshot = commitSnapshot(repoStore, project.id, base);
  const first = async (paths: readonly string[], maxCharacters: number) => {
    for (const path of paths) {
      const bytes = await snapshot.read(path);
      // Cut last: half a credential is not found.
      const shown = bytes && redact(new TextDecoder().decode(bytes.subarray(0, 4 * maxCharacters)));
      if (shown !== null) return shown.slice(0, maxCharacters).toWellFormed();
    }
    return null;
  };
  return {
    instructions: await first(INSTRUCTIONS, MAX_INSTRUCTIONS_CHARACTERS),
    contributing: await first(CONTRIBUTING, MAX_CONTRIBUTING_CHARACTERS),
  };
}
