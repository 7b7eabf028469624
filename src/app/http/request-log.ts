import { type Doer, doerOf } from "#features/keys/actor.ts";
import type { HttpContext } from "#kit/http/context.ts";
import type { Logger } from "#lib/logger.ts";

export interface RequestLogDeps {
  logger: Logger;
  logRequests: "all" | "errors" | "off";
}

interface Answered {
  method: string;
  /** A route pattern, or `site`. */
  route: string;
  status: number;
  /** Time to the first byte of the response. */
  seconds: number;
}

/** The caller and their project, without a client address: the disk must not keep those of readers for long. */
interface CallerFields {
  requestId: string;
  /** Absent where the request is not traced. */
  traceId?: string | undefined;
  projectId?: string | undefined;
  keyId?: string;
  personId?: string;
  /** Job ID in the path. */
  subject?: string | undefined;
  /** Label or domain of a site. */
  site?: string;
}

/**
 * Logs one line per request, or per error response. Broken links on sites are common and counted elsewhere: for sites,
 * only server failures count as errors.
 */
export function createRequestLog({ logger, logRequests }: RequestLogDeps) {
  const isLogged = ({ route, status }: Answered) => {
    if (logRequests !== "errors") return logRequests === "all";
    // Git always sends its first request without credentials.
    if (status === 401 && route.startsWith("/git/")) return false;
    return status >= (route === "site" ? 500 : 400);
  };
  return {
    answered(answer: Answered, caller: () => CallerFields): void {
      if (!isLogged(answer)) return;
      const { method, route, status, seconds } = answer;
      const ms = Math.round(seconds * 10_000) / 10;
      logger.info({ method, route, status, ms, ...caller() }, "request");
    },
  };
}

/** The caller that a key, token, session or operator link authenticated. */
export function callerOf(c: HttpContext): Pick<CallerFields, "projectId" | "keyId" | "personId"> {
  const atWork = doerOf(c);
  if (atWork === null) return {};
  const { doer, projectId } = atWork;
  return { ...(projectId !== null && { projectId }), ...doerFields(doer) };
}

/** Log fields that identify an actor. */
export const doerFields = (doer: Doer): { keyId?: string; personId?: string } => {
  if ("operator" in doer) return {};
  return doer.person ? { personId: doer.person.id } : { keyId: doer.keyId };
};
