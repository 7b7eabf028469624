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
  description: "The instruction for the agent: not blank, without NUL characters.",
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
    ref: BranchName(200)
      .optional()
      .openapi({ description: "Branch to start from and to open the pull request against." }),
    model: QualifiedModel.optional(),
    draft: z.boolean().optional().openapi({ description: "Open the pull request as a draft." }),
    dryRun: z.boolean().optional().openapi({
      description:
        "Work out what would change and tell it in `summary` and `plan`, and publish nothing: no branch, no pull request.",
    }),
    effort: JobEffort.optional().openapi({
      description: "How long the model thinks. Models without such a setting ignore it.",
    }),
    attachments: Attachments.optional(),
    title: Line(MAX_TITLE_CHARACTERS).optional().openapi({ description: "Title of the job and its pull request." }),
  })
  .refine(needsInstruction.holds, needsInstruction.rule)
  .openapi("NewAgentJob", { description: "`prompt` is required, unless there are `chores`." });

export const MessageBody = z
  .object({
    prompt: Prompt.optional(),
    chores: JobChores.optional(),
    effort: JobEffort.optional().openapi({
      description: "How long the model thinks from this message on; as before when left out.",
    }),
    attachments: Attachments.optional(),
  })
  .refine(needsInstruction.holds, needsInstruction.rule)
  .openapi("AgentMessage", { description: "`prompt` is required, unless there are `chores`." });

export const CancelBody = z
  .strictObject({
    keepWork: z.boolean().optional().openapi({ description: "Publish what the agent has made, as a draft." }),
  })
  .openapi("CancelAgentJob");

const FAIL_CODES = Object.keys(FAILURE_HINTS) as [FailCode, ...FailCode[]];

const SuggestionBody = z
  .object({
    chore: z.record(z.string(), z.record(z.string(), z.unknown())).openapi({
      description: "The chore with its inputs. Send it in `chores` of a follow-up.",
      example: { fix_links: {} },
    }),
    title: z.string().openapi({ description: "The chore as an instruction.", example: "Fix broken links" }),
    files: amount.openapi({ description: "Files that it would change." }),
    places: amount.openapi({ description: "Lines that it would change." }),
  })
  .openapi("ChoreSuggestion", { description: "A chore that would change something." });

export const JobErrorBody = z
  .object({
    code: z.enum(FAIL_CODES).openapi({ description: "Why it failed; branch on this." }),
    message: z.string().openapi({ description: "What happened, for a person." }),
    hint: z.string().openapi({ description: "What to do about it." }),
    outage: z.literal(true).exactOptional().openapi({
      description: "The model's provider or the code host was away, and the same may work later. Absent otherwise.",
    }),
    suggestions: z.array(SuggestionBody).max(3).exactOptional().openapi({
      description:
        "With `not_understood`, when the job has no language model: chores nearest to the instruction that would change something, tried on the docs. Absent otherwise.",
    }),
  })
  // zod-to-openapi 9 marks `exactOptional` fields as required.
  .openapi("AgentJobError", { description: "Why a job failed.", required: ["code", "message", "hint"] });

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
        "`active`: the agent works on it; `completed`: every message was handled; `failed`: see `error`; `archived`: put away.",
    }),
    source: z
      .object({
        repository: z.string().openapi({ description: "Address of the repository." }),
        ref: z.string().nullable().openapi({ description: "Branch that the agent works on; null until it has one." }),
      })
      .openapi({ description: "Where the job works." }),
    model: z
      .string()
      .openapi({ description: "The model that it uses, provider-qualified.", example: "docent/builtin-rules" }),
    prLink: link.nullable().openapi({
      description:
        "Null while the job is active and when no file was changed; of a failed job the draft with what it had done. Opens for who is signed in to the project.",
    }),
    createdAt: timestamp.openapi({ description: "When it was created." }),
    archivedAt: timestamp.nullable().openapi({ description: "When it was archived; null of a job that is not." }),
    transcriptDeletedAt: timestamp.nullable().openapi({
      description:
        "When the server deleted its instructions and transcript, as it keeps those of archived jobs for a time only; null of a job that has them. Such a job cannot be unarchived.",
    }),
    pullRequest: z
      .object({
        number: z.number().int().min(1).openapi({ description: "Its number in the repository." }),
        url: link.openapi({ description: "Its page." }),
        state: z.enum(["open", "merged", "closed"]).openapi({ description: "How it stands." }),
        draft: z.boolean().openapi({ description: "Whether it is a draft." }),
      })
      .nullable()
      .openapi({ description: "The job's pull request, while it is active, too; null when it has none." }),
    title: z
      .string()
      .nullable()
      .openapi({ description: "Title of the job and its pull request; null until it has one." }),
    summary: z.string().nullable().openapi({ description: "What the agent says that it did; null until it has." }),
    changed: z.boolean().openapi({
      description:
        "Whether the last message changed a file; of a dry run, whether it would. False while it is being handled.",
    }),
    dryRun: z.boolean().openapi({ description: "The job publishes nothing." }),
    effort: orNull(z.enum(COMMON_EFFORTS)).openapi({
      description:
        "How long the model thinks, as the job or a message asked last; null: as the project or the model's settings say.",
    }),
    plan: z
      .object({
        added: amount.openapi({ description: "New files." }),
        modified: amount.openapi({ description: "Changed files." }),
        removed: amount.openapi({ description: "Files that would be gone." }),
        paths: z.array(z.string()).max(200).openapi({ description: "The files, at most 200 of them." }),
      })
      .nullable()
      .openapi({ description: "What a dry run would have published; null of other jobs and before its end." }),
    error: orNull(JobErrorBody).openapi({ description: "Why the job failed; null of one that did not." }),
    lastMessage: z
      .object({
        seq: z.number().int().min(1).openapi({ description: "1 made the job; later ones are follow-ups." }),
        error: orNull(JobErrorBody).openapi({
          description:
            "Why it was not carried out; null when it was, and while it waits. A refused follow-up leaves the job `completed`.",
        }),
        question: z.string().nullable().openapi({
          description: "What the agent asks before it can go on; null when it asks nothing. Answer with a follow-up.",
        }),
      })
      .openapi({ description: "The message that was sent last." }),
    usage: z
      .object({
        steps: amount.openapi({ description: "Answers of the model." }),
        inputTokens: tokens("What the model read."),
        cachedInputTokens: tokens("Of `inputTokens`, what the provider read from its cache."),
        outputTokens: tokens("What the model wrote."),
        costUsd: z.number().min(0).openapi({ description: "In US dollars; 0 where no price is set." }),
      })
      .openapi({ description: "What all turns of the job have used." }),
    phase: JobPhaseBody.openapi({ description: "What is done for it just now; `idle` of a job that is not active." }),
    waitingFor: z
      .object({
        provider: z.string().openapi({ description: "Name of the model provider that does not answer." }),
        reason: z.string().openapi({ description: "What it answered last." }),
        since: timestamp.openapi({ description: "When it failed first." }),
        retryAt: timestamp.openapi({ description: "When it is asked again." }),
      })
      .nullable()
      .openapi({ description: "What the job waits for in the phase `waiting`; null in every other phase." }),
    previewLink: link.nullable().openapi({
      description: "Opens the preview for whoever has it, until the pull request is merged or closed.",
    }),
  })
  .openapi("AgentJob", { description: "A job of the agent, as it is now." });

export type AgentJobBody = z.infer<typeof AgentJobBody>;
