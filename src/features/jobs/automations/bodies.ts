import { z } from "@hono/zod-openapi";
import { amount, BranchName, id, Line, orNull, QualifiedModel, paramsOf, timestamp } from "#kit/http/schemas.ts";
import { JobEffort, jobId, Prompt } from "#features/jobs/http/schemas.ts";

const ID_EXAMPLE = "aut_01m7xv5hckfkpv35y27gys8bbd";
export const AutomationParams = paramsOf("the automation", ID_EXAMPLE);

const kind = <Kind extends string>(value: Kind, description: string) => z.literal(value).openapi({ description });
const ofSource = z.enum(["source_push", "source_merge"]).openapi({
  description:
    "Starts the automation when a source receives new commits (`source_push`) or a pull request of a source is merged (`source_merge`).",
});
const CRON = {
  description: "Cron expression: minute, hour, day, month and weekday.",
  pattern: "^\\S+(?:\\s+\\S+){4}$",
  example: "0 6 * * 1",
};
const TIME_ZONE = { description: "Time zone of the hours and days in `cron`.", example: "Europe/Berlin" };
const SOURCE = { description: "Name of a source of the project.", example: "api" };
const bySchedule = kind("schedule", "Starts the automation at the times in `cron`.");
const byPush = kind("push", "Starts the automation after a push to a branch of the repository.");
const byApi = kind("api", "Starts the automation only on request.");

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
        branch: BranchName(200)
          .optional()
          .openapi({ description: "Name of the branch. The project's branch if omitted." }),
      }),
      z.strictObject({ kind: ofSource, source: Line(40).openapi(SOURCE) }),
      z.strictObject({ kind: byApi }),
    ],
    "must have the kind schedule, push, source_push, source_merge or api",
  )
  .openapi("AutomationTrigger", { description: "Trigger that starts the automation." });

const EFFORT = "Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply.";

const fields = {
  name: Line(100).openapi({ description: "Name of the automation." }),
  prompt: Prompt,
  trigger: TriggerBody,
  ref: BranchName(200).nullable().openapi({ description: "Branch to start from. `null` for the project's branch." }),
  model: QualifiedModel.nullable().openapi({
    description: "Provider-qualified name of the model. `null` for the project's model.",
  }),
  effort: orNull(JobEffort).openapi({ description: EFFORT }),
  draft: z.boolean().openapi({ description: "Whether to open pull requests as drafts." }),
  enabled: z.boolean().openapi({ description: "Whether the trigger starts the automation." }),
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
    name: z.string().openapi({ description: "Name of the automation." }),
    prompt: z.string().openapi({ description: "Instruction for the agent." }),
    trigger: z
      .union([
        z.object({
          kind: bySchedule,
          cron: z.string().openapi(CRON),
          timeZone: z.string().openapi(TIME_ZONE),
        }),
        z.object({ kind: byPush, branch: z.string().openapi({ description: "Name of the branch." }) }),
        z.object({ kind: ofSource, source: z.string().openapi(SOURCE) }),
        z.object({ kind: byApi }),
      ])
      .openapi({ description: "Trigger that starts the automation." }),
    ref: z.string().nullable().openapi({ description: "Branch to start from. `null` for the project's branch." }),
    model: z
      .string()
      .nullable()
      .openapi({ description: "Provider-qualified name of the model. `null` for the project's model." }),
    effort: orNull(JobEffort).openapi({ description: EFFORT }),
    draft: z.boolean().openapi({ description: "Whether pull requests are opened as drafts." }),
    enabled: z.boolean().openapi({ description: "Whether the trigger starts the automation." }),
    runs: amount.openapi({ description: "Number of runs so far." }),
    nextRunAt: timestamp
      .nullable()
      .openapi({ description: "Date and time of the next run. `null` if no run is scheduled." }),
    createdAt: timestamp.openapi({ description: "Date and time when the automation was created." }),
    updatedAt: timestamp.openapi({ description: "Date and time when the automation was last changed." }),
  })
  .openapi("Automation");

export const RunBody = z
  .object({
    number: z.number().int().min(1).openapi({ description: "Number of the run, counted from 1 in each automation." }),
    startedBy: z
      .enum(["schedule", "push", "api", "source_push", "source_merge"])
      .openapi({ description: "What started the run." }),
    startedAt: timestamp.openapi({ description: "Date and time when the run started." }),
    jobId: jobId
      .nullable()
      .openapi({ description: "Identifier of the job that carries out the run. `null` if the run has no job." }),
    messageSeq: z.number().int().min(1).nullable().openapi({
      description:
        "Number of the run's message in the job: `1` if the run created the job, a higher number if it added to the job. `null` if there is no job.",
    }),
    note: z.string().nullable().openapi({ description: "Reason why the run has no job. `null` if it has one." }),
    retries: amount.openapi({ description: "Number of retries after an outage." }),
    retriedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time of the last retry. `null` if there was none." }),
  })
  .openapi("AutomationRun");
