import type { ToolFault } from "#agent/tool-call.ts";
import type { JobId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";

const MAX_FAULT_LENGTH = 4_000;

/** Logs the faults of tools in a turn, without credentials. */
export function faultReporter(
  { logger, redact }: { logger: Logger; redact(text: string): string },
  turn: { jobId: JobId; turn: number },
): (fault: ToolFault) => void {
  return ({ tool, error }) =>
    logger.error(
      { ...turn, tool, error: redact(faultText(error)).slice(0, MAX_FAULT_LENGTH) },
      "tool failed unexpectedly",
    );
}

/** The error as text, with its stack. Its other properties may contain anything and are left out. */
function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
