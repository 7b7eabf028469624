import { z } from "@hono/zod-openapi";
import { amount, BranchName, id, Line, orNull, QualifiedModel, paramsOf, timestamp } from "#kit/http/schemas.ts";
import { JobEffort, jobId, Prompt } from "#features/jobs/http/schemas.ts";

const ID_EXAMPLE = "aut_01m7xv5hckfkpv35y27gys8bbd";
export const AutomationParams = paramsOf("the automation", ID_EXAMPLE);

const kind = <Kind extends string>(value: Kind, description: string) => z.literal(value).openapi({ description });
const ofSource = z
  .enum(["source_push", "source_merge"])
  .openapi({ description: "Starts when a source is pushed to, or a pull request of it is merged." });
const CRON = {
  description: "Minute, hour, day, month, weekday.",
  pattern: "^\\S+(?:\\s+\\S+){4}$",
  example: "0 6 * * 1",
};
const TIME_ZONE = { description: "Of the hours and days in `cron`.", example: "Europe/Berlin" };
const SOURCE = { description: "Name of a source of the project.", example: "api" };
const bySchedule = kind("schedule", "Starts at the times that `cron` names.");
const byPush = kind("push", "Starts when a branch of the repository is pushed to.");
const byApi = kind("api", "Starts when it is asked for.");

export const TriggerBody = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({
        kind: bySchedule,
        cron: Line(100).openapi(CRON),
        timeZone: Line(64).default("UTC").openapi(TIME_ZONE),
      }),
      z.strictObject({
        kind: byPush,
        branch: BranchName(200).optional().openapi({ description: "Default: the project's." }),
      }),
      z.strictObject({ kind: ofSource, source: Line(40).openapi(SOURCE) }),
      z.strictObject({ kind: byApi }),
    ],
    "must have the kind schedule, push, source_push, source_merge or api",
  )
  .openapi("AutomationTrigger", { description: "What starts it." });

const EFFORT = "How long the model thinks; null: as the project or the model's settings say.";

const fields = {
  name: Line(100).openapi({ description: "What people call it." }),
  prompt: Prompt,
  trigger: TriggerBody,
  ref: BranchName(200).nullable().openapi({ description: "Branch to start from; null for the project's." }),
  model: QualifiedModel.nullable().openapi({ description: "Provider-qualified model; null for the project's." }),
  effort: orNull(JobEffort).openapi({ description: EFFORT }),
  draft: z.boolean().openapi({ description: "Open its pull requests as drafts." }),
  enabled: z.boolean().openapi({ description: "Whether its trigger starts it." }),
};
export const NewAutomationBody = z
  .strictObject({
    ...fields,
    ref: fields.ref.default(null),
    model: fields.model.default(null),
    effort: fields.effort.default(null),
    draft: fields.draft.default(false),
    enabled: fields.enabled.default(true),
  })
  .openapi("NewAutomation");
export const AutomationChangesBody = z.strictObject(fields).partial().openapi("AutomationChanges");

export const AutomationBody = z
  .object({
    id: id("the automation", ID_EXAMPLE),
    name: z.string().openapi({ description: "What people call it." }),
    prompt: z.string().openapi({ description: "The instruction for the agent." }),
    trigger: z
      .union([
        z.object({
          kind: bySchedule,
          cron: z.string().openapi(CRON),
          timeZone: z.string().openapi(TIME_ZONE),
        }),
        z.object({ kind: byPush, branch: z.string().openapi({ description: "The branch." }) }),
        z.object({ kind: ofSource, source: z.string().openapi(SOURCE) }),
        z.object({ kind: byApi }),
      ])
      .openapi({ description: "What starts it." }),
    ref: z.string().nullable().openapi({ description: "Branch to start from; null for the project's." }),
    model: z.string().nullable().openapi({ description: "Its model; null for the project's." }),
    effort: orNull(JobEffort).openapi({ description: EFFORT }),
    draft: z.boolean().openapi({ description: "Its pull requests open as drafts." }),
    enabled: z.boolean().openapi({ description: "Whether its trigger starts it." }),
    runs: amount.openapi({ description: "How often it has run." }),
    nextRunAt: timestamp.nullable().openapi({ description: "When its schedule starts it next; null without one." }),
    createdAt: timestamp.openapi({ description: "When it was made." }),
    updatedAt: timestamp.openapi({ description: "When it was changed last." }),
  })
  .openapi("Automation");

export const RunBody = z
  .object({
    number: z.number().int().min(1).openapi({ description: "Counts up from 1 in the automation." }),
    startedBy: z
      .enum(["schedule", "push", "api", "source_push", "source_merge"])
      .openapi({ description: "What started it." }),
    startedAt: timestamp.openapi({ description: "When it started." }),
    jobId: jobId.nullable().openapi({ description: "The job that carried it out; null where there is none." }),
    messageSeq: z
      .number()
      .int()
      .min(1)
      .nullable()
      .openapi({ description: "1 made the job; a later one appended to it." }),
    note: z.string().nullable().openapi({ description: "Why there is no job." }),
    retries: amount.openapi({ description: "How often it was sent again after an outage." }),
    retriedAt: timestamp.nullable().openapi({ description: "When it was sent again last; null for never." }),
  })
  .openapi("AutomationRun");
