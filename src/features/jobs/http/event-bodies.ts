import { z } from "@hono/zod-openapi";
import { amount, timestamp } from "#kit/http/schemas.ts";
import { JobErrorBody, JobPhaseBody } from "./schemas.ts";
import { PLAN_STATES } from "#tools/plan.ts";
import { IMAGE_TYPES } from "#features/jobs/attachments.ts";
import type { JobEventData } from "#features/jobs/events.ts";

const text = (description: string) => z.string().openapi({ description });
const texts = (description: string) => z.array(z.string()).openapi({ description });
const commit = text("ID of the commit.");
const number = z.number().int().min(1).openapi({ description: "Number of the pull request." });
const url = z.string().openapi({ format: "uri", description: "URL of the pull request." });
const nothing = z.object({});
const subtaskNumber = z.number().int().min(1);
const ofSubtask = {
  subtask: subtaskNumber.optional().openapi({
    description: "Number of the sub-task that the event belongs to. Omitted for the agent's own work.",
  }),
};
const subtask = subtaskNumber.openapi({ description: "Number of the sub-task within its `subtasks.started`." });
const title = text("Name that the agent gave the sub-task.");
const ofPullRequest = z.object({ number, url });
const ofCommittedPullRequest = ofPullRequest.extend({ commit });

/** Replaces fields that are too long to store: more than 32,768 characters of JSON. */
const LeftOut = z.object({ leftOut: text("Amount of data that was left out, in words.") });

/** The `data` of an event, by its type. Long texts end in `…`, and long lists are truncated. */
const EVENT_DATA = {
  "job.created": z.object({
    title: z.string().nullable().openapi({ description: "Title of the job. `null` if the job has no title." }),
    model: text("Provider-qualified name of the model that the job uses."),
    ref: text("Branch that the job starts from."),
  }),
  "job.phase": z.object({ phase: JobPhaseBody.openapi({ description: "Phase that the job enters." }) }),
  "message.received": z.object({
    seq: z
      .number()
      .int()
      .min(1)
      .openapi({ description: "Number of the message: `1` created the job, and later messages are follow-ups." }),
    prompt: text("Instruction for the agent. If the message has chores, their purpose in words."),
    by: z.string().optional().openapi({ description: "Person who sent the message. Omitted if a program sent it." }),
    chores: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .openapi({ description: "Chores of a message that is carried out without a model. Omitted for other messages." }),
    attachments: z
      .array(
        z.object({
          mediaType: z.enum(IMAGE_TYPES).openapi({ description: "Media type of the image." }),
          sizeBytes: amount.openapi({ description: "Size of the image in bytes." }),
        }),
      )
      .optional()
      .openapi({ description: "Images attached to the message. Omitted if there were none." }),
  }),
  "turn.started": z.object({
    messages: z.array(z.number().int()).openapi({ description: "Numbers of the messages that the turn handles." }),
    baseCommit: commit,
    branch: text("Branch that the turn works on."),
  }),
  message: z.object({
    role: z.literal("assistant").openapi({ description: "Author of the message." }),
    text: text("Text of the message."),
    ...ofSubtask,
  }),
  "tool.started": z.union([
    z.object({
      id: text("Identifier of the tool call, the same in `tool.finished`."),
      tool: text("Name of the tool."),
      input: z.unknown().optional().openapi({ description: "Input of the tool." }),
      ...ofSubtask,
    }),
    LeftOut,
  ]),
  "tool.finished": z.object({
    id: text("Identifier of the tool call, the same as in `tool.started`."),
    tool: text("Name of the tool."),
    ok: z.boolean().openapi({ description: "Whether the tool call succeeded." }),
    summary: text("Summary of the result."),
    reason: text("Reason why the tool call failed, as reported to the model. Omitted if it did not fail.").optional(),
    durationMs: z.number().min(0).openapi({ description: "Duration of the tool call in milliseconds." }),
    ...ofSubtask,
  }),
  "plan.updated": z.object({
    steps: z
      .array(
        z.object({
          text: text("Planned action."),
          state: z
            .enum(PLAN_STATES)
            .openapi({ description: "State of the step. `dropped`: the agent will not do it after all." }),
        }),
      )
      .openapi({ description: "All steps of the plan, in order." }),
  }),
  usage: z.object({
    inputTokens: amount.openapi({ description: "Number of tokens that the model read." }),
    cachedTokens: amount.openapi({
      description: "Number of tokens in `inputTokens` that the provider read from its cache.",
    }),
    cacheWriteTokens: amount.openapi({
      description: "Number of tokens in `inputTokens` that the provider wrote to its cache.",
    }),
    outputTokens: amount.openapi({ description: "Number of tokens that the model wrote." }),
    ...ofSubtask,
  }),
  notice: z.object({
    code: text("Kind of notice."),
    text: text("Human-readable text of the notice."),
    ...ofSubtask,
  }),
  "subtasks.started": z.union([
    z.object({
      subtasks: z
        .array(z.object({ subtask, title, files: texts("Files and folders that the sub-task may change.") }))
        .openapi({ description: "Sub-tasks that the agent started. They run side by side." }),
    }),
    LeftOut,
  ]),
  "subtask.finished": z.object({
    subtask,
    title,
    ok: z.boolean().openapi({ description: "Whether the sub-task was carried out." }),
    summary: text("Report of the sub-task, or why it was stopped."),
    changed: texts("Paths of the files that the sub-task changed."),
    steps: amount.openapi({ description: "Number of model steps of the sub-task." }),
    inputTokens: amount.openapi({ description: "Number of tokens that the model read." }),
    outputTokens: amount.openapi({ description: "Number of tokens that the model wrote." }),
    costUsd: z.number().min(0).openapi({
      description: "Cost of the sub-task in US dollars, part of the job's. `0` if the model has no prices.",
    }),
  }),
  "files.changed": z.union([
    z.object({
      added: texts("Paths of new files."),
      modified: texts("Paths of changed files."),
      removed: texts("Paths of removed files."),
      moved: z
        .array(z.object({ from: text("Path of the file in `removed`."), to: text("Path of the file in `added`.") }))
        .optional()
        .openapi({ description: "Pairs of paths in `removed` and `added` that are the same file." }),
    }),
    LeftOut,
  ]),
  validation: z.union([
    z.object({
      errors: z.array(z.unknown()).openapi({ description: "Findings that prevent the change from being published." }),
      warnings: z
        .array(z.unknown())
        .openapi({ description: "Findings that do not prevent the change from being published." }),
      newHosts: texts("Hosts that the change links to and the docs did not link to before."),
      totals: z
        .object({
          errors: amount.openapi({ description: "Number of errors." }),
          warnings: amount.openapi({ description: "Number of warnings." }),
          newHosts: amount.openapi({ description: "Number of new hosts." }),
        })
        .optional()
        .openapi({
          description:
            "Total numbers of entries, because the lists may contain fewer. Omitted in events of earlier versions.",
        }),
    }),
    LeftOut,
  ]),
  "commit.pushed": z.object({ commit, branch: text("Branch that the commit was pushed to.") }),
  "pull_request.opened": ofCommittedPullRequest,
  "pull_request.updated": ofCommittedPullRequest,
  "pull_request.merged": ofPullRequest,
  "pull_request.closed": ofPullRequest,
  "pull_request.reopened": ofPullRequest,
  "turn.finished": z.object({
    ok: z.boolean().openapi({ description: "Whether the turn succeeded." }),
    summary: text("Summary of the result."),
    files: z
      .array(z.object({ path: text("Path of the file."), why: text("What the agent changed in the file, and why.") }))
      .optional()
      .openapi({ description: "Agent's explanation of each changed file. Omitted if the agent gave no explanation." }),
    forLaterJobs: z.array(text("Rule in one sentence.")).optional().openapi({
      description: "Rules that the agent proposes for the project's instructions. Omitted if it proposes none.",
    }),
  }),
  "message.refused": z.object({
    seq: z.number().int().min(1).openapi({ description: "Number of the message that was not carried out." }),
    error: JobErrorBody,
  }),
  "job.completed": z.object({
    summary: z
      .string()
      .nullable()
      .openapi({ description: "Agent's summary of its work. `null` if the agent wrote no summary." }),
  }),
  "job.failed": z.object({ error: JobErrorBody }),
  "job.archived": nothing,
  "job.unarchived": nothing,
} satisfies Record<JobEventData["type"], z.ZodType>;

const nameOf = (type: string) => type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());

function eventOf([type, data]: [string, z.ZodType]) {
  return z
    .object({
      seq: z
        .number()
        .int()
        .min(1)
        .openapi({ description: "Sequence number of the event: 1, 2, 3 … without gaps within a job." }),
      turn: amount.openapi({ description: "Number of the message that the event belongs to." }),
      type: z.literal(type).openapi({ description: "Type of the event." }),
      data: data.openapi({ description: "Details of the event." }),
      createdAt: timestamp.openapi({ description: "Date and time of the event." }),
    })
    .openapi(`${nameOf(type)}Event`);
}

const [first, ...others] = Object.entries(EVENT_DATA).map(eventOf);

/** A line of a job's transcript. Rows have the fields of the version that wrote them. */
export const EventBody = z.discriminatedUnion("type", [first!, ...others]).openapi("AgentJobEvent", {
  description: "Event in the transcript of a job. New types may be added: ignore those that you do not know.",
});
