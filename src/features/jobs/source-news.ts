import { z } from "zod";
import type { SourceReader } from "#tools/source-reader.ts";
import { diffSource, type SourceDiff } from "#tools/sources/source-diff.ts";
import { MATERIAL } from "#tools/sources/source-tool.ts";
import { textForModel } from "#tools/model-view.ts";
import type { Database } from "#db/database.ts";
import type { CommitInfo } from "#git/repo-store.ts";
import { GitError } from "#git/process/runner.ts";
import { AppError } from "#lib/app-error.ts";
import { cutText } from "#lib/cut-text.ts";
import type { JobId } from "#lib/ids.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";

const MAX_COMMITS = 100;
const MAX_LISTED_FILES = 100;
const MAX_PATCH_CHARACTERS = 20_000;

// What hosts write into the commit of a merge or a squash, as of 2026.
const MERGES: readonly RegExp[] = [
  /^Merge pull request #(\d{1,9}) from /, // GitHub
  /^Merge pull request '.*' \(#(\d{1,9})\) from /, // Gitea, Forgejo
  /\(#(\d{1,9})\)$/, // a squash, on each of them
];
const GITLAB_MERGE = /^See merge request \S*!(\d{1,9})$/m;

/** The numbers of merged pull requests in commit messages, `#12` or GitLab's `!12`. A rebase merge leaves no number. */
export function mergedPullRequests(commits: readonly Pick<CommitInfo, "subject" | "body">[]): string[] {
  const found = commits.flatMap(({ subject, body }) => {
    const number = MERGES.map((pattern) => pattern.exec(subject)?.[1]).find((one) => one !== undefined);
    const gitlab = GITLAB_MERGE.exec(body)?.[1];
    return [...(number === undefined ? [] : [`#${number}`]), ...(gitlab === undefined ? [] : [`!${gitlab}`])];
  });
  return [...new Set(found)];
}

const Range = z.object({ source: z.string(), base: z.string(), head: z.string() });

/** The commits of a source that a message of a job covers; null when no source triggered it. */
export async function findSourceRange(
  { kysely }: Database,
  { jobId, seq }: { jobId: JobId; seq: number },
): Promise<z.infer<typeof Range> | null> {
  const row = await kysely
    .selectFrom("automation_run")
    .select("source_range")
    .where("job_id", "=", jobId)
    // A retried run has several messages with consecutive numbers.
    .where("message_seq", "<=", seq)
    .where(({ eb, ref }) => eb(eb("message_seq", "+", ref("retries")), ">=", seq))
    .executeTakeFirst();
  return row?.source_range ? Range.parse(JSON.parse(row.source_range)) : null;
}

/**
 * Describes the changes in a source to a model, next to its instruction and never as a part of it, so that no commit is an
 * instruction to the agent or a permission for the gate.
 */
export async function sourceNews(
  sources: readonly SourceReader[],
  range: z.infer<typeof Range>,
  redact: Redact,
): Promise<string> {
  const { source: name, base, head } = range;
  const source = sources.find((one) => one.name === name);
  const intro = `Source ${name} changed, ${base}..${head}, which set off this instruction.`;
  if (!source) return `${intro} The project has no source of this name any more.`;
  try {
    const commits = await source.log({ base, head, path: null, limit: MAX_COMMITS });
    const diff = await diffSource(source, { base, head, maxCharacters: MAX_PATCH_CHARACTERS, redact });
    return describeChanges(intro, commits, diff, redact);
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof AppError && error.code !== "internal")) throw error;
    return `${intro} It cannot be compared: its history was written anew, or it is too much. source_log tells more.`;
  }
}

function describeChanges(intro: string, commits: readonly CommitInfo[], diff: SourceDiff, redact: Redact): string {
  const line = (text: string) => cutText(textForModel(text, redact), 200);
  const merged = mergedPullRequests(commits);
  const files = diff.files.slice(0, MAX_LISTED_FILES);
  const more = diff.files.length - files.length + diff.moreFiles;
  return [
    intro,
    MATERIAL,
    ...(merged.length > 0 ? [`Merged pull requests: ${merged.join(", ")}`] : []),
    `Commits, newest first${commits.length === MAX_COMMITS ? ` (the newest ${MAX_COMMITS})` : ""}:`,
    ...commits.map(({ id, subject, author }) => `- ${id.slice(0, 10)} ${line(subject)} (${line(author.name)})`),
    "Files:",
    ...files.map(
      ({ status, path, additions, deletions }) => `- ${status} ${line(path)} +${additions ?? "?"} -${deletions ?? "?"}`,
    ),
    ...(more > 0 ? [`- and ${more} more`] : []),
    "Diff, as much as there is room for; source_diff shows more:",
    diff.patch,
  ].join("\n");
}
