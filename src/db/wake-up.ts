import { EventEmitter } from "node:events";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { holdNodeLock, WORKERS } from "./node-locks.ts";
import { isBusy } from "./sqlite-driver.ts";

/** Changes that listeners may act on at once. A lost signal delays work by one poll interval; no work is lost. */
export type WakeUpChannel = "job" | "job_event" | "job_answer" | "outbox" | "repository" | "host_comment" | "mail";

/**
 * Notifies this and other processes that rows of a channel changed. Call `notify` after the commit.
 * `payload` identifies the row (a job id, a project id); with "" listeners must query for changes. `job_answer` carries a
 * job id and what its model writes, which is in no row.
 */
export interface WakeUp {
  notify(channel: WakeUpChannel, payload?: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(channel: WakeUpChannel, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

// `data_version` shows commits of other processes, not our own. Polling every 25 ms, the measured median was 16 ms.
const SQLITE_POLL_MS = 25;

export function createSqliteWakeUp(connection: DatabaseSync): WakeUp {
  const emitter = new EventEmitter().setMaxListeners(0);
  const version = connection.prepare("pragma data_version");
  let last: unknown = null;
  const read = () => {
    try {
      return version.get()?.["data_version"];
    } catch (error) {
      if (isBusy(error)) return last; // the next poll retries
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

/**
 * LISTEN/NOTIFY over a dedicated connection, reopened when it breaks; needs session mode behind a pooler. The connection
 * also holds the lock of `nodeId`.
 */
export function createPostgresWakeUp(options: {
  url: string;
  pool: pg.Pool;
  logger: Logger;
  Client: typeof pg.Client;
  nodeId: string;
  /** Whether this process also counts as one of the workers. */
  isWorker: boolean;
}): WakeUp {
  const emitter = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const closed = new Promise((resolve) => closing.signal.addEventListener("abort", resolve, { once: true }));

  const listenTrouble = createLastingTrouble(options.logger, "wake-up connection is lost or cannot be opened");
  const sendTrouble = createLastingTrouble(options.logger, "wake-up could not be sent");

  /** Listens over one connection until it ends. */
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
      await holdNodeLock(client, options.nodeId);
      if (options.isWorker) await holdNodeLock(client, WORKERS);
      listenTrouble.worked();
      await Promise.race([ended, closed]);
    } catch (error) {
      listenTrouble.failed(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  // Sequential attempts, so that exactly one connection listens after an outage of any length.
  const listening = (async () => {
    while (!closing.signal.aborted) {
      await listenOnce();
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    notify(channel, payload = "") {
      emitter.emit(channel, payload); // directly in this process; in others through the server
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
