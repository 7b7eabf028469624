import { COMMON_EFFORTS } from "#models/settings.ts";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Tables } from "#db/schema.ts";
import {
  type ChoreSuggestion,
  type FailCode,
  FAILURE_HINTS,
  type Job,
  JOB_PHASES,
  JOB_STATUSES,
  type JobError,
  type JobPullRequest,
  StoredPlan,
  type Waiting,
} from "./job.ts";

export type JobRow = Selectable<Tables["job"]>;

// Rows may have been written by an older version.
const FAIL_CODES = Object.keys(FAILURE_HINTS) as [FailCode, ...FailCode[]];

const StoredSuggestion = z.object({
  chore: z.record(z.string(), z.record(z.string(), z.unknown())),
  title: z.string(),
  files: z.number(),
  places: z.number(),
}) satisfies z.ZodType<ChoreSuggestion>;

export const StoredError = z.object({
  code: z.enum(FAIL_CODES).catch("internal"),
  message: z.string(),
  hint: z.string(),
  outage: z.literal(true).exactOptional(),
  suggestions: z.array(StoredSuggestion).exactOptional(),
}) satisfies z.ZodType<JobError>;

const isString = (value: unknown) => typeof value === "string";

const Instant = z.iso.datetime().transform((text) => new Date(text));
export const StoredWaiting = z.object({
  provider: z.string(),
  code: z.custom<Waiting["code"]>(isString),
  reason: z.string(),
  since: Instant,
  heldAt: Instant.nullable(),
  retryAt: Instant,
}) satisfies z.ZodType<Waiting>;

export const StoredPullRequest = z.object({
  number: z.number(),
  url: z.string(),
  state: z.enum(["open", "merged", "closed"]),
  draft: z.boolean(),
  previewUrl: z.string().nullable().default(null),
}) satisfies z.ZodType<JobPullRequest>;

const Text = z.string().nullable();

/** The columns from which a job is read. */
export const JobColumns = z.object({
  id: z.custom<JobId>(isString),
  project_id: z.custom<ProjectId>(isString),
  status: z.enum(JOB_STATUSES),
  phase: z.enum(JOB_PHASES),
  // Rows in the outbox may be older.
  waiting: Text.default(null),
  title: Text,
  summary: Text,
  changed: z.literal([0, 1]).default(0),
  question: Text.default(null),
  error: Text,
  // Rows in the outbox may be older.
  refusal: Text.default(null),
  model: z.string(),
  base_ref: z.string(),
  branch: Text,
  draft: z.literal([0, 1]),
  // Rows in the outbox may be older.
  dry_run: z.literal([0, 1]).default(0),
  effort: z.enum(COMMON_EFFORTS).nullable().default(null),
  plan: Text.default(null),
  pull_request: Text,
  msg_seq: z.number(),
  done_seq: z.number(),
  steps: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number(),
  output_tokens: z.number(),
  cost_micro_usd: z.number(),
  automation_id: Text,
  revision: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  archived_at: z.number().nullable(),
  // Rows in the outbox may be older.
  transcript_deleted_at: z.number().nullable().default(null),
});

export function jobFromRow(row: z.infer<typeof JobColumns>): Job {
  return {
    id: row.id,
    projectId: row.project_id,
    status: row.status,
    phase: row.phase,
    waiting: row.waiting === null ? null : StoredWaiting.parse(JSON.parse(row.waiting)),
    notice: null,
    title: row.title,
    summary: row.summary,
    changed: row.changed === 1,
    question: row.question,
    error: readError(row.error),
    refusal: readError(row.refusal),
    model: row.model,
    baseRef: row.base_ref,
    branch: row.branch,
    draft: row.draft === 1,
    dryRun: row.dry_run === 1,
    effort: row.effort,
    plan: row.plan === null ? null : StoredPlan.parse(JSON.parse(row.plan)),
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
    transcriptDeletedAt: row.transcript_deleted_at === null ? null : new Date(row.transcript_deleted_at),
  };
}

const readError = (text: string | null): JobError | null =>
  text === null ? null : StoredError.parse(JSON.parse(text));

export function pullRequestOf(row: Pick<JobRow, "pull_request">): JobPullRequest | null {
  return row.pull_request === null ? null : StoredPullRequest.parse(JSON.parse(row.pull_request));
}
