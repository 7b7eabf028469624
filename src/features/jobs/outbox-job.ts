import { z } from "zod";
import type { Job } from "./job.ts";
import { StoredPlan } from "./plan.ts";
import { JobColumns, jobFromRow, StoredError, StoredPullRequest, StoredWaiting } from "./job-rows.ts";

const StoredJob = z.object({
  id: JobColumns.shape.id,
  projectId: JobColumns.shape.project_id,
  status: JobColumns.shape.status,
  phase: JobColumns.shape.phase,
  waiting: StoredWaiting.nullable().default(null),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  changed: z.boolean().default(false),
  question: z.string().nullable().default(null),
  error: StoredError.nullable(),
  refusal: StoredError.nullable().default(null),
  model: z.string(),
  baseRef: z.string(),
  branch: z.string().nullable(),
  draft: z.boolean(),
  dryRun: z.boolean().default(false),
  plan: StoredPlan.nullable().default(null),
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
  automationId: z.string().nullable(),
  revision: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  archivedAt: z.coerce.date().nullable(),
}) satisfies z.ZodType<Job>;

const Stored = z.union([
  z.object({ version: z.literal(1), job: StoredJob }).transform(({ job }) => job),
  // Versions before stored the row of the job.
  JobColumns.transform(jobFromRow),
]);

/** A job as of an event, as the outbox keeps it until the event is delivered. */
export const outboxText = (job: Job): string => JSON.stringify({ version: 1, job });

export const jobFromOutbox = (text: string): Job => Stored.parse(JSON.parse(text));
