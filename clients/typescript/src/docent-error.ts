const INTERFACE_CODES = [
  "invalid",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "precondition_failed",
  "too_large",
  "unsupported_media_type",
  "idempotency_mismatch",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

/** The codes of the interface, and four of the client's own. Branch on these, not on messages. */
export type DocentErrorCode =
  | (typeof INTERFACE_CODES)[number]
  /** No answer came: no connection, or it broke off. */
  | "no_answer"
  /** An answer came that is not a Docent server's: a page of HTML, a redirect, more than the client takes. */
  | "unexpected_answer"
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

/** Reads a refusal. Anything may have sent it, a proxy for one; `text` is its body. */
export function errorOf({ status, headers }: Pick<Response, "status" | "headers">, text: string): DocentError {
  const body = objectIn(text);
  const isPage = /^\s*</.test(text);
  const code =
    INTERFACE_CODES.find((one) => one === body["code"]) ??
    (status === 429 ? "rate_limited" : status >= 502 ? "unavailable" : isPage ? "unexpected_answer" : "unknown");
  const { details, requestId } = body;
  const said =
    code === "unexpected_answer"
      ? `The answer is a page of HTML with status ${status}: is this the address of a Docent server?`
      : `The server answered with status ${status}.`;
  const error = typeof body["error"] === "string" ? body["error"] : said;
  return new DocentError(code, error, {
    status,
    retryAfterMs: retryAfter(headers.get("retry-after")),
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    requestId: typeof requestId === "string" ? requestId : headers.get("x-request-id"),
  });
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

function isDetail(value: unknown): value is { path: string; message: string } {
  if (typeof value !== "object" || value === null || !("path" in value) || !("message" in value)) return false;
  return typeof value.path === "string" && typeof value.message === "string";
}

function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return waitMs >= 0 ? waitMs : null;
}
