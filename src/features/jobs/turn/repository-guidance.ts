import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { invisibleRuns } from "#lib/invisible-text.ts";
import type { Project } from "#features/projects/project.ts";

/** A repository's instructions for contributors; null for what it does not have. */
export interface RepositoryGuidance {
  /** `AGENTS.md`; without it, the instructions for another agent. */
  instructions: string | null;
  /** Instructions for single folders: each `AGENTS.md` below the root, and the rules of Cursor. */
  nested: { path: string; text: string }[];
  /** Words that the rules of the prose linter Vale accept and refuse. */
  terms: { accepted: string[]; refused: string[] };
  /** `CONTRIBUTING.md`, for people, in the places where hosts show it. */
  contributing: string | null;
}

const INSTRUCTIONS = [".docent/AGENTS.md", "AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", "GEMINI.md"];
// In capitals: the agent may not write files with these names.
const CONTRIBUTING = [".github", ".gitlab", ".gitea", ".forgejo", "", "docs"].map((folder) =>
  folder === "" ? "CONTRIBUTING.md" : `${folder}/CONTRIBUTING.md`,
);
const NESTED = /(?:^|\/)AGENTS\.md$|^\.cursor\/rules\/[^/]+\.mdc?$/;
// https://vale.sh/docs/keys/vocab: `styles/config/vocabularies/NAME/accept.txt`; before version 3 `styles/Vocab/NAME/`.
const VOCABULARY = /(?:^|\/)(?:config\/vocabularies|Vocab)\/[^/]+\/(accept|reject)\.txt$/;
// Folders of packages, whose instructions are for their own repositories. Paths with control characters are ignored, too.
const IGNORED_PATHS = /(?:^|\/)(?:node_modules|vendor|third_party)\/|\p{Cc}/u;
const depthOf = (path: string) => path.split("/").length;
/** One to four words. */
const TERM = /^[^#\s]\S{0,40}(?: \S{1,30}){0,3}$/;
const MAX_VOCABULARIES = 20;
const MAX_NESTED = 8;
const MAX_NESTED_CHARACTERS = 4_096;
const MAX_TERMS = 200;
const MAX_INSTRUCTIONS_CHARACTERS = 16_384;
const MAX_CONTRIBUTING_CHARACTERS = 8_192;

const NO_GUIDANCE: RepositoryGuidance = {
  instructions: null,
  nested: [],
  terms: { accepted: [], refused: [] },
  contributing: null,
};

/** Reads the base branch only, because the author of a pull request, who may be the agent, writes the head branch. */
export async function readGuidance(
  { repoStore, redact }: { repoStore: RepoStore; redact(text: string): string },
  project: Pick<Project, "id">,
  baseRef: string,
): Promise<RepositoryGuidance> {
  const base = await repoStore.resolve(project.id, `refs/heads/${baseRef}`);
  if (base === null) return NO_GUIDANCE;
  const snapshot = commitSnapshot(repoStore, project.id, base);
  const read = async (path: string, maxCharacters: number) => {
    const bytes = await snapshot.read(path);
    // Truncated last, because half a credential is not recognized.
    const shown = bytes && redact(new TextDecoder().decode(bytes.subarray(0, 4 * maxCharacters)));
    return shown === null ? null : shown.slice(0, maxCharacters).toWellFormed();
  };
  const first = async (paths: readonly string[], maxCharacters: number) => {
    for (const path of paths) {
      const shown = await read(path, maxCharacters);
      if (shown !== null) return shown;
    }
    return null;
  };
  const paths = (await snapshot.files()).filter(({ kind }) => kind === "file").map(({ path }) => path);
  const nested: RepositoryGuidance["nested"] = [];
  const own = paths.filter((one) => NESTED.test(one) && !INSTRUCTIONS.includes(one) && !IGNORED_PATHS.test(one));
  for (const path of own.sort((a, b) => depthOf(a) - depthOf(b)).slice(0, MAX_NESTED)) {
    nested.push({ path, text: (await read(path, MAX_NESTED_CHARACTERS)) ?? "" });
  }
  let vocabularies = 0;
  const terms: RepositoryGuidance["terms"] = { accepted: [], refused: [] };
  for (const path of paths) {
    const kind = VOCABULARY.exec(path)?.[1];
    if (kind === undefined || IGNORED_PATHS.test(path)) continue;
    if (++vocabularies > MAX_VOCABULARIES) break;
    const words = ((await read(path, MAX_INSTRUCTIONS_CHARACTERS)) ?? "").split(/\r?\n/).map((word) => word.trim());
    const list = kind === "accept" ? terms.accepted : terms.refused;
    list.push(
      ...words.filter((word) => TERM.test(word) && invisibleRuns(word).length === 0).slice(0, MAX_TERMS - list.length),
    );
  }
  return {
    nested,
    terms,
    instructions: await first(INSTRUCTIONS, MAX_INSTRUCTIONS_CHARACTERS),
    contributing: await first(CONTRIBUTING, MAX_CONTRIBUTING_CHARACTERS),
  };
}
