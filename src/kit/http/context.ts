import type { Context, MiddlewareHandler } from "hono";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { FaultLog } from "./fault-log.ts";

/** Who calls, on the project that the call is for. */
export interface Caller {
  projectId: ProjectId;
  /** The key or personal access token. */
  keyId: string;
  /** Whose token it is; null for a key. */
  person: { id: string; name: string; email: string } | null;
  /** May change what belongs to the instance, too. */
  isOfInstance: boolean;
}

export interface HttpEnv {
  Variables: {
    requestId: string;
    logger: Logger;
    faults: FaultLog;
    /** Of operations on a project. */
    principal: Caller;
    /** The project that the call is for; null for the instance. */
    owner: ProjectId | null;
    /** What it took to read the request's body, in bytes of a text. */
    bodyCost: number;
  };
  /** Given by the server: the address of the socket's other end, and of the client behind trusted proxies. */
  Bindings: { peerAddress: string; clientAddress: string };
}

export type HttpContext = Context<HttpEnv>;

const GIVEN_ID = /^[A-Za-z0-9_.-]{8,64}$/;

/** Names the request, with the caller's own `X-Request-Id` when it has a usable one, and gives it a logger. */
export function requestContext({ logger, faults }: { logger: Logger; faults: FaultLog }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const given = c.req.header("x-request-id");
    const requestId = given && GIVEN_ID.test(given) ? given : newId("req");
    c.set("requestId", requestId);
    c.set("logger", logger.child({ requestId }));
    c.set("faults", faults);
    await next();
    if (c.res.status < 500) faults.answered();
    c.res.headers.set("X-Request-Id", requestId);
  };
}

const SUBJECT = "auditSubject";

/** Notes what the request is about, by its name, for its entry in the audit log. */
export const noteSubject = (c: Context, subject: string): void => c.set(SUBJECT, subject);

/** Null where none was noted. */
export const subjectOf = (c: Context): string | null => (c.get(SUBJECT) as string | undefined) ?? null;
