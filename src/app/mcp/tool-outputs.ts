import { z } from "zod";
import { TrialBody } from "#features/jobs/chores/try-routes.ts";
import { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { VisitorsBody } from "#features/visitors/http/schemas.ts";

const Finding = z.looseObject({
  check: z.string(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  message: z.string(),
});

/** Structured results of the tools. */
export const outputs = {
  job: AgentJobBody,
  jobs: z.looseObject({ jobs: z.array(AgentJobBody) }),
  trial: TrialBody,
  visitors: VisitorsBody,
  transcript: z.object({
    events: z.array(
      z.looseObject({
        seq: z.number(),
        turn: z.number(),
        type: z.string(),
        data: z.looseObject({}),
        createdAt: z.string(),
      }),
    ),
    hasMore: z.boolean(),
  }),
  findings: z.object({
    /** Null before the first check. */
    turn: z.number().nullable(),
    errors: z.array(Finding),
    warnings: z.array(Finding),
    newHosts: z.array(z.string()),
    /** Total number found; the lists may be truncated. */
    totals: z.object({ errors: z.number(), warnings: z.number(), newHosts: z.number() }).optional(),
  }),
  diff: z.object({
    base: z.string().nullable(),
    head: z.string().nullable(),
    files: z.array(z.looseObject({ status: z.string(), path: z.string(), oldPath: z.string().nullable() })),
    patch: z.string(),
    /** Offset of the rest of the patch; null at its end. */
    nextOffset: z.number().nullable(),
  }),
  found: z.looseObject({ results: z.array(z.looseObject({})) }),
};
