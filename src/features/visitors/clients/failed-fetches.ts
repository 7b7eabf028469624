import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { replaceFile } from "#lib/durable-file.ts";

const FailedFetch = z.strictObject({
  url: z.string(),
  agents: z.array(z.string()),
  /** ISO 8601: the first attempt that failed since the last one that succeeded. */
  since: z.iso.datetime(),
  reason: z.string(),
});
/** A list of addresses that cannot be fetched at the moment. */
export type FailedFetch = z.infer<typeof FailedFetch>;

// Beside the lists, so that commands and the dashboard know what the server knows, and a restart does not begin anew.
const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "agent-addresses-failing.json");

/** The lists whose last fetch failed; empty when the file is missing or damaged: the next hour writes it again. */
export async function readFailedFetches(dataDirectory: string): Promise<FailedFetch[]> {
  try {
    return z.array(FailedFetch).parse(JSON.parse(await readFile(fileIn(dataDirectory), "utf8")));
  } catch {
    return [];
  }
}

/** Stores the lists that cannot be fetched. */
export async function keepFailedFetches(dataDirectory: string, failed: readonly FailedFetch[]): Promise<void> {
  if (failed.length === 0) return rm(fileIn(dataDirectory), { force: true });
  await replaceFile(fileIn(dataDirectory), JSON.stringify(failed));
}

/** The sentence about a list that cannot be fetched, and what to do. */
export function failedFetchWords({ url, agents, since, reason }: FailedFetch): { words: string; advice: string } {
  return {
    words: `Fetching the addresses of ${agents.join(", ")} from ${url} has failed since ${since.slice(0, 10)}: ${reason}`,
    advice: `Let the server reach ${new URL(url).host} over https, or fetch the file elsewhere and run docent analytics agents update FILE.`,
  };
}
