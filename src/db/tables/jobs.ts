import type { ColumnType, Generated } from "kysely";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, JsonText } from "./projects.ts";

type AskedEffort = "low" | "medium" | "high" | null;

/**
 * The row is the queue entry too. It is runnable when `status = 'active' AND done_seq < msg_seq` and no lease is
 * running: two counters, so that a message arriving at the last instant cannot be lost.
 */
export interface JobTable {
  id: Immutable<JobId>;
  project_id: Immutable<ProjectId>;
  status: "active" | "completed" | "archived" | "failed";
  phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
  /** `Waiting`: for whom the job waits; kept while the provider is tried again. */
  waiting: ColumnType<JsonText | null, null | undefined, JsonText | null>;
  title: string | null;
  summary: string | null;
  /** `{code, message, hint}` when failed. */
  error: JsonText | null;
  /** Of the last message, when it was refused and the job stays completed. */
  refusal: JsonText | null;
  /** The last message changed a file. */
  changed: Generated<Flag>;
  /** What the agent asks at the end of the last message. */
  question: ColumnType<string | null, null | undefined, string | null>;
  model: Immutable<string>;
  /** Branch that the pull request goes into. */
  base_ref: Immutable<string>;
  /** Branch that the agent works on; null until there is one. A new one replaces it after a merge or a close. */
  branch: string | null;
  draft: Immutable<Flag>;
  /** Nothing is published. */
  dry_run: ColumnType<Flag, Flag | undefined, never>;
  /** How long the model thinks; null: as the project or the model's settings say. */
  effort: ColumnType<AskedEffort, AskedEffort | undefined, AskedEffort>;
  /** What a dry run would have published, as JSON. */
  plan: ColumnType<JsonText | null, undefined, JsonText | null>;
  /** `{number, url, state, draft}` as last seen on the code host. */
  pull_request: JsonText | null;
  /** Messages accepted. */
  msg_seq: number;
  /** Messages handled to their end. */
  done_seq: number;
  event_seq: number;
  lease_owner: string | null;
  lease_until: Instant | null;
  /** Rises with every claim: a worker whose number is old can write nothing. */
  fence: number;
  /** Claims since the last recorded progress. */
  attempt: number;
  /** Claims that no worker gave back, each found when the next one took the job, since the last recorded progress. */
  deaths: Generated<number>;
  run_after: Instant;
  cancel_requested_at: Instant | null;
  /** What the cancelled turn made is to be published. */
  cancel_keeps_work: Generated<Flag>;
  steps: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
  automation_id: string | null;
  /** Changes with every visible change; the ETag. */
  revision: number;
  created_at: Immutable<Instant>;
  updated_at: Instant;
  archived_at: Instant | null;
  archived_from: "completed" | "failed" | null;
  /** When what was said in it was deleted, as it was old. */
  transcript_deleted_at: ColumnType<Instant | null, null | undefined, Instant | null>;
}

export interface JobMessageTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  /** Empty once it was deleted with the transcript. */
  prompt: string;
  /** `ChoreCall[]` of a message that is carried out without a model. */
  chores: ColumnType<JsonText | null, JsonText | null | undefined, JsonText | null>;
  /** Name and email address of the person who sent it; null for a program. */
  asked_by: ColumnType<string | null, string | null | undefined, never>;
  asked_by_email: ColumnType<string | null, string | null | undefined, never>;
  created_at: Immutable<Instant>;
}

/** An image that came with a message. */
interface JobAttachmentTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  /** 1, 2, 3 … in the message. */
  number: Immutable<number>;
  media_type: Immutable<"image/png" | "image/jpeg" | "image/webp" | "image/gif">;
  size_bytes: Immutable<number>;
  content: Immutable<Uint8Array>;
}

/** One step of a turn, written whole or not at all: what the model said, what the tools answered, the tree after it. */
export interface JobStepTable {
  job_id: Immutable<JobId>;
  turn: Immutable<number>;
  step: Immutable<number>;
  fence: Immutable<number>;
  /** `ModelMessage[]` of the AI SDK, sealed where a credential is found in them. */
  messages: Immutable<string>;
  /** Git tree id after the step; null while nothing has been edited. */
  tree: Immutable<string | null>;
  /** Highest message sequence delivered to the model so far. */
  delivered_seq: Immutable<number>;
  state: Immutable<JsonText>;
  created_at: Immutable<Instant>;
}

export interface JobEventTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  turn: Immutable<number>;
  type: Immutable<string>;
  data: Immutable<JsonText>;
  created_at: Immutable<Instant>;
}

/** What one turn settled before its first step, so that a replay makes the identical commit. */
export interface JobTurnTable {
  job_id: Immutable<JobId>;
  turn: Immutable<number>;
  base_commit: Immutable<string>;
  /** Another one than at the start when the pull request ended before the turn could be published. */
  branch: string;
  started_at: Immutable<Instant>;
  commit_id: string | null;
  /** How long the turn was held because its provider did not answer. */
  waited_ms: Generated<number>;
  /** `EarlyEnd` of a turn that stopped before the agent was done. */
  ended_early: JsonText | null;
  /** Input tokens by what they cost: those read from the provider's cache count less. */
  weighted_tokens: Generated<number>;
  output_tokens: Generated<number>;
  cost_micro_usd: Generated<number>;
}

/** What the jobs of a project used on a day of UTC. */
export interface ProjectSpendingTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<string>;
  weighted_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
  /** Created on this day, those that were deleted since among them. */
  jobs: Generated<number>;
}

export interface IdempotencyKeyTable {
  /** Whose keys are told apart: the id of the project, or `instance`. */
  owner: Immutable<string>;
  project_id: Immutable<ProjectId | null>;
  key: Immutable<string>;
  body_hash: string;
  /** The id of what the request made or changed; of sent views the answer, empty until there is one. */
  outcome: string;
  created_at: Instant;
}

export type AutomationTriggerKind = "schedule" | "push" | "api" | "source_push" | "source_merge";

/** A saved prompt and what sets it off. */
export interface AutomationTable {
  id: Immutable<string>;
  project_id: Immutable<ProjectId>;
  name: string;
  prompt: string;
  trigger_kind: AutomationTriggerKind;
  /** Set for a schedule. */
  cron: string | null;
  time_zone: string | null;
  /** Set for a push. */
  branch: string | null;
  /** Name of the source that sets it off; set for what happens in one. */
  source: string | null;
  /** Branch to start from; null = the project's. */
  ref: string | null;
  /** Null = the project's. */
  model: string | null;
  /** How long the model thinks; null: as the project or the model's settings say. */
  effort: ColumnType<AskedEffort, AskedEffort | undefined, AskedEffort>;
  draft: Flag;
  enabled: Flag;
  /** When to run next. Whoever changes it from what it read has the run. */
  due_at: Instant | null;
  due_by: AutomationTriggerKind | null;
  /** Tip of `branch`, or of the source, that was last looked at. */
  seen_commit: string | null;
  /** The tip of the source before what is still to be run on; null when nothing is. */
  from_commit: string | null;
  /** Runs so far; changes with each one. */
  runs: number;
  created_at: Immutable<Instant>;
  updated_at: Instant;
}

export interface AutomationRunTable {
  automation_id: Immutable<string>;
  number: Immutable<number>;
  started_by: Immutable<AutomationTriggerKind>;
  due_at: Immutable<Instant>;
  started_at: Immutable<Instant>;
  job_id: Immutable<string | null>;
  message_seq: Immutable<number | null>;
  /** Why there is no job. */
  note: Immutable<string | null>;
  /** `{source, base, head}`: what of a source it is about. */
  source_range: Immutable<JsonText | null>;
  /** How often its message was sent again after an outage: under the numbers that follow `message_seq`. */
  retries: Generated<number>;
  retried_at: ColumnType<Instant | null, null | undefined, Instant | null>;
}

/** When a project last got a place of the queue, by the clock of the leases. */
interface QueueTurnTable {
  project_id: ProjectId;
  served_at: number;
}

export interface JobTables {
  queue_turn: QueueTurnTable;
  automation: AutomationTable;
  automation_run: AutomationRunTable;
  job: JobTable;
  job_message: JobMessageTable;
  job_attachment: JobAttachmentTable;
  job_turn: JobTurnTable;
  job_step: JobStepTable;
  job_event: JobEventTable;
  idempotency_key: IdempotencyKeyTable;
  project_spending: ProjectSpendingTable;
}
