import { z } from "zod";
import type { JobError } from "#features/jobs/job.ts";
import { StoredError } from "#features/jobs/job-rows.ts";

const StoredEnd = z.object({
  error: StoredError,
  handledSeq: z.number(),
  title: z.string(),
  words: z.string(),
}) satisfies z.ZodType<EarlyEnd>;

/**
 * Why a turn stopped before the agent was done. On record before anything of the turn is published, so that a replay
 * publishes the same and does not let the agent go on.
 */
export interface EarlyEnd {
  error: JobError;
  handledSeq: number;
  /** For the pull request and the commit. */
  title: string;
  /** What the agent said last, fit to be shown; empty when it said nothing. */
  words: string;
}

export function readEarlyEnd(text: string | null): EarlyEnd | null {
  return text === null ? null : StoredEnd.parse(JSON.parse(text));
}
