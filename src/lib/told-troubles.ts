import type { Logger } from "./logger.ts";

/** Logs things that keep failing, by name, without repeating itself. */
export interface ToldTroubles {
  /** `reason`: a new reason for the same name is logged again. */
  failed(name: string, reason: string, error: unknown): void;
  worked(name: string): void;
}

/**
 * Logs once for each name why it fails, again when the reason changes, and once when it works again. `message` is a
 * static sentence; `label` is the log field of the name.
 */
export function createToldTroubles(
  logger: Logger,
  { label, message }: { label: string; message: string },
): ToldTroubles {
  const reasonOf = new Map<string, string>();
  return {
    failed(name, reason, error) {
      if (reasonOf.get(name) === reason) return;
      reasonOf.set(name, reason);
      logger.warn({ err: error, [label]: name, reason }, message);
    },
    worked(name) {
      if (reasonOf.delete(name)) logger.info({ [label]: name, trouble: message }, "trouble is over");
    },
  };
}
