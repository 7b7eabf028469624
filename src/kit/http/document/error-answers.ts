import type { ErrorCode } from "#lib/app-error.ts";
import { type AnswerHeader, headersOf, RATE_LIMIT_HEADERS } from "./answer-headers.ts";

interface ErrorAnswer {
  /** Its key in `components.responses`. */
  name: string;
  description: string;
  code: ErrorCode;
  headers?: readonly AnswerHeader[];
}

/** The meaning of an error response, by status. */
export const ERROR_ANSWERS = {
  400: { name: "Invalid", description: "The input is invalid; `details` says where.", code: "invalid" },
  401: {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    code: "unauthorized",
    headers: ["WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "The scope of the key does not allow the request, or the key may not be used from the client's address.",
    code: "forbidden",
  },
  404: {
    name: "NotFound",
    description: "The resource does not exist, or the key may not access it.",
    code: "not_found",
  },
  409: { name: "Conflict", description: "The request is not possible in the current state.", code: "conflict" },
  412: {
    name: "PreconditionFailed",
    description: "The resource does not match `If-Match`, or no longer matches it.",
    code: "precondition_failed",
  },
  413: { name: "TooLarge", description: "The request body or the response is too large.", code: "too_large" },
  415: { name: "UnsupportedMediaType", description: "The request body is not JSON.", code: "unsupported_media_type" },
  422: {
    name: "IdempotencyMismatch",
    description: "The `Idempotency-Key` was already used with a different request.",
    code: "idempotency_mismatch",
  },
  429: {
    name: "RateLimited",
    description: "Too many calls; `Retry-After` says when to retry.",
    code: "rate_limited",
    headers: ["Retry-After"],
  },
  431: { name: "HeadersTooLarge", description: "The request headers exceed 16 KiB.", code: "too_large" },
  500: {
    name: "Internal",
    description: "Internal server error; the server's log lists the request by its ID.",
    code: "internal",
  },
  503: {
    name: "Unavailable",
    description:
      "The server is starting or stopping, or cannot reach its store. Retry after the time in `Retry-After`.",
    code: "unavailable",
    headers: ["Retry-After"],
  },
} as const satisfies Record<number, ErrorAnswer>;

export type ErrorStatus = keyof typeof ERROR_ANSWERS;

/** Errors that every operation can return. */
const EVERYWHERE = [400, 401, 403, 404, 431, 500, 503] as const satisfies readonly ErrorStatus[];
/** Errors that are returned before the operation itself is checked. */
const BEFORE_ALL: readonly ErrorStatus[] = [401, 403, 431];

/** Headers of errors that come after the key was checked, when the call of a report has already been counted. */
const AFTER_THE_KEY: readonly AnswerHeader[] = ["Vary", ...RATE_LIMIT_HEADERS];
/** Headers of every error: the caller of a deprecated operation is warned there, too. */
const ALWAYS: readonly AnswerHeader[] = ["Cache-Control", "Deprecation", "Sunset"];

/** The error responses of an operation: those that all have, and `further`. */
export function errorAnswers(further: readonly ErrorStatus[] = []): Record<string, { $ref: string }> {
  const statuses = [...new Set([...EVERYWHERE, ...further])].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ERROR_ANSWERS[status].name}` }]),
  );
}

/** The document's `components.responses`. */
export function errorResponses() {
  const all = Object.entries(ERROR_ANSWERS) as unknown as [string, ErrorAnswer][];
  return Object.fromEntries(
    all.map(([status, { name, description, headers = [] }]) => {
      const counted = BEFORE_ALL.includes(Number(status) as ErrorStatus) ? [] : AFTER_THE_KEY;
      return [
        name,
        {
          description,
          headers: headersOf([...headers, ...counted, ...ALWAYS]),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ];
    }),
  );
}
