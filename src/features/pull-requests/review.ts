import type { Database } from "#db/database.ts";
import { listEventsOf } from "#features/jobs/events.ts";
import type { Job } from "#features/jobs/job.ts";
import { type Entry, type ShownFinding, transcriptEntries } from "#features/jobs/pages/transcript-entries.ts";
import { z } from "zod";

/** What a reviewer wants to know of the job behind a change, besides its lines. */
export interface Review {
  job: Job;
  /** The steps of the plan as they ended; empty where the agent made none. */
  plan: readonly { text: string; state: string }[];
  /** What the agent says of a file, by its path. */
  reasons: ReadonlyMap<string, string>;
  /** What the checks found in the end; null where nothing was checked. */
  checks: { findings: readonly ReviewFinding[]; newHosts: readonly string[]; isCut: boolean } | null;
  /** Calls that came to nothing, the last of them. */
  failedCalls: readonly FailedCall[];
  /** How long turns took, with the time that they waited for a provider. */
  workedMs: number;
}

export type ReviewFinding = ShownFinding & { severity: "error" | "warning" };

export interface FailedCall {
  seq: number;
  tool: string;
  summary: string;
  reason: string | null;
}

// A job has some dozens of them; of a longer one the end counts.
const MAX_EVENTS = 2_000;
const MAX_FAILED_CALLS = 100;
/** Lists of an event that are longer were cut when it was stored. */
const MAX_STORED_FINDINGS = 200;

const Failed = z.object({ tool: z.string(), summary: z.string(), reason: z.string().optional() });

/** Reads the transcript of a job for its review. */
export async function readReview(deps: { database: Database }, job: Job): Promise<Review> {
  const types = ["plan.updated", "validation", "turn.started", "turn.finished"] as const;
  const events = await listEventsOf(deps, { jobId: job.id, types, limit: MAX_EVENTS });
  const failed = await listEventsOf(deps, { jobId: job.id, types: ["tool.finished"], limit: MAX_FAILED_CALLS });
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
    plan: last("plan")?.steps ?? [],
    reasons: new Map(reasons.map(({ path, why }) => [path, why])),
    checks: checked ? checksOf(checked) : null,
    failedCalls: failed.flatMap(({ seq, data }) => {
      const read = Failed.safeParse(data).data;
      return read ? [{ seq, tool: read.tool, summary: read.summary, reason: read.reason ?? null }] : [];
    }),
    workedMs: Math.max(0, workedMs),
  };
}

function checksOf({ errors, warnings, newHosts }: Extract<Entry, { kind: "checked" }>): NonNullable<Review["checks"]> {
  const findings = [
    ...errors.map((finding) => ({ ...finding, severity: "error" as const })),
    ...warnings.map((finding) => ({ ...finding, severity: "warning" as const })),
  ];
  const isCut = [errors, warnings, newHosts].some((list) => list.length >= MAX_STORED_FINDINGS);
  return { findings, newHosts, isCut };
}
