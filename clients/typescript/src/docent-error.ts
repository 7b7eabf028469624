/** The codes of the interface, and three of the client's own. Branch on these, not on messages. */
export type DocentErrorCode =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media_type"
  | "idempotency_mismatch"
  | "rate_limited"
  | "internal"
  | "unavailable"
  /** No answer came: no connection, or none that is the interface's. */
  | "no_answer"
  /** The client gave up waiting. */
  | "timeout"
  /** The server says something that this version of the client does not know. */
  | "unknown";

export interface DocentErrorFacts {
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** What is wrong with which field, when the request was not valid. */
  details: readonly { path: string; message: string }[];
  /** To be named when asking the server's owner for help. */
  requestId: string | null;
  retryAfterMs: number | null;
}

/** The one error that the client throws, save for the reason of a signal that was aborted. */
export class DocentError extends Error implements DocentErrorFacts {
  readonly code: DocentErrorCode;
  readonly status: number | null;
  readonly details: readonly { path: string; message: string }[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(code: DocentErrorCode, message: string, facts: Partial<DocentErrorFacts> & { cause?: unknown } = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "DocentError";
    this.code = code;
    this.status = facts.status ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

const codes: readonly string[] = [
  "invalid",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "too_large",
  "unsupported_media_type",
  "idempotency_mismatch",
  "rate_limited",
  "internal",
  "unavailable",
] satisfies DocentErrorCode[];

const isCode = (code: unknown): code is DocentErrorCode => typeof code === "string" && codes.includes(code);

/** Reads an answer that is not the one asked for. Anything may have sent it, a proxy for one. */
export async function errorOf(response: Response): Promise<DocentError> {
  const { status } = response;
  const retryAfterMs = retryAfter(response.headers.get("retry-after"));
  let body: { error?: unknown; code?: unknown; details?: unknown; requestId?: unknown };
  try {
    body = (await response.json()) as typeof body;
    if (typeof body !== "object" || body === null) body = {};
  } catch {
    body = {};
  }
  const code = isCode(body.code)
    ? body.code
    : status === 429
      ? "rate_limited"
      : status >= 502
        ? "unavailable"
        : "unknown";
  const message = typeof body.error === "string" ? body.error : `The server answered with status ${status}.`;
  return new DocentError(code, message, {
    status,
    retryAfterMs,
    details: Array.isArray(body.details) ? (body.details as { path: string; message: string }[]) : [],
    requestId: typeof body.requestId === "string" ? body.requestId : response.headers.get("x-request-id"),
  });
}

function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return waitMs >= 0 ? waitMs : null;
}
