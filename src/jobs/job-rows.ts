import type { Selectable } from "kysely";
import { z } from "zod";
import type { Tables } from "#db/schema.ts";
import type { Job, JobError, JobPullRequest } from "./job.ts";

export type JobRow = Selectable<Tables["job"]>;

// Rows may have been written by an older version.
const StoredError = z.object({ code: z.string(), message: z.string(), hint: z.string() });
const StoredPullRequest = z.object({
  number: z.number(),
  url: z.string(),
  state: z.enum(["open", "merged", "closed"]),
  draft: z.boolean(),
  previewUrl: z.string().nullable().default(null),
});

export function jobFromRow(row: JobRow): Job {
  return {
    id: row.id,
    projectId: row.project_id,
    status: row.status,
    phase: row.phase,
    title: row.title,
    summary: row.summary,
    error: row.error === null ? null : (StoredError.parse(JSON.parse(row.error)) as JobError),
    model: row.model,
    baseRef: row.base_ref,
    branch: row.branch,
    draft: row.draft === 1,
    pullRequest: pullRequestOf(row),
    messageCount: row.msg_seq,
    handledCount: row.done_seq,
    usage: {
      steps: row.steps,
      inputTokens: row.input_tokens,
      cachedTokens: row.cached_tokens,
      outputTokens: row.output_tokens,
      costMicroUsd: row.cost_micro_usd,
    },
    automationId: row.automation_id,
    revision: row.revision,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    archivedAt: row.archived_at === null ? null : new Date(row.archived_at),
  };
}

export function pullRequestOf(row: Pick<JobRow, "pull_request">): JobPullRequest | null {
  return row.pull_request === null ? null : StoredPullRequest.parse(JSON.parse(row.pull_request));
}
