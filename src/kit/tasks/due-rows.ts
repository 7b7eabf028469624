import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createBell } from "#lib/waiting/bell.ts";

/** Rows of the store that become due and are processed one by one: deliveries, comments, addresses to read. */
export interface DueRows<Row> {
  /**
   * Leases the next due row to this process; null when none is due. `busy`: owners that have all their places in use.
   */
  claim(busy: string[]): Promise<Row | null>;
  /** The owner of a row: a project or a receiver, which must not hold up the others. */
  ownerOf(row: Row): string;
  /** Processes a row. After an abort it releases the row, or leaves it until the lease expires. */
  run(row: Row, signal: AbortSignal): Promise<void>;
  /** Log fields that identify a row. */
  describe(row: Row): Record<string, unknown>;
  /** Log messages: no row can be claimed; processing one failed. */
  messages: { all: string; one: string };
  /** How many rows this process works on at once, overall and per owner. */
  atOnce: number;
  atOncePerOwner: number;
  /** How long rows in progress may still take once the loop is stopped; 0 by default. */
  graceMs?: number;
}

const POLL_MS = 1_000;

/**
 * Processes due rows until disposed. Any number of processes may share one store, as each row is claimed by one of
 * them. `ring` makes it look at once; a lost ring costs one poll interval.
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
