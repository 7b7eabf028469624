import { DocentError, errorOf } from "./docent-error.ts";

export interface TransportOptions {
  baseUrl: string;
  apiKey: string;
  fetch: typeof globalThis.fetch;
  /** For one request, without its repetitions. */
  timeoutMs: number;
  /** Repetitions after a refusal or a lost answer. */
  retries: number;
  /** Hears why a request is sent again, and after how long. */
  onRetry?: ((error: DocentError, waitMs: number) => void) | undefined;
}

/** Several values of one name are given several times. */
export type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Sent with a POST; one is made when none is given. */
  idempotencyKey?: string | undefined;
  /** An answer that goes on for as long as it likes. */
  isStream?: boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const LARGEST_ANSWER = 32 * 1024 * 1024;
const LARGEST_REFUSAL = 1024 * 1024;

/** Why an attempt has no answer: `refused` for now, which changed nothing; `lost`, which may have changed something. */
interface Failure {
  error: DocentError;
  kind: "refused" | "lost" | "final";
}

/**
 * Sends one call and gives back its answer, which is a 2xx or a 304 with its body read. Refusals for now (429, 503) are
 * repeated after the time that the server asks for, if that is at most half a minute. Lost answers are repeated where
 * that does nothing twice: a POST is sent again with its key, and a PATCH is not. Throws `DocentError`, or the reason of the signal.
 */
export async function send(options: TransportOptions, call: Call): Promise<Response> {
  const url = addressOf(options.baseUrl, call);
  const request = requestOf(options, call);
  let wasLost = false;
  for (let attempt = 0; ; attempt++) {
    call.signal?.throwIfAborted();
    const outcome = await attemptOnce(options, { call, url, request });
    // Not `instanceof Response`: what a caller's own `fetch` gives may be of another class.
    if (!("kind" in outcome)) return outcome;
    const { error, kind } = outcome;
    // The attempt before has deleted it.
    if (wasLost && call.method === "DELETE" && error.status === 404) return new Response(null, { status: 204 });
    const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 4);
    const isWorthIt = kind === "refused" || (kind === "lost" && call.method !== "PATCH");
    if (!isWorthIt || attempt >= options.retries || waitMs > LONGEST_WAIT_MS) throw error;
    wasLost ||= kind === "lost";
    options.onRetry?.(error, waitMs);
    await sleep(waitMs, call.signal);
  }
}

function addressOf(baseUrl: string, call: Call): URL {
  const url = new URL(baseUrl + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === "object" ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}

/** The same in each attempt, its key too. */
function requestOf(options: TransportOptions, call: Call): RequestInit {
  const isPost = call.method === "POST";
  const headers = {
    Authorization: `Bearer ${options.apiKey}`,
    Accept: "application/json",
    ...(call.body !== undefined && { "Content-Type": "application/json" }),
    ...(isPost && { "Idempotency-Key": call.idempotencyKey ?? crypto.randomUUID() }),
    ...call.headers,
  };
  try {
    new Headers(headers);
    return {
      method: call.method,
      headers,
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      redirect: "manual", // the key is for one server
    };
  } catch (cause) {
    throw new DocentError("invalid", "The body cannot be written as JSON, or a header has a line break in it.", {
      cause,
    });
  }
}

async function attemptOnce(
  options: TransportOptions,
  { call, url, request }: { call: Call; url: URL; request: RequestInit },
): Promise<Response | Failure> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), options.timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, limit.signal]) : limit.signal;
  try {
    const response = await options.fetch(url, { ...request, signal });
    const { status } = response;
    if (response.ok || status === 304) return call.isStream ? response : await complete(response);
    if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) return redirected(response);
    const error = errorOf(response, await refusalText(response));
    return { error, kind: status === 429 || status === 503 ? "refused" : status >= 502 ? "lost" : "final" };
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (cause instanceof DocentError) return { error: cause, kind: "final" };
    const error = limit.signal.aborted
      ? new DocentError("timeout", `No answer came within ${options.timeoutMs} ms.`, { cause })
      : new DocentError("no_answer", `${url.origin} could not be reached, or the answer broke off${reasonOf(cause)}.`, {
          cause,
        });
    return { error, kind: "lost" };
  } finally {
    clearTimeout(timer);
  }
}

/** Why, which `fetch` hides below its own “fetch failed”: what the deepest cause says. */
function reasonOf(thrown: unknown): string {
  let reason = "";
  let cause = thrown;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    const { code } = cause as { code?: unknown };
    reason = cause.message || (typeof code === "string" ? code : reason);
    cause = cause.cause;
  }
  return reason === "" ? "" : `: ${reason.slice(0, 200)}`;
}

function redirected({ status, headers }: Response): Failure {
  const place = headers.get("location");
  const to = place === null ? "elsewhere" : `to ${place.slice(0, 200)}`;
  const message = `The server sends on ${to}. Give the address as the server itself has it, often with https://.`;
  return { error: new DocentError("unexpected_answer", message, { status: status || null }), kind: "final" };
}

/** The same answer with its body already here, so that a connection lost on the way counts as no answer. */
async function complete(response: Response): Promise<Response> {
  const text = await readText(response, LARGEST_ANSWER);
  const { status, statusText, headers } = response;
  if (text === null) {
    const message = `The answer has more than ${LARGEST_ANSWER / 1024 / 1024} MB. Ask for a smaller page.`;
    throw new DocentError("unexpected_answer", message, { status, requestId: headers.get("x-request-id") });
  }
  return new Response(status === 204 || status === 304 ? null : text, { status, statusText, headers });
}

async function refusalText(response: Response): Promise<string> {
  // The status says enough where the rest does not come.
  return (await readText(response, LARGEST_REFUSAL).catch(() => null)) ?? "";
}

/** The body as text; null for one that is larger than `limit` bytes. */
export async function readText({ body }: Response, limit: number): Promise<string | null> {
  if (!body) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Waits, or throws the signal's reason as soon as it fires. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The answer's JSON. The shape of the object is the server's promise, not checked again. */
export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  let cause: unknown;
  try {
    const read = JSON.parse(text) as T;
    if (typeof read === "object" && read !== null) return read;
  } catch (error) {
    cause = error;
  }
  const { status, headers } = response;
  const seen = /^\s*</.test(text) ? "a page of HTML" : "no JSON of the interface";
  throw new DocentError("unexpected_answer", `The answer is ${seen}: is this the address of a Docent server?`, {
    status,
    requestId: headers.get("x-request-id"),
    cause,
  });
}
