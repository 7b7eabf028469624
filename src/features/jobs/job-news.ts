import type { Job } from "./job.ts";

/** The fields of a job that its news uses. */
export type NewsJob = Pick<Job, "status" | "summary" | "refusal" | "question" | "error" | "pullRequest">;

/** Null when the job has no pull request. */
export const pullRequestLine = ({ pullRequest }: Pick<NewsJob, "pullRequest">): string | null =>
  pullRequest && `Pull request #${pullRequest.number}: ${pullRequest.url}`;

/** The news about a job that has ended or asks a question, one paragraph per line. */
export function jobNews(job: NewsJob): string[] {
  const outcome = job.summary ?? (job.status === "failed" ? "The job failed." : "The job is done.");
  const lines = [
    job.refusal === null
      ? outcome
      : `The last message was not carried out. ${job.refusal.message}\n${job.refusal.hint}`,
    job.question !== null && `It asks: ${job.question}`,
    job.error !== null && `${job.error.message}\n${job.error.hint}`,
    pullRequestLine(job),
  ];
  return lines.filter((line) => typeof line === "string");
}
