import { COMMON_EFFORTS } from "#models/settings.ts";
import { z } from "@hono/zod-openapi";
import { amount, BranchName, id, Line, orNull, paramsOf, QualifiedModel, ruled, timestamp } from "#kit/http/schemas.ts";
import { Attachments } from "./attachment-bodies.ts";
import { JobChores } from "./chore-schemas.ts";
import { FAILURE_HINTS, type FailCode, JOB_PHASES, JOB_STATUSES } from "#features/jobs/job.ts";
import { MAX_PROMPT_CHARACTERS, MAX_TITLE_CHARACTERS, PROMPT_RULES } from "#features/jobs/job-limits.ts";

export const Prompt = ruled(
  z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") }),
  PROMPT_RULES,
).openapi({
  description: "Instruction for the agent. Must not be blank or contain NUL characters.",
  minLength: 1,
  maxLength: MAX_PROMPT_CHARACTERS,
  pattern: "\\S",
  example: 'Replace "Harbor Cloud" with "Harbor Platform".',
});

const JOB_ID_EXAMPLE = "job_01m7xw1rmqe81aae0b2w42vdp0";

export const JobParams = paramsOf("the agent job", JOB_ID_EXAMPLE);

export const jobId = id("the agent job", JOB_ID_EXAMPLE);

const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** A job or a message has a prompt, chores, or both. */
const needsInstruction = {
  holds: ({ prompt, chores }: { prompt?: string | undefined; chores?: unknown }) =>
    prompt !== undefined || chores !== undefined,
  // Reported together with the other problems.
  rule: { path: ["prompt"], error: "is required", when: ({ value }: { value: unknown }) => isObject(value) },
};

export const JobEffort = z.enum(COMMON_EFFORTS, `must be ${COMMON_EFFORTS.join(", ")}`);

export const NewJobBody = z
  .object({
    prompt: Prompt.optional(),
    chores: JobChores.optional(),
    ref: BranchName(200).optional().openapi({
      description: "Branch to start from and to open the pull request against. The project's branch if omitted.",
    }),
    model: QualifiedModel.optional(),
    draft: z.boolean().optional().openapi({ description: "Whether to open the pull request as a draft." }),
    dryRun: z.boolean().optional().openapi({
      description:
        "Whether to only determine what would change. The job reports the changes in `summary` and `plan` and publishes nothing: no branch, no pull request.",
    }),
    effort: JobEffort.optional().openapi({
      description: "Reasoning effort: how long the model thinks. Models without such a setting ignore it.",
    }),
    attachments: Attachments.optional(),
    title: Line(MAX_TITLE_CHARACTERS).optional().openapi({ description: "Title of the job and its pull request." }),
  })
  .refine(needsInstruction.holds, needsInstruction.rule)
  .openapi("NewAgentJob", { description: "`prompt` is required unless `chores` is given." });

export const MessageBody = z
  .object({
    prompt: Prompt.optional(),
    chores: JobChores.optional(),
    effort: JobEffort.optional().openapi({
      description: "Reasoning effort from this message on: how long the model thinks. Unchanged if omitted.",
    }),
    attachments: Attachments.optional(),
  })
  .refine(needsInstruction.holds, needsInstruction.rule)
  .openapi("AgentMessage", { description: "`prompt` is required unless `chores` is given." });

export const CancelBody = z
  .strictObject({
    keepWork: z.boolean().optional().openapi({ description: "Whether to publish the agent's work as a draft." }),
  })
  .openapi("CancelAgentJob");

const FAIL_CODES = Object.keys(FAILURE_HINTS) as [FailCode, ...FailCode[]];

const SuggestionBody = z
  .object({
    chore: z.record(z.string(), z.record(z.string(), z.unknown())).openapi({
      description: "Chore with its inputs. Send it in `chores` of a follow-up message.",
      example: { fix_links: {} },
    }),
    title: z.string().openapi({ description: "Chore as an instruction in words.", example: "Fix broken links" }),
    files: amount.openapi({ description: "Number of files that the chore would change." }),
    places: amount.openapi({ description: "Number of lines that the chore would change." }),
  })
  .openapi("ChoreSuggestion", { description: "Chore that would change something." });

export const JobErrorBody = z
  .object({
    code: z
      .enum(FAIL_CODES)
      .openapi({ description: "Machine-readable reason for the failure. Use this field in program logic." }),
    message: z.string().openapi({ description: "Human-readable description of the failure." }),
    hint: z.string().openapi({ description: "Advice on what to do about the failure." }),
    outage: z.literal(true).exactOptional().openapi({
      description:
        "`true` if the model's provider or the code host was unavailable and a retry may succeed later. Omitted otherwise.",
    }),
    suggestions: z.array(SuggestionBody).max(3).exactOptional().openapi({
      description:
        "Chores closest to the instruction that would change something, as tried on the docs. Only with the code `not_understood`, if the job has no language model. Omitted otherwise.",
    }),
  })
  // zod-to-openapi 9 marks `exactOptional` fields as required.
  .openapi("AgentJobError", { description: "Reason why a job failed.", required: ["code", "message", "hint"] });

export const JobStatusBody = z.enum(
  JOB_STATUSES,
  `must be ${JOB_STATUSES.slice(0, -1).join(", ")} or ${JOB_STATUSES.at(-1)}`,
);

export const JobPhaseBody = z.enum(JOB_PHASES);

const tokens = (description: string) => amount.openapi({ description });

const link = z.string().openapi({ format: "uri" });

export const AgentJobBody = z
  .object({
    id: jobId,
    status: JobStatusBody.openapi({
      description:
        "Status of the job. `active`: the agent is working on the job; `completed`: every message was handled; `failed`: the job failed, see `error`; `archived`: the job was archived.",
    }),
    source: z
      .object({
        repository: z.string().openapi({ description: "URL of the repository." }),
        ref: z
          .string()
          .nullable()
          .openapi({ description: "Branch that the agent works on. `null` if the job has no branch yet." }),
      })
      .openapi({ description: "Repository and branch that the job works on." }),
    model: z.string().openapi({
      description: "Provider-qualified name of the model that the job uses.",
      example: "docent/builtin-rules",
    }),
    prLink: link.nullable().openapi({
      description:
        "Link to the pull request, which opens for anyone who is signed in to the project. For a failed job, the draft with the work done so far. `null` while the job is active and if no file was changed.",
    }),
    createdAt: timestamp.openapi({ description: "Date and time when the job was created." }),
    archivedAt: timestamp
      .nullable()
      .openapi({ description: "Date and time when the job was archived. `null` if the job is not archived." }),
    transcriptDeletedAt: timestamp.nullable().openapi({
      description:
        "Date and time when the server deleted the job's instructions and transcript, which it keeps for a limited time after a job is archived. Such a job cannot be unarchived. `null` if they have not been deleted.",
    }),
    pullRequest: z
      .object({
        number: z.number().int().min(1).openapi({ description: "Number of the pull request in the repository." }),
        url: link.openapi({ description: "URL of the pull request." }),
        state: z.enum(["open", "merged", "closed"]).openapi({ description: "State of the pull request." }),
        draft: z.boolean().openapi({ description: "Whether the pull request is a draft." }),
      })
      .nullable()
      .openapi({
        description:
          "Pull request of the job, which is also present while the job is active. `null` if the job has none.",
      }),
    title: z
      .string()
      .nullable()
      .openapi({ description: "Title of the job and its pull request. `null` if the job has no title yet." }),
    summary: z
      .string()
      .nullable()
      .openapi({ description: "Agent's summary of its work. `null` until the agent has completed a turn." }),
    changed: z.boolean().openapi({
      description:
        "Whether the last message changed a file or, for a dry run, would change one. `false` while the message is being handled.",
    }),
    dryRun: z.boolean().openapi({ description: "Whether the job is a dry run, which publishes nothing." }),
    effort: orNull(z.enum(COMMON_EFFORTS)).openapi({
      description:
        "Reasoning effort: how long the model thinks, as last set by the job or a message. `null` if the settings of the project or the model apply.",
    }),
    plan: z
      .object({
        added: amount.openapi({ description: "Number of new files." }),
        modified: amount.openapi({ description: "Number of changed files." }),
        removed: amount.openapi({ description: "Number of removed files." }),
        paths: z.array(z.string()).max(200).openapi({ description: "Paths of the files, at most 200." }),
      })
      .nullable()
      .openapi({
        description:
          "Changes that a dry run would have published. `null` until the dry run has ended and for other jobs.",
      }),
    error: orNull(JobErrorBody).openapi({ description: "Reason why the job failed. `null` if the job did not fail." }),
    lastMessage: z
      .object({
        seq: z
          .number()
          .int()
          .min(1)
          .openapi({ description: "Number of the message: `1` created the job, and later messages are follow-ups." }),
        error: orNull(JobErrorBody).openapi({
          description:
            "Reason why the message was not carried out. `null` if it was carried out or is still waiting. A job whose follow-up message is refused stays `completed`.",
        }),
        question: z.string().nullable().openapi({
          description:
            "Question that the agent needs answered before it can continue. Answer it with a follow-up message. `null` if the agent asks nothing.",
        }),
      })
      .openapi({ description: "Last message sent to the job." }),
    usage: z
      .object({
        steps: amount.openapi({ description: "Number of responses from the model." }),
        inputTokens: tokens("Number of tokens that the model read."),
        cachedInputTokens: tokens("Number of tokens in `inputTokens` that the provider read from its cache."),
        outputTokens: tokens("Number of tokens that the model wrote."),
        costUsd: z.number().min(0).openapi({ description: "Cost in US dollars. `0` if no price is set." }),
      })
      .openapi({ description: "Usage of all turns of the job." }),
    phase: JobPhaseBody.openapi({ description: "Current phase of the job. `idle` if the job is not active." }),
    waitingFor: z
      .object({
        provider: z.string().openapi({ description: "Name of the model provider that is not responding." }),
        reason: z.string().openapi({ description: "Last error from the provider." }),
        since: timestamp.openapi({ description: "Date and time of the first failure." }),
        retryAt: timestamp.openapi({ description: "Date and time of the next retry." }),
      })
      .nullable()
      .openapi({
        description: "Model provider that the job waits for in the phase `waiting`. `null` in every other phase.",
      }),
    notice: z.string().nullable().openapi({
      description:
        "Why an active job makes no progress although nothing is wrong with it, for people: no worker is running. `null` otherwise.",
    }),
    previewLink: link.nullable().openapi({
      description:
        "Link that opens the preview for anyone who has it, until the pull request is merged or closed. `null` if there is no preview.",
    }),
  })
  .openapi("AgentJob", { description: "Current state of an agent job." });

export type AgentJobBody = z.infer<typeof AgentJobBody>;
