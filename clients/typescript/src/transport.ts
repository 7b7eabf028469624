import { DocentError, type DocentErrorCode, errorOf } from "./docent-error.ts";

export interface TransportOptions {
  baseUrl: string;
  apiKey: string;
  fetch: typeof globalThis.fetch;
  /** For one request, without its repetitions. */
  timeoutMs: number;
  /** Repetitions after a refusal or a lost answer. */
  retries: number;
}

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** Several values of one name are given several times. */
  query?: Record<string, string | number | readonly string[] | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Sent with a POST; one is made when none is given. */
  idempotencyKey?: string | undefined;
  /** An answer that goes on for as long as it likes. */
  isStream?: boolean;
}

/** Refusals for now, and lost answers: a GET changes nothing, and the server knows a POST by its key. */
const WORTH_A_REPETITION = new Set<DocentErrorCode>(["rate_limited", "unavailable", "no_answer", "timeout"]);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends one call and gives back its answer, which is a 2xx or a 304. Refusals for now (429, 503) are repeated after
 * the time the server asks for, if that is under half a minute; lost answers as well. Throws `DocentError`, or the reason of
 * the signal.
 */
export async function send(options: TransportOptions, given: Call): Promise<Response> {
  const { idempotencyKey = crypto.randomUUID() } = given;
  const isPost = given.method === "POST";
  const call = isPost ? { ...given, headers: { ...given.headers, "Idempotency-Key": idempotencyKey } } : given;
  const url = new URL(options.baseUrl + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined) continue;
    for (const one of typeof value === "object" ? value : [value]) url.searchParams.append(name, String(one));
  }
  for (let attempt = 0; ; attempt++) {
    call.signal?.throwIfAborted();
    const outcome = await attemptOnce(options, call, url);
    // Not `instanceof Response`: what a caller's own `fetch` gives may be of another class.
    if (!(outcome instanceof DocentError)) return outcome;
    const waitMs = outcome.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt;
    const isWorthIt = WORTH_A_REPETITION.has(outcome.code);
    if (!isWorthIt || attempt >= options.retries || waitMs > LONGEST_WAIT_MS) throw outcome;
    await sleep(waitMs, call.signal);
  }
}

async function attemptOnce(options: TransportOptions, call: Call, url: URL): Promise<Response | DocentError> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), options.timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, limit.signal]) : limit.signal;
  try {
    const response = await options.fetch(url, {
      method: call.method,
      headers: {
        Authorization: `Bearer ${options.apiKey}`,
        ...(call.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal,
      redirect: "error", // the key is for one server
    });
    if (response.ok || response.status === 304) return call.isStream ? response : await complete(response);
    return await errorOf(response);
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (limit.signal.aborted)
      return new DocentError("timeout", `No answer came within ${options.timeoutMs} ms.`, { cause });
    return new DocentError("no_answer", `The server at ${url.origin} could not be reached.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The same answer with its body already here, so that a connection lost on the way counts as no answer. */
async function complete(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(status === 204 || status === 304 ? null : text, { status, statusText, headers });
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

/** The answer's JSON. Its shape is the server's promise, not checked again. */
export async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new DocentError("no_answer", "The answer is not JSON: is this the address of a Docent server?", {
      status: response.status,
      cause,
    });
  }
}
