import type { OpenAPIHono } from "@hono/zod-openapi";

type Components = NonNullable<ReturnType<OpenAPIHono["getOpenAPI31Document"]>["components"]>;

/**
 * Every header that a response can have in addition to those of HTTP itself. `required`: always present where the
 * operation names the header. The document's `components.headers`.
 */
export const ANSWER_HEADERS = {
  "X-Request-Id": {
    description:
      "Names the request, in the server's log too. The caller's own, where it sent one of 8 to 64 letters, digits, `_`, `.` or `-`.",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9_.-]{8,64}$", examples: ["req_01m7xv5hckfkpv35y27gys8bbd"] },
  },
  ETag: {
    description: "Names this version. Send it as `If-None-Match` to be told 304 while nothing has changed.",
    required: true,
    schema: { type: "string", pattern: '^(W/)?".+"$' },
  },
  Location: {
    description: "Path of what was made.",
    required: true,
    schema: { type: "string", format: "uri-reference", pattern: "^/" },
  },
  "Cache-Control": {
    description: "Who may keep the answer, and for how long.",
    required: false,
    schema: { type: "string" },
  },
  Deprecation: {
    description: "Since when the operation is deprecated, as seconds since 1970 (RFC 9745). Absent of all others.",
    required: false,
    schema: { type: "string", pattern: "^@\\d+$" },
  },
  Sunset: {
    description: "Until when a deprecated operation is answered, at least (RFC 8594).",
    required: false,
    schema: { type: "string", pattern: " GMT$" },
  },
  Vary: {
    description: "The request headers that another answer may follow from.",
    required: false,
    schema: { type: "string" },
  },
  Link: {
    description: 'The next page, relative to this address: `<?…>; rel="next"` (RFC 8288). Absent on the last page.',
    required: false,
    schema: { type: "string", pattern: '^<[^>]+>; rel="next"$' },
  },
  "RateLimit-Limit": {
    description: "Calls of this kind that the project has in any 60 minutes. Absent where nothing was counted.",
    required: false,
    schema: { type: "integer", minimum: 1 },
  },
  "RateLimit-Remaining": {
    description: "Calls that are left now.",
    required: false,
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Reset": {
    description: "Seconds until some of the calls that count now count no more.",
    required: false,
    schema: { type: "integer", minimum: 0 },
  },
  "Retry-After": {
    description: "Seconds after which to try again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: { type: "string", pattern: "^Bearer " },
  },
  "Idempotent-Replayed": {
    description: "`true` when the request was carried out before, and this is its answer again. Absent otherwise.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  "Content-Disposition": {
    description: "The name of the file, where the answer is CSV.",
    required: false,
    schema: { type: "string", pattern: '^attachment; filename="[a-z-]+\\.csv"$' },
  },
  "X-Content-Type-Options": {
    description: "`nosniff` where the answer is a patch.",
    required: false,
    schema: { type: "string", enum: ["nosniff"] },
  },
  "X-Accel-Buffering": {
    description: "Has a proxy pass the events on as they come.",
    required: true,
    schema: { type: "string", enum: ["no"] },
  },
  "Docent-Visitor-Epochs": {
    description:
      "How many visitor secrets the range reaches over. With more than 1 the counts are the sums of those parts: somebody who came in two of them counts twice.",
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
