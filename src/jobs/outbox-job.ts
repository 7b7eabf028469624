import { z } from "zod";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Job } from "./job.ts";
import { type JobColumns, jobFromRow, StoredError, StoredPullRequest } from "./job-rows.ts";

const JobIdText = z.custom<JobId>((value) => typeof value === "string");
const ProjectIdText = z.custom<ProjectId>((value) => typeof value === "string");
const Status = z.enum(["active", "completed", "archived", "failed"]);
const Phase = z.enum(["queued", "preparing", "running", "validating", "publishing", "idle"]);
const Text = z.string().nullable();

const StoredJob = z.object({
  id: JobIdText,
  projectId: ProjectIdText,
  status: Status,
  phase: Phase,
  title: Text,
  summary: Text,
  error: StoredError.nullable(),
  model: z.string(),
  baseRef: z.string(),
  branch: Text,
  draft: z.boolean(),
  pullRequest: StoredPullRequest.nullable(),
  messageCount: z.number(),
  handledCount: z.number(),
  usage: z.object({
    steps: z.number(),
    inputTokens: z.number(),
    cachedTokens: z.number(),
    outputTokens: z.number(),
    costMicroUsd: z.number(),
  }),
  automationId: Text,
  revision: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  archivedAt: z.coerce.date().nullable(),
}) satisfies z.ZodType<Job>;

/** What versions without a `version` stored: the row of the job, with all its columns. */
const StoredRow = z.object({
  id: JobIdText,
  project_id: ProjectIdText,
  status: Status,
  phase: Phase,
  title: Text,
  summary: Text,
  error: Text,
  model: z.string(),
  base_ref: z.string(),
  branch: Text,
  draft: z.literal([0, 1]),
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
}) satisfies z.ZodType<JobColumns>;

const Stored = z.union([
  z.object({ version: z.literal(1), job: StoredJob }).transform(({ job }) => job),
  StoredRow.transform(jobFromRow),
]);

/** A job as of an event, as the outbox keeps it until the event is delivered. */
export const outboxText = (job: Job): string => JSON.stringify({ version: 1, job });

export const jobFromOutbox = (text: string): Job => Stored.parse(JSON.parse(text));
