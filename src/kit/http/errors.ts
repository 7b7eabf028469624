import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isOutOfReach, isStoreDamaged, isStoreFull, isUnwritable } from "#db/database.ts";
import { AppError, type ErrorCode } from "#lib/app-error.ts";
import { isDiskFull } from "#lib/disk-full.ts";

/** The only place that maps an error code to a status. */
const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const DEFAULT_RETRY_SECONDS = 5;

/**
 * One message for everything that does not exist or is not visible to the caller, so that the two cannot be told apart.
 */
export const NOT_FOUND_MESSAGE = "There is nothing here, or this key may not see it.";

export const notFound = () => new AppError("not_found", NOT_FOUND_MESSAGE);

/** The only distinguishable 404: it depends on the form of the id alone, not on what exists or on the caller. */
class NotAProjectId extends AppError {
  constructor() {
    super("not_found", "Use the project's ID here (`prj_…`), not its name. The API keys page of the project shows it.");
  }
}

/** The error for a project that does not exist or is not visible to the caller. */
export const noProject = (asked: string | null): AppError =>
  asked === null || asked.startsWith("prj_") ? notFound() : new NotAProjectId();

/** Errors of Hono's own middleware and validators, in the API's words. */
const REFUSALS: Partial<Record<number, AppError>> = {
  400: new AppError("invalid", "The request cannot be read."),
  413: new AppError("too_large", "The request's body is too large."),
  415: new AppError("unsupported_media_type", "The body's `Content-Type` is not one that this address takes."),
};

function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const refusal = error instanceof HTTPException ? REFUSALS[error.status] : undefined;
  if (refusal) return refusal;
  if (isCutRequest(error)) return new AppError("invalid", "The request ended before its body did.");
  if (isDiskFull(error) || isStoreFull(error))
    return new AppError("unavailable", "The server's disk is full. Try again later.", { retryAfterSeconds: 60 });
  if (isStoreDamaged(error)) {
    const message = "The server's database is damaged. Whoever operates the server has to restore it.";
    return new AppError("unavailable", message, { retryAfterSeconds: 60 });
  }
  if (isUnwritable(error))
    return new AppError("unavailable", "The server's database accepts no changes at the moment. Try again soon.");
  if (isOutOfReach(error)) return new AppError("unavailable", "The server's database is unavailable. Try again soon.");
  return new AppError("internal", "Something went wrong on our side. It has been logged.");
}

/**
 * Node's error for a request body whose client disconnected; database drivers use the same code with other messages.
 */
const isCutRequest = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: string }).code === "ECONNRESET" && error.message === "aborted";

/** Status, headers and body of an error response. Unknown errors are opaque. */
export function errorAnswer(error: unknown, requestId: string) {
  const known = knownError(error);
  const headers: Record<string, string> = { "Cache-Control": "no-store", ...known.headers };
  if (known.code === "unauthorized") headers["WWW-Authenticate"] ??= 'Bearer realm="docent"';
  if (known.code === "unavailable") headers["Retry-After"] = String(known.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS);
  if (known.retryAfterSeconds !== undefined) headers["Retry-After"] = String(known.retryAfterSeconds);
  return {
    status: STATUS[known.code],
    headers,
    body: {
      error: known.code === "not_found" && !(known instanceof NotAProjectId) ? NOT_FOUND_MESSAGE : known.message,
      code: known.code,
      ...(known.details && known.details.length > 0 && { details: known.details }),
      requestId,
    },
  };
}

/** Whether to log it: our faults are; a caller's mistakes and requests refused because of load are not. */
export function isOurFault(error: unknown): boolean {
  const { code, isBusy } = knownError(error);
  return code === "internal" || (code === "unavailable" && !isBusy);
}
