import type { JobId, ProjectId } from "#lib/ids.ts";
import { z } from "zod";
import type { ChoreEntry } from "#agent/toolbox/chore-calls.ts";
import type { ModelFailureCode } from "#models/failure.ts";
import type { CommonEffort } from "#models/settings.ts";

export const JOB_STATUSES = ["active", "completed", "archived", "failed"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_PHASES = ["queued", "preparing", "running", "waiting", "validating", "publishing", "idle"] as const;
export type JobPhase = (typeof JOB_PHASES)[number];

/** Why a job can end in `failed`, and what to do about it, in words for the caller. */
export const FAILURE_HINTS = {
  not_understood: "Say it in other words: one plain instruction per sentence, names and texts in quotation marks.",
  impossible:
    "The message says what is in the way. Where it is a name, check it against the repository, and send a follow-up message.",
  cancelled: "Send a follow-up message to continue where the job stopped.",
  ref_not_found: "Create the branch, or create the job with another `ref`.",
  budget_exceeded:
    "Send a follow-up message: it continues with a new budget. Or raise the budget of a turn (DOCENT_JOB_INPUT_TOKENS, DOCENT_JOB_OUTPUT_TOKENS, DOCENT_JOB_COST_USD).",
  step_limit:
    "Send a follow-up message to continue. Split the instruction into smaller ones, or raise the step limit of a turn (DOCENT_JOB_MAX_STEPS).",
  time_limit:
    "Send a follow-up message to continue. Split the instruction into smaller ones, or raise the time limit of a turn (DOCENT_JOB_TURN_MINUTES).",
  stuck: "Say more exactly what to change and where, in a follow-up message.",
  model_error: "The model's provider failed repeatedly. Send a follow-up message to try again.",
  model_auth: "Check the provider's API key in the server's configuration.",
  context_overflow: "Split the instruction into smaller ones, or choose a model with a larger context window.",
  validation_failed:
    "Read the findings in the transcript, then send a follow-up message that says how to resolve them.",
  branch_moved: "Someone keeps pushing to the job's branch. Send a follow-up message when they are done.",
  push_denied: "Allow the agent to push to its branch on the code host, then send a follow-up message.",
  code_host_error: "The code host could not be reached. Send a follow-up message to try again.",
  policy: "The change would touch files that the agent may not write. Change them by hand, or reword the instruction.",
  worker_died:
    "The server's log says why it ended. If it was the job, split the instruction or create the job with another `ref`; if not, send a follow-up message to try again.",
  internal: "This is a fault of the server; its log has the details. Send a follow-up message to try again.",
};

export type FailCode = keyof typeof FAILURE_HINTS;

export interface JobError {
  code: FailCode;
  message: string;
  hint: string;
  /** The model's provider or the code host was unavailable: a retry may work later. */
  outage?: true;
  /** For an instruction that was not understood without a language model: chores that can be run instead. */
  suggestions?: ChoreSuggestion[];
}

/** A chore that would change something, and how much. */
export interface ChoreSuggestion {
  /** As callers send it: `{fix_links: {}}`. */
  chore: ChoreEntry;
  /** A sentence that the built-in rules understand as this chore. */
  title: string;
  files: number;
  /** Changed lines. */
  places: number;
}

/** Whether an error refuses its message, which then changed nothing. A refused follow-up leaves the job's earlier work alone. */
export const isRefusal = ({ code }: JobError): boolean => code === "not_understood" || code === "impossible";

export function jobError(code: FailCode, message: string, hint?: string): JobError {
  return { code, message, hint: hint ?? FAILURE_HINTS[code] };
}

export interface JobPullRequest {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  draft: boolean;
  /** Address of the preview while it is open; null without a preview. */
  previewUrl: string | null;
}

/** The model provider that a job waits for. */
export interface Waiting {
  /** Name of the provider that does not answer. */
  provider: string;
  code: ModelFailureCode;
  reason: string;
  since: Date;
  /** When the job released its worker slot; null while the provider is being retried. */
  heldAt: Date | null;
  retryAt: Date;
}

/** A name for a job: its title, or until it has one, the start of its instruction. */
export function jobName(job: Pick<Job, "title">, prompt: string | undefined): string {
  if (job.title !== null) return job.title;
  const line = (prompt ?? "").trim().split("\n")[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 120).trimEnd()}…` : line || "Untitled";
}

export interface Job {
  id: JobId;
  projectId: ProjectId;
  status: JobStatus;
  phase: JobPhase;
  /** Kept during retries until a step succeeds. */
  waiting: Waiting | null;
  /** Why nothing happens although the job is active, for people; not stored. */
  notice: string | null;
  title: string | null;
  summary: string | null;
  /** Whether the last message changed a file. */
  changed: boolean;
  /** The question with which the agent ended its turn. */
  question: string | null;
  error: JobError | null;
  /** Why the last message was refused although the job stays completed; null when it was carried out or still waits. */
  refusal: JobError | null;
  model: string;
  baseRef: string;
  branch: string | null;
  draft: boolean;
  dryRun: boolean;
  /** How long the model thinks; null = as the settings of the project or model say. */
  effort: CommonEffort | null;
  /** What a dry run would have published; null for other jobs and until the dry run ends. */
  plan: Plan | null;
  pullRequest: JobPullRequest | null;
  messageCount: number;
  handledCount: number;
  usage: { steps: number; inputTokens: number; cachedTokens: number; outputTokens: number; costMicroUsd: number };
  automationId: string | null;
  /** Changes with every visible change. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  /** When retention deleted its instructions and transcript. */
  transcriptDeletedAt: Date | null;
}

/** What a dry run would have published: how many files of each kind, and the first of them. */
export interface Plan {
  added: number;
  modified: number;
  removed: number;
  /** At most 200 paths, in order. */
  paths: string[];
}

export const StoredPlan = z.object({
  added: z.number(),
  modified: z.number(),
  removed: z.number(),
  paths: z.array(z.string()),
}) satisfies z.ZodType<Plan>;
