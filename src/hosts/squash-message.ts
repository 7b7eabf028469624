import { withoutPreviewLine } from "./preview-line.ts";
import type { CommitInfo, Identity } from "#git/repo-store.ts";

const MAX_SUBJECT_LENGTH = 240;
const MAX_BODY_LENGTH = 20_000;

/** The commit message of a squashed pull request: title and number, description, trailers of its commits. */
export function squashMessage(
  pullRequest: { number: number; title: string; body: string; author: Identity; by?: Identity | null },
  commits: readonly CommitInfo[],
): string {
  const suffix = ` (#${pullRequest.number})`;
  const subject = pullRequest.title.replaceAll(/\s+/g, " ").trim().slice(0, MAX_SUBJECT_LENGTH) + suffix;
  const body = withoutPreviewLine(pullRequest.body).slice(0, MAX_BODY_LENGTH).replaceAll("\r\n", "\n").trim();
  const trailers = new Set<string>();
  for (const commit of commits.toReversed()) {
    // Only the merge says who merged.
    for (const [key, value] of Object.entries(commit.trailers))
      if (key.toLowerCase() !== "merged-by") trailers.add(`${key}: ${value}`);
  }
  for (const { author } of commits) {
    if (author.email !== pullRequest.author.email) trailers.add(`Co-authored-by: ${author.name} <${author.email}>`);
  }
  const { by } = pullRequest;
  if (by) trailers.add(`Merged-by: ${by.name.replaceAll(/[<>\r\n]/g, "")} <${by.email}>`);
  return [subject, body, [...trailers].join("\n")].filter((part) => part !== "").join("\n\n");
}
