import type { OpenAPIHono } from "@hono/zod-openapi";

type Components = NonNullable<ReturnType<OpenAPIHono["getOpenAPI31Document"]>["components"]>;

/**
 * Every header that a response can have in addition to those of HTTP itself. `required`: always present where the
 * operation names the header. The document's `components.headers`.
 */
export const ANSWER_HEADERS = {
  "X-Request-Id": {
    description:
      "Identifier of the request, which the server's log also contains. If the request has an `X-Request-Id` of 8 to 64 letters, digits, `_`, `.` or `-`, the server uses that one.",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9_.-]{8,64}$", examples: ["req_01m7xv5hckfkpv35y27gys8bbd"] },
  },
  ETag: {
    description: "Version of the resource. Send it as `If-None-Match` to receive 304 if nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^(W/)?".+"$' },
  },
  Location: {
    description: "Path of the created resource.",
    required: true,
    schema: { type: "string", format: "uri-reference", pattern: "^/" },
  },
  "Cache-Control": {
    description: "Who may cache the response, and for how long.",
    required: false,
    schema: { type: "string" },
  },
  Deprecation: {
    description:
      "Time since which the operation is deprecated, in seconds since 1970 (RFC 9745). Omitted if the operation is not deprecated.",
    required: false,
    schema: { type: "string", pattern: "^@\\d+$" },
  },
  Sunset: {
    description:
      "Date and time until which a deprecated operation remains available at least (RFC 8594). Omitted if the operation is not deprecated.",
    required: false,
    schema: { type: "string", pattern: " GMT$" },
  },
  Vary: {
    description: "Request headers that the response depends on.",
    required: false,
    schema: { type: "string" },
  },
  Link: {
    description:
      'Link to the next page, relative to the request URL: `<?…>; rel="next"` (RFC 8288). Omitted on the last page.',
    required: false,
    schema: { type: "string", pattern: '^<[^>]+>; rel="next"$' },
  },
  "RateLimit-Limit": {
    description:
      "Number of calls of this kind that the project may make in any 60 minutes. Omitted if the call was not counted.",
    required: false,
    schema: { type: "integer", minimum: 1 },
  },
  "RateLimit-Remaining": {
    description: "Number of calls left in the current window. Omitted if the call was not counted.",
    required: false,
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Reset": {
    description:
      "Number of seconds until some of the counted calls leave the current window. Omitted if the call was not counted.",
    required: false,
    schema: { type: "integer", minimum: 0 },
  },
  "Retry-After": {
    description: "Number of seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "Authentication scheme to use (RFC 6750).",
    required: true,
    schema: { type: "string", pattern: "^Bearer " },
  },
  "Idempotent-Replayed": {
    description:
      "`true` if the server had already carried out the request and repeats the response. Omitted otherwise.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  "Content-Disposition": {
    description: "Name of the file. Omitted if the response is not CSV.",
    required: false,
    schema: { type: "string", pattern: '^attachment; filename="[a-z-]+\\.csv"$' },
  },
  "X-Content-Type-Options": {
    description: "`nosniff` if the response is a patch. Omitted otherwise.",
    required: false,
    schema: { type: "string", enum: ["nosniff"] },
  },
  "X-Accel-Buffering": {
    description: "`no`, which tells proxies to pass events on without buffering.",
    required: true,
    schema: { type: "string", enum: ["no"] },
  },
  "Docent-Visitor-Epochs": {
    description:
      "Number of visitor secrets that the range spans. If it is greater than 1, the counts are the sums of the parts with one secret each, and a visitor in two of the parts counts twice.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
} satisfies NonNullable<Components["headers"]>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

export const RATE_LIMIT_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** The headers of a response as the document lists them; each response has `X-Request-Id`. */
export function headersOf(names: readonly AnswerHeader[]): Record<string, { $ref: string }> {
  const all: AnswerHeader[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
