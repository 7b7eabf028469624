import type { MiddlewareHandler } from "hono";
import type { Principal } from "#accounts/api-keys.ts";
import { AppError } from "#lib/app-error.ts";
import { allowsScope } from "#accounts/key-scopes.ts";
import { neededScope } from "./needed-scope.ts";
import type { HttpEnv } from "./context.ts";
import { notFound } from "./errors.ts";

const MAX_HEADER_LENGTH = 256;

/** The key in an `Authorization` header; null when the request has no such header or another scheme. */
export function bearerKey(header: string): string | null {
  return header.length <= MAX_HEADER_LENGTH ? (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? null) : null;
}

/** Lets only the holder of a living key of `{projectId}` pass. A project of somebody else is as absent as no project. */
export function projectKey(
  authenticate: (key: string) => Promise<Principal | null>,
  /** `anywhere`: the address names no project, and what it names is looked for in the key's own. */
  { names = "project" }: { names?: "project" | "anywhere" } = {},
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const key = bearerKey(c.req.header("authorization") ?? "");
    if (key === null) {
      throw new AppError("unauthorized", "Send the project's API key in the header `Authorization: Bearer <key>`.");
    }
    const principal = await authenticate(key);
    if (!principal) {
      throw new AppError("unauthorized", "This API key is not valid: it is unknown, expired or revoked.");
    }
    if (names === "project" && c.req.param("projectId") !== principal.projectId) throw notFound();
    // An address ends up in logs and histories, so nobody may get used to it: RFC 6750, 2.3.
    if (hasKey(new URL(c.req.url).searchParams)) {
      throw new AppError(
        "invalid",
        "A key has no place in an address. Revoke this one and send its successor in the header.",
        {
          details: [{ path: "access_token", message: "keys are taken from the header `Authorization` alone" }],
        },
      );
    }
    const needed = neededScope(c.req.method, c.req.path);
    if (!allowsScope(principal.scope, needed)) {
      throw new AppError(
        "forbidden",
        `This key has the scope "${principal.scope}", and this needs a key with the scope "${needed}".`,
      );
    }
    c.set("principal", principal);
    await next();
  };
}

function hasKey(query: URLSearchParams): boolean {
  return query.has("access_token") || [...query.values()].some((value) => value.startsWith("docent_"));
}
