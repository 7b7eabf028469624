import type { ColumnType, Generated } from "kysely";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, JsonText } from "./projects.ts";

type RequestedEffort = "low" | "medium" | "high" | null;

/**
 * The row is also the queue entry. It is runnable if `status = 'active' AND done_seq < msg_seq` and no lease is
 * running. Two counters ensure that a message that arrives at the last moment is not lost.
 */
export interface JobTable {
  id: Immutable<JobId>;
  project_id: Immutable<ProjectId>;
  status: "active" | "completed" | "archived" | "failed";
  phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
  /** `Waiting`: the provider that the job waits for; kept during a retry. */
  waiting: ColumnType<JsonText | null, null | undefined, JsonText | null>;
  title: string | null;
  summary: string | null;
  /** `{code, message, hint}` when failed. */
  error: JsonText | null;
  /** Why the last message was refused, if the job stays completed. */
  refusal: JsonText | null;
  /** The last message changed a file. */
  changed: Generated<Flag>;
  /** The agent's question at the end of the last message. */
  question: ColumnType<string | null, null | undefined, string | null>;
  model: Immutable<string>;
  /** Base branch of the pull request. */
  base_ref: Immutable<string>;
  /** Branch that the agent works on; null before the first. Replaced after its pull request is merged or closed. */
  branch: string | null;
  draft: Immutable<Flag>;
  /** Whether nothing is published. */
  dry_run: ColumnType<Flag, Flag | undefined, never>;
  /** How long the model thinks; null: the default of the project or model. */
  effort: ColumnType<RequestedEffort, RequestedEffort | undefined, RequestedEffort>;
  /** The changes that a dry run would have published, as JSON. */
  plan: ColumnType<JsonText | null, undefined, JsonText | null>;
  /** Last known `{number, url, state, draft}` on the code host. */
  pull_request: JsonText | null;
  /** Number of accepted messages. */
  msg_seq: number;
  /** Number of finished messages. */
  done_seq: number;
  event_seq: number;
  lease_owner: string | null;
  lease_until: Instant | null;
  /** Increases with every claim; a worker with an older number cannot write. */
  fence: number;
  /** Claims since the last recorded progress. */
  attempt: number;
  /** Claims that no worker released since the last recorded progress, each detected by the next claim. */
  deaths: Generated<number>;
  run_after: Instant;
  cancel_requested_at: Instant | null;
  /** Whether to publish the work of the cancelled turn. */
  cancel_keeps_work: Generated<Flag>;
  steps: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
  automation_id: string | null;
  /** The ETag; changes with every visible change. */
  revision: number;
  created_at: Immutable<Instant>;
  updated_at: Instant;
  archived_at: Instant | null;
  archived_from: "completed" | "failed" | null;
  /** When the transcript was deleted because of its age. */
  transcript_deleted_at: ColumnType<Instant | null, null | undefined, Instant | null>;
}

export interface JobMessageTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  /** Empty after the transcript was deleted. */
  prompt: string;
  /** `ChoreCall[]` of a message that runs without a model. */
  chores: ColumnType<JsonText | null, JsonText | null | undefined, JsonText | null>;
  /** Name and email address of the person who sent it; null for a program. */
  asked_by: ColumnType<string | null, string | null | undefined, never>;
  asked_by_email: ColumnType<string | null, string | null | undefined, never>;
  created_at: Immutable<Instant>;
}

/** An image attached to a message. */
interface JobAttachmentTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  /** Position in the message, from 1. */
  number: Immutable<number>;
  media_type: Immutable<"image/png" | "image/jpeg" | "image/webp" | "image/gif">;
  size_bytes: Immutable<number>;
  content: Immutable<Uint8Array>;
}

/** One step of a turn, written atomically: the model's reply, the tool results, the resulting tree. */
export interface JobStepTable {
  job_id: Immutable<JobId>;
  turn: Immutable<number>;
  step: Immutable<number>;
  fence: Immutable<number>;
  /** `ModelMessage[]` of the AI SDK, sealed if they contain a credential. Changed once, by the reports of sub-tasks. */
  messages: string;
  /** Git tree id after the step; null before the first edit. */
  tree: Immutable<string | null>;
  /** Highest message sequence delivered to the model so far. */
  delivered_seq: Immutable<number>;
  /** Changed with `messages`. */
  state: JsonText;
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

/** Values fixed before a turn's first step, so that a replay creates the identical commit. */
export interface JobTurnTable {
  job_id: Immutable<JobId>;
  turn: Immutable<number>;
  base_commit: Immutable<string>;
  /** Changes if the pull request ends before the turn is published. */
  branch: string;
  started_at: Immutable<Instant>;
  commit_id: string | null;
  /** How long the turn waited for its provider during outages. */
  waited_ms: Generated<number>;
  /** `EarlyEnd` of a turn that stopped before the agent was done. */
  ended_early: JsonText | null;
  /** Input tokens weighted by cost: those read from the provider's cache count less. */
  weighted_tokens: Generated<number>;
  output_tokens: Generated<number>;
  cost_micro_usd: Generated<number>;
}

/** Usage of a project's jobs per UTC day. */
export interface ProjectSpendingTable {
  project_id: Immutable<ProjectId>;
  day: Immutable<string>;
  weighted_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
  /** Jobs created on this day, including deleted ones. */
  jobs: Generated<number>;
}

export interface IdempotencyKeyTable {
  /** Scope in which keys are unique: the project's id, or `instance`. */
  owner: Immutable<string>;
  project_id: Immutable<ProjectId | null>;
  /** SHA-256 of the caller's key, hexadecimal. */
  key: Immutable<string>;
  body_hash: string;
  /** The id of the created or changed resource; for sent views the response, empty until it is known. */
  outcome: string;
  created_at: Instant;
}

export type AutomationTriggerKind = "schedule" | "push" | "api" | "source_push" | "source_merge";

/** A saved prompt and its trigger. */
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
  /** Name of the triggering source; set for source triggers. */
  source: string | null;
  /** Base branch; null = the project's. */
  ref: string | null;
  /** Null = the project's. */
  model: string | null;
  /** How long the model thinks; null: the default of the project or model. */
  effort: ColumnType<RequestedEffort, RequestedEffort | undefined, RequestedEffort>;
  draft: Flag;
  enabled: Flag;
  /** When to run next. The process that changes it by compare-and-swap owns the run. */
  due_at: Instant | null;
  due_by: AutomationTriggerKind | null;
  /** Last seen tip of `branch` or of the source. */
  seen_commit: string | null;
  /** The source's tip before the commits that are still to be processed; null if there are none. */
  from_commit: string | null;
  /** Number of runs so far. */
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
  /** Why the run created no job. */
  note: Immutable<string | null>;
  /** `{source, base, head}`: the commits of a source that the run covers. */
  source_range: Immutable<JsonText | null>;
  /** How often its message was resent after an outage, with the numbers that follow `message_seq`. */
  retries: Generated<number>;
  retried_at: ColumnType<Instant | null, null | undefined, Instant | null>;
}

/** When a project last got a queue slot, by the clock of the leases. */
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
