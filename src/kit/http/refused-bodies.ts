import type { MiddlewareHandler } from "hono";
import { AppError } from "#lib/app-error.ts";
import type { HttpEnv } from "./context.ts";
import { MAX_BODY_BYTES } from "./json-body.ts";

const MINUTE_MS = 60_000;
/** 64 of the largest bodies with one text each: reading them blocks the main thread for less than a second. */
const MAX_REFUSED_BYTES = 64 * MAX_BODY_BYTES;
/** A minimum charge, for small refused bodies and those that are not read. */
const LEAST_BYTES = 1_024;

/**
 * Limits how much of the server's time the refused bodies of one project may cost in a minute: they change nothing, so
 * no limit of an operation counts them.
 */
export function refusedBodies(now: () => number = () => performance.now()): MiddlewareHandler<HttpEnv> {
  const refused = new Map<string, number>();
  let minute = 0;
  return async (c, next) => {
    if (c.req.raw.body === null) return next();
    const at = Math.floor(now() / MINUTE_MS);
    if (at !== minute) refused.clear();
    minute = at;
    const owner = c.get("owner") ?? "";
    if ((refused.get(owner) ?? 0) > MAX_REFUSED_BYTES) {
      const retryAfterSeconds = Math.ceil(((at + 1) * MINUTE_MS - now()) / 1_000);
      const message =
        "Too many requests of this project were refused in the last minute: fix them before you send more.";
      throw new AppError("rate_limited", message, { retryAfterSeconds });
    }
    await next();
    if (c.res.status < 400 || c.res.status >= 500) return;
    refused.set(owner, (refused.get(owner) ?? 0) + Math.max(LEAST_BYTES, c.get("bodyCost") ?? 0));
  };
}
