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
 * Why a turn stopped before the agent was done. Recorded before anything of the turn is published, so that a replay
 * publishes the same and does not let the agent continue.
 */
export interface EarlyEnd {
  error: JobError;
  handledSeq: number;
  /** Title of the pull request and the commit. */
  title: string;
  /** The agent's last words in presentable form; empty when it said nothing. */
  words: string;
}

export function readEarlyEnd(text: string | null): EarlyEnd | null {
  return text === null ? null : StoredEnd.parse(JSON.parse(text));
}
