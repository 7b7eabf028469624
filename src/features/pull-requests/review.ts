import { listEventsOf } from "#features/jobs/events.ts";
import type { Job } from "#features/jobs/job.ts";
import { listAskers, listPrompts } from "#features/jobs/requests/messages.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import { type Entry, type ShownFinding, transcriptEntries } from "#features/jobs/pages/transcript-entries.ts";
import { z } from "zod";

/** What a reviewer needs to know about the job behind a change, in addition to the lines. */
export interface Review {
  job: Job;
  /** Its instruction and follow-ups, oldest first. */
  prompts: readonly string[];
  /** Who sent its messages, by number. */
  askers: ReadonlyMap<number, string>;
  /** The steps of the plan in their final state; empty without a plan. */
  plan: readonly { text: string; state: string }[];
  /** The agent's reasons for changes, by path. */
  reasons: ReadonlyMap<string, string>;
  /** The results of the last checks; null when nothing was checked. */
  checks: Checks | null;
  /** The last 100 failed tool calls, oldest first. */
  failedCalls: readonly FailedCall[];
  hasMoreFailedCalls: boolean;
  /** Duration of all turns, including the time that they waited for a provider. */
  workedMs: number;
}

interface Checks {
  findings: readonly ReviewFinding[];
  newHosts: readonly string[];
  /** Total numbers. `findings` and `newHosts` may be truncated. */
  totals: Extract<Entry, { kind: "checked" }>["totals"];
}

export type ReviewFinding = ShownFinding & { severity: "error" | "warning" };

export interface FailedCall {
  seq: number;
  tool: string;
  summary: string;
  reason: string | null;
}

// A typical job has a few dozen events. For a longer job, the last ones count.
const MAX_EVENTS = 2_000;
const MAX_FAILED_CALLS = 100;

const Failed = z.object({ tool: z.string(), summary: z.string(), reason: z.string().optional() });

/** Reads the transcript of a job for its review. */
export async function readReview(deps: Pick<SubmitDeps, "database" | "redactFor">, job: Job): Promise<Review> {
  const types = ["plan.updated", "validation", "turn.started", "turn.finished"] as const;
  const events = await listEventsOf(deps, { jobId: job.id, types, limit: MAX_EVENTS });
  const failed = await listEventsOf(deps, { jobId: job.id, types: ["tool.finished"], limit: MAX_FAILED_CALLS + 1 });
  const prompts = await listPrompts(deps, job);
  const entries = transcriptEntries(events);
  const last = <K extends Entry["kind"]>(kind: K) =>
    entries.findLast((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  const checked = last("checked");
  const reasons = entries.flatMap((entry) => (entry.kind === "summary" ? entry.files : []));
  const startedAt = new Map<number, Date>();
  let workedMs = 0;
  for (const { type, turn, createdAt } of events) {
    if (type === "turn.started") startedAt.set(turn, createdAt);
    else if (type === "turn.finished") workedMs += createdAt.getTime() - (startedAt.get(turn) ?? createdAt).getTime();
  }
  return {
    job,
    prompts: [...prompts.values()],
    askers: await listAskers(deps, job.id),
    plan: last("plan")?.steps ?? [],
    reasons: new Map(reasons.map(({ path, why }) => [path, why])),
    checks: checked ? checksOf(checked) : null,
    failedCalls: failed.slice(-MAX_FAILED_CALLS).flatMap(({ seq, data }) => {
      const read = Failed.safeParse(data).data;
      return read ? [{ seq, tool: read.tool, summary: read.summary, reason: read.reason ?? null }] : [];
    }),
    hasMoreFailedCalls: failed.length > MAX_FAILED_CALLS,
    workedMs: Math.max(0, workedMs),
  };
}

function checksOf({ errors, warnings, newHosts, totals }: Extract<Entry, { kind: "checked" }>): Checks {
  const findings = [
    ...errors.map((finding) => ({ ...finding, severity: "error" as const })),
    ...warnings.map((finding) => ({ ...finding, severity: "warning" as const })),
  ];
  return { findings, newHosts, totals };
}
