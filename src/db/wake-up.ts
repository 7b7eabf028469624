import { EventEmitter } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { isBusy } from "./sqlite-driver.ts";

/** Something that others may want to act on at once. A lost signal costs one poll interval, never work. */
export type WakeUpChannel = "job" | "job_event" | "job_answer" | "outbox" | "repository" | "host_comment" | "mail";

/**
 * Tells this and other processes that rows of a channel changed. Call `notify` after the commit.
 * `payload` says which row (a job id, a project id), or "" where a listener must look for itself.
 */
export interface WakeUp {
  notify(channel: WakeUpChannel, payload?: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(channel: WakeUpChannel, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

// Other processes' commits show in `data_version`; measured p50 16 ms at 25 ms. It does not show our own commits.
const SQLITE_POLL_MS = 25;

export function createSqliteWakeUp(connection: DatabaseSync): WakeUp {
  const emitter = new EventEmitter().setMaxListeners(0);
  const version = connection.prepare("pragma data_version");
  let last: unknown = null;
  const read = () => {
    try {
      return version.get()?.["data_version"];
    } catch (error) {
      if (isBusy(error)) return last; // asked again soon
      throw error;
    }
  };
  last = read();
  const timer = setInterval(() => {
    const current = read();
    if (current === last) return;
    last = current;
    for (const channel of emitter.eventNames()) emitter.emit(channel, "");
  }, SQLITE_POLL_MS);
  timer.unref();
  return {
    notify: (channel, payload = "") => void emitter.emit(channel, payload),
    subscribe: (channel, listener) => subscribeTo(emitter, channel, listener),
    async close() {
      clearInterval(timer);
      emitter.removeAllListeners();
    },
  };
}

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** LISTEN/NOTIFY over one connection of its own, opened again when it breaks; needs session mode behind a pooler. */
export function createPostgresWakeUp(options: {
  url: string;
  pool: pg.Pool;
  logger: Logger;
  Client: typeof pg.Client;
}): WakeUp {
  const emitter = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const closed = new Promise((resolve) => closing.signal.addEventListener("abort", resolve, { once: true }));

  const listenTrouble = createLastingTrouble(options.logger, "wake-up connection is lost or cannot be opened");
  const sendTrouble = createLastingTrouble(options.logger, "wake-up could not be sent");

  /** Listens over one connection until that ends. */
  const listenOnce = async (): Promise<void> => {
    const client = new options.Client({
      connectionString: options.url,
      application_name: "docent-listen",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on("error", listenTrouble.failed);
    client.on("notification", (message) => {
      const [channel, payload] = (message.payload ?? "").split(" ", 2);
      if (channel) emitter.emit(channel, payload ?? "");
    });
    const ended = new Promise((resolve) => void client.once("end", resolve));
    try {
      await client.connect();
      await client.query("listen docent");
      listenTrouble.worked();
      await Promise.race([ended, closed]);
    } catch (error) {
      listenTrouble.failed(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  // One attempt after the other: however long the database is away, one connection listens when it is back.
  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listenOnce();
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    notify(channel, payload = "") {
      emitter.emit(channel, payload); // at once here; elsewhere through the server
      options.pool
        .query("select pg_notify('docent', $1)", [`${channel} ${payload}`])
        .then(sendTrouble.worked, sendTrouble.failed);
    },
    subscribe: (channel, listener) => subscribeTo(emitter, channel, listener),
    async close() {
      closing.abort();
      await listening;
      emitter.removeAllListeners();
    },
  };
}

function subscribeTo(emitter: EventEmitter, channel: string, listener: (payload: string) => void): () => void {
  emitter.on(channel, listener);
  return () => emitter.off(channel, listener);
}
