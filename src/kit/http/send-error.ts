import { problemOf, sendProblem } from "#kit/pages/problem-page.ts";
import { type HttpContext, placeOf } from "./context.ts";
import { errorAnswer, isOurFault } from "./errors.ts";

/** Paths for programs: errors there are always JSON. */
const FOR_PROGRAMS = /^\/(?:v\d+|discovery\/v1|git|ingest|health|ready|openapi\.json)(?:\/|$)/;

export const isForPrograms = (path: string): boolean => FOR_PROGRAMS.test(path);

/** Whether a browser requests something for a person to look at. */
function isForPeople(c: HttpContext): boolean {
  return !isForPrograms(c.req.path) && /\btext\/html\b/i.test(c.req.header("accept") ?? "");
}

/** Responds with JSON, or with a page when a person asks. Our own faults are logged, a caller's mistakes are not. */
export function sendError(c: HttpContext, error: unknown): Response | Promise<Response> {
  return isForPeople(c) ? sendErrorPage(c, error) : sendErrorJson(c, error);
}

/** Paths for people only: errors there are always a page, whatever the request accepts. */
function sendErrorPage(c: HttpContext, error: unknown): Response | Promise<Response> {
  const { status, headers, body } = answerTo(c, error);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return sendProblem(c, problemOf(body.code, status, body.error));
}

/** Responds with JSON, also to a browser. */
export function sendErrorJson(c: HttpContext, error: unknown): Response {
  const { status, headers, body } = answerTo(c, error);
  return c.json(body, status, headers);
}

/** The response for an error. Our own faults are logged. */
export function answerTo(c: HttpContext, error: unknown) {
  if (isOurFault(error)) {
    const to = { logger: c.get("logger"), message: "request failed", fields: placeOf(c) };
    c.get("faults").failed(error, to);
  }
  return errorAnswer(error, c.get("requestId"));
}
