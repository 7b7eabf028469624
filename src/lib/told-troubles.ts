import type { Logger } from "./logger.ts";

/** What keeps failing, by name, as the log tells of it. */
export interface ToldTroubles {
  /** `reason`: what it is told apart by. */
  failed(name: string, reason: string, error: unknown): void;
  worked(name: string): void;
}

/**
 * Says of each name once why it fails, until the reason is another one, and once when that is over. `message` is a static
 * sentence; `label` is what names are called.
 */
export function createToldTroubles(
  logger: Logger,
  { label, message }: { label: string; message: string },
): ToldTroubles {
  const told = new Map<string, string>();
  return {
    failed(name, reason, error) {
      if (told.get(name) === reason) return;
      told.set(name, reason);
      logger.warn({ err: error, [label]: name, reason }, message);
    },
    worked(name) {
      if (told.delete(name)) logger.info({ [label]: name, trouble: message }, "trouble is over");
    },
  };
}
