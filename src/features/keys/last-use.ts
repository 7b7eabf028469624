import type { Database } from "#db/database.ts";
import { errorText } from "#lib/app-error.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";

/**
 * Tracks the last use of keys and sessions in memory and writes it later, so that no read request waits for a write.
 */
export interface LastUse extends AsyncDisposable {
  keyUsed(keyId: string, at: Date): void;
  sessionSeen(hash: string, at: Date): void;
  /** Writes pending times. If that fails, keeps them for the next attempt. */
  write(): Promise<void>;
}

const WRITE_EVERY_MS = 30_000;
/** Per kind, between two writes: beyond that, the old time stays. */
const MAX_WAITING = 10_000;

/** Writes periodically and when disposed. A killed process loses at most half a minute of last uses. */
export function createLastUse({ database, logger }: { database: Database; logger: Logger }): LastUse {
  const keys = new Map<string, number>();
  const sessions = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  const trouble = createLastingTrouble(logger, "last uses of keys wait to be written");

  const note = (waiting: Map<string, number>, id: string, at: Date) => {
    if (waiting.size < MAX_WAITING || waiting.has(id)) waiting.set(id, Math.max(at.getTime(), waiting.get(id) ?? 0));
  };
  const writeAll = async () => {
    const noted = [...keys].map(([id, at]) => ({ id, at }));
    const seen = [...sessions].map(([hash, at]) => ({ hash, at }));
    if (noted.length + seen.length === 0) return;
    await database.transaction(async (transaction) => {
      for (const { id, at } of noted) {
        await transaction
          .updateTable("api_key")
          .set({ last_used_at: at })
          .where("id", "=", id)
          .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<", at)]))
          .execute();
      }
      for (const { hash, at } of seen) {
        await transaction
          .updateTable("session")
          .set({ last_seen_at: at })
          .where("hash", "=", hash)
          .where("last_seen_at", "<", at)
          .execute();
      }
    });
    // Uses during the write stay for the next one.
    for (const { id, at } of noted) if (keys.get(id) === at) keys.delete(id);
    for (const { hash, at } of seen) if (sessions.get(hash) === at) sessions.delete(hash);
  };
  const write = () => (writing = writing.catch(() => undefined).then(writeAll));
  const timer = setInterval(() => {
    void write().then(trouble.worked, trouble.failed);
  }, WRITE_EVERY_MS).unref();

  return {
    keyUsed: (keyId, at) => note(keys, keyId, at),
    sessionSeen: (hash, at) => note(sessions, hash, at),
    write,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await write().catch((error: unknown) =>
        logger.warn({ reason: errorText(error) }, "last uses of keys were not written"),
      );
    },
  };
}
