import { z } from "zod";
import { CHORE_FACTS } from "#agent/toolbox/tools.ts";
import { jsonSchemaOfChore } from "#agent/toolbox/chore-calls.ts";
import { MAX_PROMPT_CHARACTERS, MAX_TITLE_CHARACTERS } from "#features/jobs/job-limits.ts";
import { COMMON_EFFORTS } from "#models/settings.ts";

export const MAX_WAIT_SECONDS = 50;

const job = z
  .string()
  .max(100)
  .regex(/^job_[0-9a-z]+$/, "must be the id of a job, job_…") // used in a path
  .describe("Id of the job, job_….");
/** Counts code points, as JSON Schema does, not UTF-16 units. */
const prompt = (description: string) => z.string().min(1).meta({ maxLength: MAX_PROMPT_CHARACTERS, description });
/** Chores are validated by the API, which reports what is wrong. */
const chores = (description: string) =>
  z.array(z.record(z.string(), z.unknown())).meta({ description, items: { oneOf: CHORES } });
const CHORES = CHORE_FACTS.map(({ name, description }) => ({
  type: "object" as const,
  description,
  properties: { [name]: jsonSchemaOfChore(name) },
  required: [name],
  additionalProperties: false,
}));
const patch = z
  .string()
  .min(1)
  .max(200_000)
  .describe("A unified patch of text files, as `git diff` prints it, made from the branch.");
const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]+$/)
  .optional()
  .describe("Say the same one when you try again after a failure: the job is created once.");
const effort = (description: string) => z.enum(COMMON_EFFORTS).optional().describe(description);
const Day = z.string().max(40).optional();
/** Inputs of the tools. */
export const inputs = {
  create: z.object({
    prompt: prompt("What to change in the documentation, in plain words.").optional(),
    chores: chores(
      "Chores to carry out without a model. The prompt is optional with them, and not carried out.",
    ).optional(),
    ref: z.string().max(200).optional().describe("Branch to start from; the project's by default."),
    model: z.string().max(200).optional().describe("Model to use, provider/name; the project's by default."),
    effort: effort("How long the model thinks; as the project or the model's settings say by default."),
    title: z.string().meta({ maxLength: MAX_TITLE_CHARACTERS, description: "Title of the pull request." }).optional(),
    draft: z.boolean().optional().describe("Open the pull request as a draft."),
    dryRun: z.boolean().optional().describe("Tell what would change, and publish nothing."),
    idempotencyKey,
  }),
  message: z.object({
    job,
    prompt: prompt("What should be different.").optional(),
    chores: chores("Chores to carry out without a model. The prompt is optional with them.").optional(),
    effort: effort("How long the model thinks from this message on; as before by default."),
  }),
  tryChores: z.object({
    chores: chores("What to try."),
    ref: z.string().max(200).optional().describe("Branch to try them on; the project's by default."),
  }),
  checkPatch: z.object({
    patch,
    ref: z.string().max(200).optional().describe("Branch that the patch was made from; the project's by default."),
  }),
  openPullRequest: z.object({
    patch,
    title: z.string().min(1).meta({ maxLength: MAX_TITLE_CHARACTERS, description: "Title of the pull request." }),
    description: prompt("What the change is for, for reviewers.").optional(),
    ref: z.string().max(200).optional().describe("Branch that the patch was made from; the project's by default."),
    draft: z.boolean().optional().describe("Open the pull request as a draft."),
    idempotencyKey,
  }),
  job: z.object({ job }),
  wait: z.object({
    job,
    seconds: z.int().min(1).max(MAX_WAIT_SECONDS).default(30).describe("How long to wait for its end at most."),
  }),
  transcript: z.object({
    job,
    after: z.int().min(0).max(999_999_999).default(0).describe("Only events after this `seq`."),
    limit: z.int().min(1).max(500).default(100).describe("How many events at most."),
  }),
  list: z.object({ limit: z.int().min(1).max(50).default(10).describe("How many jobs at most, the newest first.") }),
  diff: z.object({
    job,
    offset: z.int().min(0).max(20_000_000).default(0).describe("Offset at which to continue in a long patch."),
  }),
  merge: z.object({
    job,
    head: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .describe("The commit that get_diff showed: nothing else is merged."),
  }),
  visitors: z.object({
    from: Day.describe("First day, YYYY-MM-DD."),
    to: Day.describe("Day after the last one, YYYY-MM-DD."),
    limit: z.int().min(1).max(250).default(20).describe("How many pages at most, the most visited first."),
  }),
  search: z.object({
    query: z.string().min(1).max(200).describe("Words to look for."),
    limit: z.int().min(1).max(20).default(8).describe("How many sections at most."),
  }),
};
