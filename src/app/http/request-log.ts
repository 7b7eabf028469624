import { type Doer, doerOf } from "#features/keys/actor.ts";
import type { HttpContext } from "#kit/http/context.ts";
import type { Logger } from "#lib/logger.ts";

export interface RequestLogDeps {
  logger: Logger;
  logRequests: "all" | "errors" | "off";
}

interface Answered {
  method: string;
  /** A pattern, or `site`. */
  route: string;
  status: number;
  /** Until the answer began. */
  seconds: number;
}

/** Who asked, in which project. An address is no part of it: nothing on disk is to hold that of a reader for long. */
interface CallerFields {
  requestId: string;
  projectId?: string | undefined;
  keyId?: string;
  personId?: string;
  /** The id in the path. */
  subject?: string | undefined;
  /** The label or domain of a site. */
  site?: string;
}

/**
 * One line for each request that was answered, or for those that were answered with an error. Readers who follow broken
 * links are many and counted elsewhere: of sites, only failures of the server are errors.
 */
export function createRequestLog({ logger, logRequests }: RequestLogDeps) {
  const isLogged = ({ route, status }: Answered) => {
    if (logRequests !== "errors") return logRequests === "all";
    // Git asks without a key first, each time.
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

/** Who was let in by a key, a token, a session or an operator's pass. */
export function callerOf(c: HttpContext): Pick<CallerFields, "projectId" | "keyId" | "personId"> {
  const atWork = doerOf(c);
  if (atWork === null) return {};
  const { doer, projectId } = atWork;
  return { ...(projectId !== null && { projectId }), ...doerFields(doer) };
}

/** The ids of a doer, for lines of the log. */
export const doerFields = (doer: Doer): { keyId?: string; personId?: string } => {
  if ("operator" in doer) return {};
  return doer.person ? { personId: doer.person.id } : { keyId: doer.keyId };
};
