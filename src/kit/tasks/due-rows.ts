import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createBell } from "#lib/waiting/bell.ts";

/** Rows of the store that become due and are worked on one by one: deliveries, comments, addresses to read. */
export interface DueRows<Row> {
  /** Takes the next due row for this process, by a lease; null when none is due. `busy`: owners who have all their places. */
  claim(busy: string[]): Promise<Row | null>;
  /** Whose row it is: a project or a receiver, which must not hold up the others. */
  ownerOf(row: Row): string;
  /** Works on a row. After an abort it gives the row back, or leaves it to the end of its lease. */
  run(row: Row, signal: AbortSignal): Promise<void>;
  /** Fields that name a row in the log. */
  describe(row: Row): Record<string, unknown>;
  /** For the log: no row can be claimed; the work on one failed. */
  messages: { all: string; one: string };
  /** Rows of this process at the same time, and those of one owner. */
  atOnce: number;
  atOncePerOwner: number;
  /** How long rows that are worked on may still take once the loop is stopped; 0 by default. */
  graceMs?: number;
}

const POLL_MS = 1_000;

/**
 * Works on due rows until disposed. Any number of processes may do it on one store, as each row is claimed by one of
 * them. `ring` has it look at once; a ring that is lost costs one poll interval.
 */
export function startDueRows<Row>(logger: Logger, rows: DueRows<Row>): AsyncDisposable & { ring(): void } {
  const stopping = new AbortController();
  const cutting = new AbortController();
  const trouble = createLastingTrouble(logger, rows.messages.all);
  const bell = createBell();
  const running = new Map<Promise<void>, string>();

  const busy = () => {
    const counts = new Map<string, number>();
    for (const owner of running.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= rows.atOncePerOwner).map(([owner]) => owner);
  };
  const claimNext = async (): Promise<Row | null> => {
    if (running.size >= rows.atOnce) return null;
    try {
      const row = await rows.claim(busy());
      trouble.worked();
      return row;
    } catch (error) {
      trouble.failed(error);
      return null;
    }
  };
  const begin = (row: Row) => {
    const work: Promise<void> = rows
      .run(row, cutting.signal)
      .catch((error: unknown) => logger.error({ err: error, ...rows.describe(row) }, rows.messages.one))
      .finally(() => {
        running.delete(work);
        bell.ring();
      });
    running.set(work, rows.ownerOf(row));
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const row = await claimNext();
      if (row === null) await bell.wait(POLL_MS, stopping.signal);
      else begin(row);
    }
  })();

  return {
    ring: () => bell.ring(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const cut = setTimeout(() => cutting.abort(new Error("The server is stopping.")), rows.graceMs ?? 0);
      await loop;
      await Promise.all(running.keys());
      clearTimeout(cut);
    },
  };
}
