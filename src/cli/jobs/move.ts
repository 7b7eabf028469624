import { MOVE_CHORE } from "#chores/move-to-docs-json.ts";
import { type Command, UsageError } from "#cli/command/command.ts";
import { choreAction } from "./chore.ts";

const TO = "docs.json";

export const move: Command = {
  usage: `docent move PROJECT --to docs.json [--dry-run] [--job JOB] [--ref BRANCH] [--draft]

Moves the docs of a project to Docent's own format: a docs.json, and pages with its components, at the same
addresses. It reads Docusaurus, Starlight, VitePress, MkDocs, GitBook, mdBook, Nextra, Fumadocs and plain Markdown.
It runs as a job that opens one pull request, whose description names by file and line what was left unchanged.

Options
  --to docs.json         the format to move to
  --dry-run              print what would change and what would stay unchanged, and change nothing
  --job JOB              add to this job and its pull request, instead of creating a new one
  --ref BRANCH           branch to start from and to merge into (default: the project's); not with --job
  --draft                open the pull request as a draft
  --json                 one JSON object, as in the API: the job, or with --dry-run the trial

Example
  docent move harbor-docs --to docs.json --dry-run`,
  run: choreAction(MOVE_CHORE, { to: { type: "string" } }, ({ to }) => {
    if (to !== TO) throw new UsageError(`Add --to ${TO}. It is the only format that docs can be moved to.`);
  }),
};
