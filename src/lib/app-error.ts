/** Every failure a caller of Docent can meet over HTTP; the HTTP status is chosen in `kit/http/errors.ts` alone. */
export const ERROR_CODES = [
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
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetail {
  /** Dotted path of the offending field, `""` for the whole input. */
  path: string;
  message: string;
}

interface AppErrorOptions {
  cause?: unknown;
  reason?: string;
  details?: ErrorDetail[];
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /**
   * Refused because the caller's project, or all projects together, have too many requests in progress: nothing is
   * broken.
   */
  isBusy?: boolean;
  headers?: Record<string, string>;
}

/**
 * The one error type that carries a message for the caller. `message` is sent to clients, so it must not contain
 * internal details.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isBusy: boolean;
  /** Why, for people at the server's machine, with what to do; never sent to clients. */
  readonly reason: string | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isBusy = options.isBusy ?? false;
    this.reason = options.reason;
    this.headers = options.headers ?? {};
  }
}

/** A request that is refused because this process is stopping. That is not a fault, so the log has no stack for it. */
export class ShuttingDown extends AppError {
  constructor() {
    super("unavailable", "The server is shutting down.");
  }
}

/** Whether an error was caused by the shutdown of this process, even if it has been wrapped since. */
export function isShutdown(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ShuttingDown) return true;
  return false;
}

/** The message of any thrown value, for logs and wrapped errors. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
