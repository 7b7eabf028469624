import { sql } from "kysely";
import { isUnwritable, type Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

const HOUR_MS = 3_600_000;

export type RateLimitBucket = "agent" | "analytics" | "keys" | "deployments" | "discovery" | "exports";

/** Where a project stands in the current window. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts one call against a project's hourly window, which starts at the full hour and holds across nodes: one row,
 * one atomic upsert. Throws `AppError rate_limited` over the limit.
 */
export async function countCall(
  queryable: Queryable,
  call: { projectId: ProjectId; bucket: RateLimitBucket; limit: number; now: Date },
): Promise<RateLimitState> {
  const windowStart = Math.floor(call.now.getTime() / HOUR_MS) * HOUR_MS;
  const row = await queryable
    .insertInto("rate_limit")
    .values({ project_id: call.projectId, bucket: call.bucket, window_start: windowStart, used: 1 })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "bucket"]).doUpdateSet({
        used: sql<number>`case when rate_limit.window_start = excluded.window_start then rate_limit.used + 1 else 1 end`,
        window_start: windowStart,
      }),
    )
    .returning("used")
    .executeTakeFirstOrThrow();
  const resetSeconds = Math.max(1, Math.ceil((windowStart + HOUR_MS - call.now.getTime()) / 1000));
  const state = { limit: call.limit, remaining: Math.max(0, call.limit - row.used), resetSeconds };
  if (row.used > call.limit) {
    throw new AppError(
      "rate_limited",
      `This project has used its ${call.limit} calls of this kind for the hour. Try again in ${resetSeconds} seconds.`,
      { retryAfterSeconds: resetSeconds, headers: rateLimitHeaders(state) },
    );
  }
  return state;
}

/**
 * `countCall` for a call that only reads: it is answered, uncounted, where nothing can be written, as on a full disk.
 */
export async function countRead(...[queryable, call]: Parameters<typeof countCall>): Promise<RateLimitState> {
  try {
    return await countCall(queryable, call);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { limit: call.limit, remaining: call.limit, resetSeconds: HOUR_MS / 1000 };
  }
}

/** The `RateLimit-*` fields of draft-ietf-httpapi-ratelimit-headers-07. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    "RateLimit-Limit": String(state.limit),
    "RateLimit-Remaining": String(state.remaining),
    "RateLimit-Reset": String(state.resetSeconds),
  };
}
