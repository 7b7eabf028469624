import { sql } from "kysely";
import { isUnwritable, type Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { firstWindow, movedWindow, secondsUntilFewer, usedCalls } from "./sliding-window.ts";

const HOUR_SECONDS = 3_600;
const COLUMNS = ["minute", "calls", "calls_before"] as const;

export type RateLimitBucket = "agent" | "analytics" | "keys" | "deployments" | "discovery" | "erasures";

/** The state of a project's limit. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Until the oldest counted calls expire, and `remaining` grows. */
  resetSeconds: number;
}

/**
 * Counts one call against a project's limit for any 60 minutes. A call counts until its minute is 61 minutes old. Holds
 * across nodes: one row, one atomic upsert. Throws `AppError rate_limited` over the limit, without counting the call.
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

/** The error for a caller over the limit, from the row as it was before the call. */
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

/** `countCall` for a read: when nothing can be written, as on a full disk, the call is served without being counted. */
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

/** Sets them on a response; does nothing when nothing was counted. */
export function setRateLimit(c: { header(name: string, value: string): void }, state: RateLimitState | null): void {
  if (state) for (const [name, value] of Object.entries(rateLimitHeaders(state))) c.header(name, value);
}
