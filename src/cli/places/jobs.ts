import type { AgentJob, AgentJobStatus, NewAgentJob } from "#client/answers.ts";

/** A line of a transcript as the interface has it. */
export interface TranscriptEvent {
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

/** The changed files of a job, as the interface has them. */
export interface JobChanges {
  base: string | null;
  head: string | null;
  files: object[];
  hasMore: boolean;
}

/** What can be asked of jobs, beside a data directory and at a server alike. Throws `AppError`. */
export interface JobActions extends AsyncDisposable {
  /** False where nobody works on jobs: no server runs on the data directory. */
  isServing: boolean;
  create(job: NewAgentJob): Promise<AgentJob>;
  /** Newest first; no status = all. */
  list(options: { statuses: readonly AgentJobStatus[]; limit: number }): Promise<AgentJob[]>;
  find(id: string): Promise<AgentJob>;
  message(id: string, prompt: string): Promise<AgentJob>;
  cancel(id: string, options: { keepWork: boolean }): Promise<AgentJob>;
  /** A unified patch. */
  patch(id: string): Promise<string>;
  changes(id: string): Promise<JobChanges>;
  /** Merges the job's pull request; `AppError conflict` says why not. */
  merge(id: string): Promise<AgentJob>;
  /** Closes its pull request without merging it. */
  close(id: string): Promise<AgentJob>;
  /** The transcript as it grows, until the job has come to rest. */
  follow(id: string, options: { after: number; signal: AbortSignal }): AsyncIterable<TranscriptEvent>;
}
