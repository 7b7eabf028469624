import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Flag, Immutable, Instant, JsonText } from "./projects.ts";

/**
 * The row is the queue entry too. It is runnable when `status = 'active' AND done_seq < msg_seq` and no lease is
 * running: two counters, so that a message arriving at the last instant cannot be lost.
 */
export interface JobTable {
  id: Immutable<JobId>;
  project_id: Immutable<ProjectId>;
  status: "active" | "completed" | "archived" | "failed";
  phase: "queued" | "preparing" | "running" | "validating" | "publishing" | "idle";
  title: string | null;
  summary: string | null;
  /** `{code, message, hint}` when failed. */
  error: JsonText | null;
  model: Immutable<string>;
  /** Branch that the pull request goes into. */
  base_ref: Immutable<string>;
  /** Branch that the agent works on; null until there is one. A new one replaces it after a merge or a close. */
  branch: string | null;
  draft: Immutable<Flag>;
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
  run_after: Instant;
  cancel_requested_at: Instant | null;
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
}

export interface JobMessageTable {
  job_id: Immutable<JobId>;
  seq: Immutable<number>;
  prompt: Immutable<string>;
  created_at: Immutable<Instant>;
}

/** One step of a turn, written whole or not at all: what the model said, what the tools answered, the tree after it. */
export interface JobStepTable {
  job_id: Immutable<JobId>;
  turn: Immutable<number>;
  step: Immutable<number>;
  fence: Immutable<number>;
  /** `ModelMessage[]` of the AI SDK. */
  messages: Immutable<JsonText>;
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
  branch: Immutable<string>;
  started_at: Immutable<Instant>;
  commit_id: string | null;
}

export interface IdempotencyKeyTable {
  project_id: Immutable<ProjectId>;
  key: Immutable<string>;
  body_hash: string;
  job_id: JobId;
  created_at: Instant;
}

export interface JobTables {
  job: JobTable;
  job_message: JobMessageTable;
  job_turn: JobTurnTable;
  job_step: JobStepTable;
  job_event: JobEventTable;
  idempotency_key: IdempotencyKeyTable;
}
