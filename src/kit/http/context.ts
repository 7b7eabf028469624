import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { FaultLog } from "./fault-log.ts";

/** The caller, with the project that the call is for. */
export interface Caller {
  projectId: ProjectId;
  /** The id of the key or personal access token. */
  keyId: string;
  /** The owner of the token; null for a key. */
  person: { id: string; name: string; email: string } | null;
  /** May also change what belongs to the instance. */
  isOfInstance: boolean;
}

export interface HttpEnv {
  Variables: {
    requestId: string;
    logger: Logger;
    faults: FaultLog;
    /** Set for operations on a project. */
    principal: Caller;
    /** The project that the call is for; null for the instance. */
    owner: ProjectId | null;
    /** The cost of reading the request's body, as the length of an equally expensive text in bytes. */
    bodyCost: number;
  };
  /** Set by the server: the address of the socket's peer, and of the client behind trusted proxies. */
  Bindings: { peerAddress: string; clientAddress: string };
}

export type HttpContext = Context<HttpEnv>;

const GIVEN_ID = /^[A-Za-z0-9_.-]{8,64}$/;

/** The caller's own `X-Request-Id` where that is short and plain, as a proxy sends it; else a new id. */
export const requestIdOf = (given: string | null | undefined): string =>
  given != null && GIVEN_ID.test(given) ? given : newId("req");

const OWN_ID = /^(?!prj_)[a-z]{2,4}_[0-9a-z]{26}$/;

/**
 * Where a request went, for the log: the pattern of its route, as paths hold tokens of invitations and words of people,
 * and the id in its path.
 */
export function placeOf(c: Context): { method: string; route: string; subject?: string } {
  const subject = Object.values<string>(c.req.param()).findLast((value) => OWN_ID.test(value));
  return { method: c.req.method, route: routePath(c), ...(subject !== undefined && { subject }) };
}

/** Names the request and gives it a logger. */
export function requestContext({ logger, faults }: { logger: Logger; faults: FaultLog }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const requestId = requestIdOf(c.req.header("x-request-id"));
    c.set("requestId", requestId);
    c.set("logger", logger.child({ requestId }));
    c.set("faults", faults);
    await next();
    if (c.res.status < 500) faults.answered();
    c.res.headers.set("X-Request-Id", requestId);
  };
}

const SUBJECT = "auditSubject";

/** Records the name of the thing that the request is about, for its entry in the audit log; null: it is unknown. */
export const noteSubject = (c: Context, subject: string | null): void => c.set(SUBJECT, subject);

/** Null when none was recorded. */
export const subjectOf = (c: Context): string | null => (c.get(SUBJECT) as string | null | undefined) ?? null;
