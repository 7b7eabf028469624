import { countRead, setRateLimit } from "#kit/limits/rate-limit.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { preferredType } from "#lib/network/accept-header.ts";
import type { HttpContext } from "#kit/http/context.ts";
import { type AnswerHeader, RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";

/** The headers of a report. */
export const REPORT_HEADERS: readonly AnswerHeader[] = [
  "Cache-Control",
  "Vary",
  "Link",
  "Content-Disposition",
  ...RATE_LIMIT_HEADERS,
];

/** Counts a call of the analytics API for its limit, and sets the headers that each of its responses has. */
export async function countAnalyticsCall(
  c: HttpContext,
  deps: { database: Database; clock: Clock; analyticsCallsPerHour: number },
): Promise<void> {
  const { projectId } = c.get("principal");
  const state = await countRead(deps.database.kysely, {
    projectId,
    bucket: "analytics",
    limit: deps.analyticsCallsPerHour,
    now: deps.clock.now(),
  });
  setRateLimit(c, state);
  c.header("Vary", "Accept");
  c.header("Cache-Control", "private, no-cache");
}

/** Whether a caller prefers CSV, by its `Accept` header. */
export const wantsCsv = (c: HttpContext) =>
  preferredType(c.req.header("accept") ?? "", ["application/json", "text/csv"]) === "text/csv";

/** `Link: <…>; rel="next"` (RFC 8288): CSV has no place for `hasMore`. Relative, so that it works behind a proxy. */
export function linkNextPage(c: HttpContext, rows: number): void {
  const url = new URL(c.req.url);
  url.searchParams.set("offset", String(Number(url.searchParams.get("offset") ?? 0) + rows));
  c.header("Link", `<?${url.searchParams.toString()}>; rel="next"`);
}

/** A cursor for lists whose rows are sums without an id. */
export const offsetCursor = (offset: number): string => Buffer.from(String(offset)).toString("base64url");

/** @throws AppError `invalid` for a cursor that no page returned. */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const details = [{ path: "cursor", message: "must be a cursor that a page gave" }];
  throw new AppError("invalid", "The query is not valid: cursor must be a cursor that a page gave.", { details });
}

/** The response as a file, for a route whose document describes its JSON. */
export function csvAnswer(c: HttpContext, name: string, text: string): never {
  c.header("Content-Type", "text/csv; charset=utf-8");
  c.header("Content-Disposition", `attachment; filename="${name}.csv"`);
  // The document describes the JSON form; this is the other one that `Accept` can request.
  return c.body(text, 200) as never;
}
