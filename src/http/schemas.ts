import { z } from "@hono/zod-openapi";
import { lineRules, MAX_TITLE_CHARACTERS, PROMPT_RULES, type TextRule } from "#jobs/text-rules.ts";
import { CursorParameter, NextCursor, numberParameter } from "./paging.ts";

/** A schema that refuses what breaks a rule, with the rule's own words. */
function ruled(schema: z.ZodString, rules: readonly TextRule[]): z.ZodString {
  return rules.reduce((text, { holds, message }) => text.refine(holds, message), schema);
}

export const Prompt = ruled(
  z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") }),
  PROMPT_RULES,
).openapi({
  description: "The instruction for the agent.",
  example: 'Replace "Harbor Cloud" with "Harbor Platform".',
});

/** One line of text, trimmed. */
export const Line = (max: number) => ruled(z.string().trim(), lineRules(max)).openapi({ minLength: 1, maxLength: max });

export const NewJobBody = z
  .object({
    prompt: Prompt,
    ref: Line(200).optional().openapi({ description: "Branch to start from and to open the pull request against." }),
    model: Line(200).optional().openapi({ description: "Provider-qualified model.", example: "docent/builtin-rules" }),
    draft: z.boolean().optional().openapi({ description: "Open the pull request as a draft." }),
    dryRun: z.boolean().optional().openapi({
      description:
        "Work out what would change and tell it in `summary` and `plan`, and publish nothing: no branch, no pull request.",
    }),
    title: Line(MAX_TITLE_CHARACTERS).optional().openapi({ description: "Title of the job and its pull request." }),
  })
  .openapi("NewAgentJob");

export const MessageBody = z.object({ prompt: Prompt }).openapi("AgentMessage");

export const CancelBody = z
  .strictObject({
    keepWork: z.boolean().optional().openapi({ description: "Publish what the agent has made, as a draft." }),
  })
  .openapi("CancelAgentJob");

export const ProjectParams = z.object({ projectId: z.string().openapi({ param: { name: "projectId", in: "path" } }) });
export const JobParams = ProjectParams.extend({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });

export const ErrorBody = z
  .object({
    error: z.string().openapi({ description: "A sentence for a person." }),
    code: z.string().openapi({ description: "Closed set; branch on this." }),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string(),
  })
  .openapi("Error");

const timestamp = z.string().openapi({ format: "date-time", example: "2026-11-20T12:34:56.789Z" });

export const AgentJobBody = z
  .object({
    id: z.string(),
    status: z.enum(["active", "completed", "archived", "failed"]),
    source: z.object({ repository: z.string(), ref: z.string().nullable() }),
    model: z.string(),
    prLink: z.string().nullable().openapi({
      description:
        "Null while the job is active and when no file was changed; of a failed job the draft with what it had done. Opens for who is signed in to the project.",
    }),
    createdAt: timestamp,
    archivedAt: timestamp.nullable(),
    pullRequest: z
      .object({ number: z.number(), url: z.string(), state: z.enum(["open", "merged", "closed"]), draft: z.boolean() })
      .nullable(),
    title: z.string().nullable(),
    summary: z.string().nullable(),
    dryRun: z.boolean().openapi({ description: "The job publishes nothing." }),
    plan: z
      .object({
        added: z.number().int().min(0),
        modified: z.number().int().min(0),
        removed: z.number().int().min(0),
        paths: z.array(z.string()).openapi({ description: "The files, at most 200 of them." }),
      })
      .nullable()
      .openapi({ description: "What a dry run would have published; null of other jobs and before its end." }),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
    usage: z.object({
      steps: z.number(),
      inputTokens: z.number(),
      cachedInputTokens: z
        .number()
        .openapi({ description: "Of `inputTokens`, what the provider read from its cache." }),
      outputTokens: z.number(),
      costUsd: z.number().openapi({ description: "0 where no price is set." }),
    }),
    phase: z.enum(["queued", "preparing", "running", "validating", "publishing", "idle"]),
    previewLink: z.string().nullable().openapi({
      description: "Opens the preview for whoever has it, until the pull request is merged or closed.",
    }),
  })
  .openapi("AgentJob");
export type AgentJobBody = z.infer<typeof AgentJobBody>;

const count = z.number().int().min(0);
export const CountsBody = z.object({ human: count, ai: count, total: count }).openapi("VisitorTotals");
const PageCounts = CountsBody.extend({ path: z.string() }).openapi("PageVisitors");
export const VisitorsBody = z
  .object({ totals: CountsBody, visitors: z.array(PageCounts), hasMore: z.boolean() })
  .openapi("Visitors");
export const ViewsBody = z
  .object({ totals: CountsBody, views: z.array(PageCounts), hasMore: z.boolean() })
  .openapi("Views");

export const SearchesBody = z
  .object({
    searches: z.array(
      z.object({
        searchQuery: z.string(),
        hits: z.number().int().openapi({ description: "How often it was searched for." }),
        ctr: z.number().openapi({ description: "Share of these searches that led to a page, 0 to 1." }),
        topClickedPage: z.string().nullable(),
        lastSearchedAt: z.string().openapi({ format: "date-time" }),
      }),
    ),
    totalSearches: z
      .number()
      .int()
      .openapi({ description: "All searches of the range, those whose words are not kept among them." }),
    nextCursor: NextCursor,
  })
  .openapi("Searches");

const dateParameter = (name: string, description: string) =>
  z
    .string()
    .optional()
    .openapi({ param: { name, in: "query" }, description, example: "2026-11-20" });

/** Described here for the document; read by the analytics domain, which knows repeated from missing. */
export const RangeQuery = z.object({
  dateFrom: dateParameter("dateFrom", "First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date."),
  dateTo: dateParameter("dateTo", "Day after the last one: results include dates before it, not on it."),
  limit: z
    .string()
    .optional()
    .openapi({ param: { name: "limit", in: "query" }, description: "1 to 250, default 50." }),
  offset: z
    .string()
    .optional()
    .openapi({ param: { name: "offset", in: "query" }, description: "Rows to skip, default 0." }),
});

export const SearchesQuery = z.object({
  dateFrom: RangeQuery.shape.dateFrom,
  dateTo: RangeQuery.shape.dateTo,
  limit: numberParameter("limit", { min: 1, max: 100, fallback: 50, description: "Queries per page." }),
  cursor: CursorParameter,
});
