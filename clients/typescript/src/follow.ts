import type { AgentJob, AgentJobEvent } from "./answers.ts";
import { DocentError, type DocentErrorCode } from "./docent-error.ts";
import { type ServerSentEvent, readEvents } from "./server-sent-events.ts";
import { type TransportOptions, readJson, send, sleep } from "./transport.ts";

const FIRST_POLL_MS = 500;
const LAST_POLL_MS = 5_000;
const DEFAULT_WAIT_MS = 60 * 60 * 1_000;

const RECONNECT_MS = 1_000;
const LONGEST_RECONNECT_MS = 30_000;
// Some four minutes: a server that starts again, a proxy that has lost it.
const FRUITLESS_CONNECTIONS = 10;
const lost = new Set<DocentErrorCode>(["no_answer", "timeout", "unavailable", "rate_limited"]);

/** Asks for a job until it is no longer active, also over some minutes without an answer once there was one. */
export async function waitForJob(
  transport: TransportOptions,
  path: string,
  options: { signal?: AbortSignal; timeoutMs?: number; onChange?: (job: AgentJob) => void },
): Promise<AgentJob> {
  const { signal, timeoutMs = DEFAULT_WAIT_MS, onChange } = options;
  const givesUpAt = Date.now() + timeoutMs;
  let etag: string | null = null;
  let pauseMs = FIRST_POLL_MS;
  for (let fruitless = 0, isFirst = true; ; isFirst = false) {
    const asked = await askForJob(transport, { path, etag, signal });
    if (asked instanceof DocentError) {
      if (isFirst || ++fruitless > FRUITLESS_CONNECTIONS) throw asked;
      const waitMs = Math.min(LONGEST_RECONNECT_MS, RECONNECT_MS * 2 ** fruitless);
      if (Date.now() + waitMs > givesUpAt) throw asked;
      await sleep(waitMs, signal);
      continue;
    }
    fruitless = 0;
    if (asked !== null) {
      etag = asked.etag;
      onChange?.(asked.job);
      if (asked.job.status !== "active") return asked.job;
    }
    if (Date.now() + pauseMs > givesUpAt) throw new DocentError("timeout", "The job is still active.");
    await sleep(pauseMs, signal);
    pauseMs = Math.min(LAST_POLL_MS, pauseMs * 1.5);
  }
}

/** Null where it is as it was; the error where the server may only be away. */
async function askForJob(
  transport: TransportOptions,
  { path, etag, signal }: { path: string; etag: string | null; signal: AbortSignal | undefined },
): Promise<{ job: AgentJob; etag: string | null } | DocentError | null> {
  try {
    const headers: Record<string, string> = etag === null ? {} : { "If-None-Match": etag };
    const response = await send(transport, { method: "GET", path, headers, signal });
    if (response.status === 304) return null;
    return { job: await readJson<AgentJob>(response), etag: response.headers.get("etag") };
  } catch (error) {
    if (error instanceof DocentError && lost.has(error.code)) return error;
    throw error;
  }
}

// The server sends a heartbeat every 15 s; without a sign of life for so long the connection is dead.
const SILENCE_MS = 60_000;
// After an event with which a job comes to rest nothing more follows, unless it is an old one and the job went on.
const REST_MS = 2_000;
const resting = new Set<string>(["job.completed", "job.failed", "job.archived"]);

/** A job's transcript, each event once and in order, until the job has come to rest. */
export async function* followEvents(
  transport: TransportOptions,
  path: string,
  options: { signal?: AbortSignal; after?: number },
): AsyncGenerator<AgentJobEvent, void, undefined> {
  const { signal } = options;
  let seen = options.after ?? 0;
  let waitMs = RECONNECT_MS;
  let wasConnected = false;
  for (let fruitless = 0; ;) {
    const before = seen;
    let trouble: DocentError | null = null;
    try {
      const connection = await connect(transport, `${path}/stream`, { signal, lastEventId: seen });
      wasConnected = true;
      if (connection === null) return;
      try {
        for (let last = ""; ;) {
          const message = await connection.next(resting.has(last) ? REST_MS : null);
          if (message === "at rest" || (message === "closed" && resting.has(last))) return;
          if (message === "closed") break;
          // It has the job, and no number of its own.
          if (message.type === "done") return;
          if (message.retryMs !== null) waitMs = Math.min(message.retryMs, LONGEST_RECONNECT_MS);
          const event = toEvent(message);
          if (!event || event.seq <= seen) continue;
          seen = event.seq;
          last = event.type;
          yield event;
        }
      } finally {
        connection.hangUp();
      }
      const job = await readJson<AgentJob>(await send(transport, { method: "GET", path, signal }));
      // At rest, and the server had nothing more to tell.
      if (job.status !== "active" && seen === before) return;
    } catch (error) {
      if (!wasConnected || !(error instanceof DocentError) || !lost.has(error.code)) throw error;
      trouble = error;
    }
    fruitless = seen > before ? 0 : fruitless + 1;
    if (fruitless > FRUITLESS_CONNECTIONS) {
      throw trouble ?? new DocentError("no_answer", "The stream of events breaks off again and again.");
    }
    await sleep(Math.min(LONGEST_RECONNECT_MS, waitMs * 2 ** fruitless), signal);
  }
}

// Plain callbacks in place of `await using`: this file also runs where that is not known.
interface Connection {
  /** The next message; `closed` when the connection is gone, `at rest` when none came for `restMs`. */
  next(restMs: number | null): Promise<ServerSentEvent | "closed" | "at rest">;
  hangUp(): void;
}

async function connect(
  transport: TransportOptions,
  path: string,
  { signal, lastEventId }: { signal: AbortSignal | undefined; lastEventId: number },
): Promise<Connection | null> {
  const line = new AbortController();
  const response = await send(transport, {
    method: "GET",
    path,
    headers: { Accept: "text/event-stream", ...(lastEventId > 0 ? { "Last-Event-ID": String(lastEventId) } : {}) },
    signal: signal ? AbortSignal.any([signal, line.signal]) : line.signal,
    isStream: true,
  });
  if (response.status === 204) return null;
  const type = response.headers.get("content-type") ?? "none";
  if (!response.body || !type.startsWith("text/event-stream")) {
    line.abort();
    throw new DocentError(
      "unexpected_answer",
      `The answer is of the type ${type.slice(0, 100)}, not a stream of events.`,
      {
        status: response.status,
        requestId: response.headers.get("x-request-id"),
      },
    );
  }
  let silence = setTimeout(() => line.abort(), SILENCE_MS);
  const messages = readEvents(response.body, () => {
    clearTimeout(silence);
    silence = setTimeout(() => line.abort(), SILENCE_MS);
  });

  async function read(): Promise<ServerSentEvent | "closed"> {
    try {
      const { value, done } = await messages.next();
      return done ? "closed" : value;
    } catch {
      signal?.throwIfAborted();
      return "closed";
    }
  }
  return {
    async next(restMs) {
      if (restMs === null) return read();
      const quiet = new AbortController();
      try {
        return await Promise.race([
          read(),
          sleep(restMs, quiet.signal).then(
            () => "at rest" as const,
            () => "at rest" as const,
          ),
        ]);
      } finally {
        quiet.abort();
      }
    },
    hangUp() {
      clearTimeout(silence);
      line.abort();
    },
  };
}

/** Null for what is no event of a transcript. */
function toEvent({ type, data: text, id }: ServerSentEvent): AgentJobEvent | null {
  const seq = Number(id);
  if (id === null || !Number.isSafeInteger(seq) || seq < 1) return null;
  try {
    const event: unknown = JSON.parse(text);
    if (typeof event !== "object" || event === null) return null;
    // Its further fields are the server's promise, as those of all answers are.
    const read: object = { type, ...event, seq };
    return read as AgentJobEvent;
  } catch {
    return null;
  }
}
