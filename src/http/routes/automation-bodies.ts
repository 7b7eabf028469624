import { z } from "@hono/zod-openapi";
import { Line, Prompt } from "#http/schemas.ts";

export const TriggerBody = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({
        kind: z.literal("schedule"),
        cron: Line(100).openapi({ description: "Minute, hour, day, month, weekday.", example: "0 6 * * 1" }),
        timeZone: Line(64).default("UTC").openapi({ example: "Europe/Berlin" }),
      }),
      z.strictObject({
        kind: z.literal("push"),
        branch: Line(200).optional().openapi({ description: "Default: the project's." }),
      }),
      z.strictObject({
        kind: z.enum(["source_push", "source_merge"]),
        source: Line(40).openapi({ description: "Name of a source of the project.", example: "api" }),
      }),
      z.strictObject({ kind: z.literal("api") }),
    ],
    "must have the kind schedule, push, source_push, source_merge or api",
  )
  .openapi("AutomationTrigger");
const fields = {
  name: Line(100),
  prompt: Prompt,
  trigger: TriggerBody,
  ref: Line(200).nullable().openapi({ description: "Branch to start from; null for the project's." }),
  model: Line(200).nullable().openapi({ description: "Null for the project's." }),
  draft: z.boolean(),
  enabled: z.boolean(),
};
export const NewAutomationBody = z
  .strictObject({
    ...fields,
    ref: fields.ref.default(null),
    model: fields.model.default(null),
    draft: fields.draft.default(false),
    enabled: fields.enabled.default(true),
  })
  .openapi("NewAutomation");
export const AutomationChangesBody = z.strictObject(fields).partial().openapi("AutomationChanges");

const timestamp = z.string().openapi({ format: "date-time" });
export const AutomationBody = z
  .object({
    id: z.string(),
    name: z.string(),
    prompt: z.string(),
    trigger: z.union([
      z.object({ kind: z.literal("schedule"), cron: z.string(), timeZone: z.string() }),
      z.object({ kind: z.literal("push"), branch: z.string() }),
      z.object({ kind: z.enum(["source_push", "source_merge"]), source: z.string() }),
      z.object({ kind: z.literal("api") }),
    ]),
    ref: z.string().nullable(),
    model: z.string().nullable(),
    draft: z.boolean(),
    enabled: z.boolean(),
    runs: z.number(),
    nextRunAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Automation");
export const RunBody = z
  .object({
    number: z.number(),
    startedBy: z.enum(["schedule", "push", "api", "source_push", "source_merge"]),
    startedAt: timestamp,
    jobId: z.string().nullable(),
    messageSeq: z.number().nullable().openapi({ description: "1 made the job; a later one appended to it." }),
    note: z.string().nullable().openapi({ description: "Why there is no job." }),
  })
  .openapi("AutomationRun");
