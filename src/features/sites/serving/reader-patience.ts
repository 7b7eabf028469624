import { AppError } from "#lib/app-error.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";

/** Waits for work no longer than readers do. The work goes on all the same, and what it makes is kept for who asks again. */
export type ReaderPatience = <T>(work: Promise<T>) => Promise<T>;

const RETRY_SECONDS = 10;

const late = () =>
  new AppError(
    "unavailable",
    "The server is busy, and this page takes longer than usual. It is being made; try again.",
    {
      retryAfterSeconds: RETRY_SECONDS,
      isBusy: true,
    },
  );

/** `AppError unavailable` after `patienceMs`, which the log has once, not for each reader. */
export function createReaderPatience({ logger, patienceMs }: { logger: Logger; patienceMs: number }): ReaderPatience {
  const trouble = createLastingTrouble(logger, "pages take longer than readers wait, as the server is busy");
  return async (work) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), patienceMs).unref();
    });
    try {
      const made = await Promise.race([work, tooLate]);
      trouble.worked();
      return made;
    } catch (error) {
      if (error instanceof AppError && error.isBusy) trouble.failed(error);
      work.catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
