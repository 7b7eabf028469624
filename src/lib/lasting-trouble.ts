import { errorText } from "./app-error.ts";
import type { Logger } from "./logger.ts";

/** Logs a kind of failure that lasts, such as an unreachable database, without flooding the log. */
export interface LastingTrouble {
  failed(error: unknown): void;
  /** The operation was retried and succeeded. */
  worked(): void;
}

const REMIND_MS = 60_000;

/**
 * Logs `message` once with its stack when the failure begins, at most once a minute without one while it lasts, and
 * once when it is over, with its duration and the number of failures. `message` is a static sentence.
 */
export function createLastingTrouble(
  logger: Logger,
  message: string,
  { monotonicMs = () => performance.now() }: { monotonicMs?: () => number } = {},
): LastingTrouble {
  let current: { since: number; saidAt: number; failures: number } | null = null;
  const lasted = (since: number) => Math.round((monotonicMs() - since) / 1000);
  return {
    failed(error) {
      const now = monotonicMs();
      if (current === null) {
        current = { since: now, saidAt: now, failures: 1 };
        logger.error({ err: error }, message);
        return;
      }
      current.failures++;
      if (now - current.saidAt < REMIND_MS) return;
      current.saidAt = now;
      const { since, failures } = current;
      logger.error(
        { trouble: message, reason: errorText(error), lastedSeconds: lasted(since), failures },
        "trouble lasts",
      );
    },
    worked() {
      if (current === null) return;
      const { since, failures } = current;
      current = null;
      logger.info({ trouble: message, lastedSeconds: lasted(since), failures }, "trouble is over");
    },
  };
}
