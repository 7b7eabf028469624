import { errorText } from "./app-error.ts";
import type { Logger } from "./logger.ts";

/** A kind of failure that lasts, such as a database that is away, as the log tells of it. */
export interface LastingTrouble {
  failed(error: unknown): void;
  /** The same thing was done again and it went well. */
  worked(): void;
}

const REMIND_MS = 60_000;

/**
 * Says `message` once with its stack when a trouble begins, at most once a minute without one while it lasts, and once
 * when it is over, with how long it lasted and how often something failed. `message` is a static sentence.
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
