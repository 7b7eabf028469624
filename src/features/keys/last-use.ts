import type { Database } from "#db/database.ts";
import { errorText } from "#lib/app-error.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";

/** When keys and sessions were last used, kept in memory and written down later: nothing that is read waits for a write. */
export interface LastUse extends AsyncDisposable {
  keyUsed(keyId: string, at: Date): void;
  sessionSeen(hash: string, at: Date): void;
  /** Writes what is not written yet. What cannot be written now is kept for the next time. */
  write(): Promise<void>;
}

const WRITE_EVERY_MS = 30_000;
/** Of each kind, between two writes: what is used beyond that keeps the older time. */
const MAX_WAITING = 10_000;

/** Writes now and again and when it is disposed. A process that is killed loses half a minute of last uses, and nothing else. */
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
    // What was used again meanwhile stays for the next time.
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
