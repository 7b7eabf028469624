import type { z } from "zod";
import { cutSecrets } from "#git/process/runner.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { OutboundHttp, OutboundResult } from "#lib/network/outbound-http.ts";
import { createKeyedMutex } from "#lib/waiting/mutex.ts";
import type { Connection } from "./connections.ts";

/** A host, and how requests to it authenticate. */
export interface CalledHost {
  /** The host's display name. */
  readonly name: string;
  /** Headers of every request. */
  headers(token: Secret): Record<string, string>;
}

export interface HostRequest {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Relative to the base address of the API: `/repos/acme/docs`. */
  path: string;
  body?: unknown;
  /** Failure statuses that the caller handles itself. */
  answers?: readonly number[];
  /** Not idempotent: it is not retried when the response is lost. */
  isOnce?: boolean;
  /** A secret in the body; redacted from the host's responses, like the token. */
  secret?: Secret;
}

export interface HostAnswer {
  status: number;
  /** Parsed JSON; null when empty. Not validated. */
  body: unknown;
  /**
   * The body, validated by this schema. `AppError unavailable` otherwise: a proxy's page or a host under maintenance
   * may respond 200, too.
   */
  read<T>(shape: z.ZodType<T>): T;
}

/**
 * Sends one request to a host, for one connection. Throws `AppError`: `forbidden` when the token is refused or lacks a
 * permission, `not_found`, `rate_limited` and `unavailable` with the time to wait.
 */
export type HostCall = (request: HostRequest) => Promise<HostAnswer>;

/** The host redirects. The token is never sent to the target: the repository is found by its id or name instead. */
export class RepositoryMoved extends AppError {
  /** Where the redirect says that the repository is; null if it does not say. */
  readonly place: { id: string } | { path: string } | null;

  constructor(host: string, options: { to?: string | undefined; cause?: unknown } = {}) {
    const message = `${host} sends elsewhere: the repository was moved. Connect its new address.`;
    super("forbidden", message, { cause: options.cause });
    this.place = placeIn(options.to ?? "");
  }
}

/** GitHub and GitLab redirect to the repository by its id, Gitea to its new name (2026). */
function placeIn(location: string): RepositoryMoved["place"] {
  const id = /\/(?:repositories|projects)\/(\d+)(?:[/?]|$)/.exec(location)?.[1];
  if (id !== undefined) return { id };
  const path = /\/repos\/([^/?]+\/[^/?]+)/.exec(location)?.[1];
  return path === undefined ? null : { path };
}

const TIMEOUT_MS = 20_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Delays before retries, for requests that are idempotent or that find the result of an earlier attempt. */
const REPEAT_AFTER_MS = [500, 2_000];
/** A host that asks for a longer wait is reported, and retried later. */
const MAX_PATIENCE_SECONDS = 10;
/** Rate limits last an hour at most. A host that asks for a longer wait is asked again after the maximum. */
const MAX_WAIT_SECONDS = 3_600;
const MAX_REMEMBERED_BYTES = 16 * 1024 * 1024;
const MAX_LIMITED = 2_000;

export interface HostCallDeps {
  outboundHttp: OutboundHttp;
  clock: Clock;
  version: string;
  sleep: Sleep;
}

/** Waits; tests return at once. */
export type Sleep = (milliseconds: number) => Promise<void>;

/** Creates calls for connections; they share a cache of responses and the order of writes. */
export function createHostCalls({ outboundHttp, clock, version, sleep }: HostCallDeps) {
  const writing = createKeyedMutex();
  const remembered = createLruCache<string, { etag: string; body: Buffer }>({
    maxWeight: MAX_REMEMBERED_BYTES,
    weigh: ({ body }) => body.length + 1_000,
  });
  /** Rate-limited tokens. A client that keeps sending is locked out (GitHub's rate limits, 2026). */
  const limited = createLruCache<string, { saidAt: number; seconds: number }>({ maxWeight: MAX_LIMITED });

  function secondsToWait(key: string): number | null {
    const limit = limited.get(key);
    const passed = limit ? (clock.now().getTime() - limit.saidAt) / 1_000 : 0;
    // After the clock was set back, the limit no longer applies.
    return limit && passed >= 0 && passed < limit.seconds ? Math.ceil(limit.seconds - passed) : null;
  }

  /** `signal` aborts requests in flight, and later ones. */
  return (host: CalledHost, connection: Pick<Connection, "apiUrl" | "token">, signal?: AbortSignal): HostCall => {
    const { apiUrl, token } = connection;
    const caller = `${apiUrl} ${token.reveal()}`;
    const base = {
      Accept: "application/json",
      "User-Agent": `Docent/${version}`,
      ...host.headers(token),
    };

    async function sendOnce(request: HostRequest): Promise<OutboundResult> {
      const url = apiUrl + request.path;
      // Keyed by token, too: one token may see what another may not.
      const key = `${token.reveal()} ${url}`;
      const known = request.method === "GET" ? remembered.get(key) : undefined;
      const result = await outboundHttp.send({
        url,
        method: request.method,
        headers: {
          ...base,
          ...(known && { "If-None-Match": known.etag }),
          ...(request.body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        ...(signal && { signal }),
      });
      if (!result.ok) return result;
      // A host's messages may be shown to people, and some hosts echo the request.
      result.body = withoutSecrets(result, request.secret ? [token, request.secret] : [token]);
      if (result.status === 304 && known) return { ...result, status: 200, body: known.body };
      const etag = result.headers["etag"];
      if (request.method === "GET" && result.status === 200 && etag) remembered.set(key, { etag, body: result.body });
      return result;
    }

    async function send(request: HostRequest): Promise<HostAnswer> {
      for (let repeat = 0; ; repeat++) {
        const limit = secondsToWait(caller);
        if (limit !== null) throw rateLimitError(host, limit);
        const result = await sendOnce(request);
        const failure = result.ok ? failureOf(host, request, result, clock.now()) : networkFailure(host, result);
        if (failure === null && result.ok) return answered(host, result);
        const isLost = request.isOnce === true && failure!.code === "unavailable";
        const waitMs =
          !isLost && repeat < REPEAT_AFTER_MS.length ? retryDelayMs(failure!, REPEAT_AFTER_MS[repeat]!) : null;
        if (waitMs === null && failure!.code === "rate_limited") {
          limited.set(caller, { saidAt: clock.now().getTime(), seconds: failure!.retryAfterSeconds ?? 0 });
        }
        if (waitMs === null || signal?.aborted === true) throw failure!;
        await sleep(waitMs);
      }
    }
    // GitHub's advice on secondary limits (2026): one write at a time per credential.
    return (request) => (request.method === "GET" ? send(request) : writing.run(caller, () => send(request)));
  };
}

export type HostCalls = ReturnType<typeof createHostCalls>;

/** How long to wait before a retry of the same request; null when that would not help soon. */
function retryDelayMs(failure: AppError, usualMs: number): number | null {
  if (failure.code !== "unavailable" && failure.code !== "rate_limited") return null;
  if (failure.retryAfterSeconds === undefined) return failure.code === "unavailable" ? usualMs : null;
  return failure.retryAfterSeconds <= MAX_PATIENCE_SECONDS
    ? Math.max(failure.retryAfterSeconds * 1_000, usualMs)
    : null;
}

function networkFailure(host: CalledHost, result: OutboundResult & { ok: false }): AppError {
  if (result.reason === "refused")
    return new AppError("forbidden", `${host.name} may not be reached: ${result.message}`);
  return new AppError("unavailable", `${host.name} does not answer: ${result.message}`);
}

type Answered = OutboundResult & { ok: true };

/** The failure that a response means; null when it succeeded, or the caller handles it. */
function failureOf(host: CalledHost, request: HostRequest, result: Answered, now: Date): AppError | null {
  const { status } = result;
  if (result.isCut) return new AppError("too_large", `${host.name} sent a response that is too large.`);
  const waitSeconds = limitedFor(result, now);
  if (waitSeconds !== null) return rateLimitError(host, waitSeconds);
  if (status < 300 || request.answers?.includes(status)) return null;
  const hostWords = hostMessage(parseBody(result.body));
  if (status === 401) {
    return new AppError(
      "forbidden",
      `${host.name} refused the token: it is wrong, or has expired. Make a new one; \`docent projects token\` gives it to a connected project.`,
    );
  }
  if (status === 403) return new AppError("forbidden", `${host.name} does not allow it with this token: ${hostWords}`);
  if (status === 404 || status === 410) return new AppError("not_found", `${host.name} does not know it: ${hostWords}`);
  if (status >= 300 && status < 400) return new RepositoryMoved(host.name, { to: result.headers["location"] });
  if (status >= 500) return new AppError("unavailable", `${host.name} answered with an error (${status}).`);
  return new AppError("conflict", `${host.name} refused it (${status}): ${hostWords}`);
}

function rateLimitError(host: CalledHost, retryAfterSeconds: number): AppError {
  const message = `${host.name} asks to wait: it takes no more requests with this token for now.`;
  return new AppError("rate_limited", message, { retryAfterSeconds });
}

/** Seconds that a host asks to wait for its rate limit; null when it is not limited. */
function limitedFor({ status, headers, body }: Answered, now: Date): number | null {
  const after = Number(headers["retry-after"]);
  const isSecondary = status === 403 && /secondary rate limit|abuse/i.test(body.subarray(0, 2_000).toString("utf8"));
  if (status !== 429 && !isSecondary && !(status === 403 && headers["x-ratelimit-remaining"] === "0")) return null;
  if (Number.isFinite(after) && headers["retry-after"] !== undefined)
    return Math.min(MAX_WAIT_SECONDS, Math.max(0, after));
  const reset = Number(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]);
  const seconds = reset - now.getTime() / 1_000;
  return Number.isFinite(seconds) ? Math.min(MAX_WAIT_SECONDS, Math.max(1, Math.ceil(seconds))) : 60;
}

function answered(host: CalledHost, { status, body: bytes }: Answered): HostAnswer {
  const body = parseBody(bytes);
  return {
    status,
    body,
    read(shape) {
      const found = shape.safeParse(body);
      if (found.success) return found.data;
      const message = `${host.name} answered what cannot be read: it may be under repair, or something stands before it.`;
      throw new AppError("unavailable", message, { cause: found.error });
    },
  };
}

/** Redacts the decoded message: JSON may escape each letter. */
function withoutSecrets({ status, body }: Pick<Answered, "status" | "body">, secrets: readonly Secret[]): Buffer {
  const parsed = status < 300 ? null : parseBody(body);
  const text = parsed === null ? body.toString("utf8") : JSON.stringify(parsed);
  const cut = cutSecrets(text, secrets);
  return cut === text ? body : Buffer.from(cut);
}

function parseBody(body: Buffer): unknown {
  try {
    return body.length === 0 ? null : (JSON.parse(body.toString("utf8")) as unknown);
  } catch {
    return null;
  }
}

const MAX_SAID = 400;

/**
 * The message of a host's error, in the shapes that they use: `message`, `error`, `errors[].message`, and GitHub's
 * `{"resource": "Label", "field": "color", "code": "invalid"}`.
 */
export function hostMessage(body: unknown): string {
  const words: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (depth > 3 || words.join(" ").length > MAX_SAID) return;
    if (typeof value === "string") words.push(value);
    else if (Array.isArray(value)) for (const entry of value.slice(0, 5)) collect(entry, depth + 1);
    else if (typeof value === "object" && value !== null) {
      const { message, error, errors, field, code } = value as Record<string, unknown>;
      if (message === undefined && typeof field === "string")
        words.push(`${field}: ${String(code).replaceAll("_", " ")}.`);
      for (const part of [message, error, errors]) if (part !== undefined) collect(part, depth + 1);
    }
  };
  collect(body, 0);
  return words.join(" ").replaceAll(/\s+/g, " ").slice(0, MAX_SAID) || "no reason given.";
}
