import type { MiddlewareHandler } from "hono";
import type { Principal } from "#accounts/api-keys.ts";
import { AppError } from "#lib/app-error.ts";
import type { HttpEnv } from "./context.ts";
import { notFound } from "./errors.ts";

const MAX_HEADER_LENGTH = 256;

/** Lets only the holder of a living key of `{projectId}` pass. A project of somebody else is as absent as no project. */
export function projectKey(authenticate: (key: string) => Promise<Principal | null>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const header = c.req.header("authorization") ?? "";
    const key = header.length <= MAX_HEADER_LENGTH ? /^Bearer +(\S+) *$/i.exec(header)?.[1] : undefined;
    if (key === undefined) {
      throw new AppError("unauthorized", "Send the project's API key in the header `Authorization: Bearer <key>`.");
    }
    const principal = await authenticate(key);
    if (!principal) {
      throw new AppError("unauthorized", "This API key is not valid: it is unknown, expired or revoked.");
    }
    if (c.req.param("projectId") !== principal.projectId) throw notFound();
    c.set("principal", principal);
    await next();
  };
}
