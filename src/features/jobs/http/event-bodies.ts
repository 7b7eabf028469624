import { z } from "@hono/zod-openapi";
import { amount, timestamp } from "#kit/http/schemas.ts";
import { JobErrorBody, JobPhaseBody } from "./schemas.ts";
import { PLAN_STATES } from "#tools/plan.ts";
import { IMAGE_TYPES } from "#features/jobs/attachments.ts";
import type { JobEventData } from "#features/jobs/events.ts";

const text = (description: string) => z.string().openapi({ description });
const texts = (description: string) => z.array(z.string()).openapi({ description });
const commit = text("Id of the commit.");
const number = z.number().int().min(1).openapi({ description: "Number of the pull request." });
const url = z.string().openapi({ format: "uri", description: "Page of the pull request." });
const nothing = z.object({});
const ofPullRequest = z.object({ number, url });
const ofCommittedPullRequest = ofPullRequest.extend({ commit });

/** Replaces fields that are too long to store: more than 32,768 characters of JSON. */
const LeftOut = z.object({ leftOut: text("How much was left out, in words.") });

/** The `data` of an event, by its type. Long texts end in `…`, and long lists are truncated. */
const EVENT_DATA = {
  "job.created": z.object({
    title: z.string().nullable().openapi({ description: "Title of the job; null without one." }),
    model: text("The model that it uses."),
    ref: text("Branch that it starts from."),
  }),
  "job.phase": z.object({ phase: JobPhaseBody.openapi({ description: "What is done for the job from now on." }) }),
  "message.received": z.object({
    seq: z.number().int().min(1).openapi({ description: "1 made the job; later ones are follow-ups." }),
    prompt: text("The instruction; what the chores are for, in words, where there are any."),
    by: z.string().optional().openapi({ description: "The person who sent it; absent for a program." }),
    chores: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .openapi({ description: "The chores of a message that is carried out without a model." }),
    attachments: z
      .array(
        z.object({
          mediaType: z.enum(IMAGE_TYPES).openapi({ description: "What it is." }),
          sizeBytes: amount.openapi({ description: "How large it is." }),
        }),
      )
      .optional()
      .openapi({ description: "Images that came with the message; absent where there were none." }),
  }),
  "turn.started": z.object({
    messages: z.array(z.number().int()).openapi({ description: "The messages that the turn is for." }),
    baseCommit: commit,
    branch: text("Branch that the turn works on."),
  }),
  message: z.object({
    role: z.literal("assistant").openapi({ description: "Who says it." }),
    text: text("What the agent says."),
  }),
  "tool.started": z.union([
    z.object({
      id: text("The same in `tool.finished`."),
      tool: text("Name of the tool."),
      input: z.unknown().optional().openapi({ description: "What the tool is given." }),
    }),
    LeftOut,
  ]),
  "tool.finished": z.object({
    id: text("The same as in `tool.started`."),
    tool: text("Name of the tool."),
    ok: z.boolean().openapi({ description: "Whether it did what it was asked." }),
    summary: text("What came of it."),
    reason: text("Why it failed, as the model was told; absent where it did not.").optional(),
    durationMs: z.number().min(0).openapi({ description: "How long it took, in milliseconds." }),
  }),
  "plan.updated": z.object({
    steps: z
      .array(
        z.object({
          text: text("What the agent plans to do."),
          state: z.enum(PLAN_STATES).openapi({ description: "`dropped`: it is not done after all." }),
        }),
      )
      .openapi({ description: "All steps of the plan, in order." }),
  }),
  usage: z.object({
    inputTokens: amount.openapi({ description: "What the model read." }),
    cachedTokens: amount.openapi({ description: "Of these, what the provider read from its cache." }),
    cacheWriteTokens: amount.openapi({ description: "Of these, what the provider wrote to its cache." }),
    outputTokens: amount.openapi({ description: "What the model wrote." }),
  }),
  notice: z.object({ code: text("What kind of notice it is."), text: text("What people should know.") }),
  "files.changed": z.union([
    z.object({
      added: texts("New files."),
      modified: texts("Changed files."),
      removed: texts("Removed files."),
      moved: z
        .array(z.object({ from: text("Its path in `removed`."), to: text("Its path in `added`.") }))
        .optional()
        .openapi({ description: "Of those added and removed, the ones that are the same file." }),
    }),
    LeftOut,
  ]),
  validation: z.union([
    z.object({
      errors: z.array(z.unknown()).openapi({ description: "Findings that keep the change from being published." }),
      warnings: z.array(z.unknown()).openapi({ description: "Findings that do not." }),
      newHosts: texts("Hosts that the change links to and that the docs did not link to before."),
      totals: z
        .object({
          errors: amount.openapi({ description: "All errors." }),
          warnings: amount.openapi({ description: "All warnings." }),
          newHosts: amount.openapi({ description: "All new hosts." }),
        })
        .optional()
        .openapi({
          description: "How many were found; the lists may hold fewer. Absent in events of earlier versions.",
        }),
    }),
    LeftOut,
  ]),
  "commit.pushed": z.object({ commit, branch: text("Branch that it was pushed to.") }),
  "pull_request.opened": ofCommittedPullRequest,
  "pull_request.updated": ofCommittedPullRequest,
  "pull_request.merged": ofPullRequest,
  "pull_request.closed": ofPullRequest,
  "pull_request.reopened": ofPullRequest,
  "turn.finished": z.object({
    ok: z.boolean().openapi({ description: "Whether the turn did what it was asked." }),
    summary: text("What came of it."),
    files: z
      .array(z.object({ path: text("Path of the file."), why: text("What was changed in it and why.") }))
      .optional()
      .openapi({ description: "What the agent says of each changed file; absent where it says nothing." }),
    forLaterJobs: z.array(text("A rule, in a sentence.")).optional().openapi({
      description: "Rules that the agent proposes for the project's instructions; absent where it proposes none.",
    }),
  }),
  "message.refused": z.object({
    seq: z.number().int().min(1).openapi({ description: "The message that was not carried out." }),
    error: JobErrorBody,
  }),
  "job.completed": z.object({ summary: z.string().nullable().openapi({ description: "What the agent did." }) }),
  "job.failed": z.object({ error: JobErrorBody }),
  "job.archived": nothing,
  "job.unarchived": nothing,
} satisfies Record<JobEventData["type"], z.ZodType>;

const nameOf = (type: string) => type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase());

function eventOf([type, data]: [string, z.ZodType]) {
  return z
    .object({
      seq: z.number().int().min(1).openapi({ description: "1, 2, 3 … without gaps, per job." }),
      turn: amount.openapi({ description: "Number of the message that it belongs to." }),
      type: z.literal(type).openapi({ description: "What happened." }),
      data: data.openapi({ description: "What there is to say of it." }),
      createdAt: timestamp.openapi({ description: "When it happened." }),
    })
    .openapi(`${nameOf(type)}Event`);
}

const [first, ...others] = Object.entries(EVENT_DATA).map(eventOf);

/** A line of a job's transcript. Rows have the fields of the version that wrote them. */
export const EventBody = z.discriminatedUnion("type", [first!, ...others]).openapi("AgentJobEvent", {
  description: "A line of the transcript. New types may come: ignore those that you do not know.",
});
