export type AgentJobStatus = "active" | "completed" | "archived" | "failed";

/** An agent job as the interface gives it; the reference of the interface says what the fields mean. */
export interface AgentJob {
  id: string;
  status: AgentJobStatus;
  source: { repository: string; ref: string | null };
  model: string;
  /** Null while the job is active, and when no file was changed. */
  prLink: string | null;
  createdAt: string;
  archivedAt: string | null;
  pullRequest: { number: number; url: string; state: "open" | "merged" | "closed"; draft: boolean } | null;
  title: string | null;
  summary: string | null;
  /** The job publishes nothing. */
  dryRun: boolean;
  /** What a dry run would have published; `paths` are the first 200 files. */
  plan: { added: number; modified: number; removed: number; paths: string[] } | null;
  error: { code: string; message: string; hint: string } | null;
  /** The message that was sent last. A follow-up that was refused leaves the job completed. */
  lastMessage: { seq: number; error: { code: string; message: string; hint: string } | null };
  usage: { steps: number; inputTokens: number; cachedInputTokens: number; outputTokens: number; costUsd: number };
  phase: "queued" | "preparing" | "running" | "validating" | "publishing" | "idle";
  previewLink: string | null;
}

export interface NewAgentJob {
  prompt: string;
  /** Branch to start from and to open the pull request against. */
  ref?: string;
  model?: string;
  draft?: boolean;
  /** Tell what would change, and publish nothing. */
  dryRun?: boolean;
  title?: string;
}

/** One line of a job's transcript. New types may come: ignore those you do not know. */
export interface AgentJobEvent {
  /** 1, 2, 3 … without gaps, per job. */
  seq: number;
  type: string;
  /** All fields of the event, `type` and `seq` among them where the server sends them. */
  data: Record<string, unknown>;
}

export interface VisitorCounts {
  human: number;
  ai: number;
  /** Deduplicated across human and AI; not necessarily their sum. */
  total: number;
}

export interface VisitorsPage {
  totals: VisitorCounts;
  visitors: (VisitorCounts & { path: string })[];
  hasMore: boolean;
}
