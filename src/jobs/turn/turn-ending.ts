import { z } from "zod";
import type { JobError } from "#jobs/job.ts";

const StoredEnd = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
  handledSeq: z.number(),
  title: z.string(),
  words: z.string(),
});

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
  return text === null ? null : (StoredEnd.parse(JSON.parse(text)) as EarlyEnd);
}
