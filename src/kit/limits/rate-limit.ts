import { sql } from "kysely";
import { isUnwritable, type Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { firstWindow, movedWindow, secondsUntilFewer, usedCalls } from "./sliding-window.ts";

const HOUR_SECONDS = 3_600;
const COLUMNS = ["minute", "calls", "calls_before"] as const;

export type RateLimitBucket = "agent" | "analytics" | "keys" | "deployments" | "discovery" | "erasures";

/** Where a project stands now. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Until calls that count now count no more, and `remaining` is larger. */
  resetSeconds: number;
}

/**
 * Counts one call against what a project may do in 60 minutes, whichever they are. A call counts until the minute in which
 * it came is 61 minutes old. It holds across nodes: one row, one atomic upsert. Throws `AppError rate_limited` over the
 * limit, and counts nothing then.
 */
export async function countCall(
  queryable: Queryable,
  call: { projectId: ProjectId; bucket: RateLimitBucket; limit: number; now: Date },
): Promise<RateLimitState> {
  const { projectId, bucket, limit, now } = call;
  const moved = movedWindow();
  const row = await queryable
    .insertInto("rate_limit")
    .values({ project_id: projectId, bucket, ...firstWindow(now) })
    .onConflict((conflict) =>
      conflict
        .columns(["project_id", "bucket"])
        .doUpdateSet({
          minute: moved.minute,
          calls: sql<number>`rate_limit.calls + 1`,
          calls_before: moved.callsBefore,
        })
        .where(moved.used, "<", limit),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!row) throw await refusal(queryable, call);
  const used = usedCalls(row);
  return { limit, remaining: Math.max(0, limit - used), resetSeconds: secondsUntilFewer(row, used, now) };
}

/** What a caller over the limit is told, by the row as it was before the call. */
async function refusal(
  queryable: Queryable,
  { projectId, bucket, limit, now }: Parameters<typeof countCall>[1],
): Promise<AppError> {
  const row = await queryable
    .selectFrom("rate_limit")
    .select(COLUMNS)
    .where("project_id", "=", projectId)
    .where("bucket", "=", bucket)
    .executeTakeFirstOrThrow();
  const resetSeconds = secondsUntilFewer(row, limit, now);
  return new AppError(
    "rate_limited",
    `This project has used its ${limit} calls of this kind for the hour. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds, headers: rateLimitHeaders({ limit, remaining: 0, resetSeconds }) },
  );
}

/**
 * `countCall` for a call that only reads: it is answered, uncounted, where nothing can be written, as on a full disk.
 */
export async function countRead(...[queryable, call]: Parameters<typeof countCall>): Promise<RateLimitState> {
  try {
    return await countCall(queryable, call);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { limit: call.limit, remaining: call.limit, resetSeconds: HOUR_SECONDS };
  }
}

/** The `RateLimit-*` fields of draft-ietf-httpapi-ratelimit-headers-07. */
function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    "RateLimit-Limit": String(state.limit),
    "RateLimit-Remaining": String(state.remaining),
    "RateLimit-Reset": String(state.resetSeconds),
  };
}

/** Sets them on an answer; nothing where nothing was counted. */
export function setRateLimit(c: { header(name: string, value: string): void }, state: RateLimitState | null): void {
  if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) c.header(name, value);
}
