import type { Context } from "hono";
import { AppError, type ErrorCode } from "#lib/app-error.ts";
import { html, type Html } from "./markup.ts";
import { dashboardDocument } from "./document.ts";
import { type PageStatus, sendPage } from "./send-page.ts";

export interface ProblemPage {
  status: PageStatus;
  title: string;
  /** What it means and what to do, one paragraph each. */
  text: readonly string[];
}

/**
 * One page for everything that does not exist or is not visible to the reader, so that the two cannot be told apart.
 */
const NOT_FOUND: ProblemPage = {
  status: 404,
  title: "There is no such page",
  text: [
    "What it was about does not exist, or its address is different, or it belongs to another project.",
    "Check the address, or start again from the overview. If you should see it, ask an admin of its project to add you, or sign in with a key of it.",
  ],
};
const FORBIDDEN: ProblemPage = {
  status: 403,
  title: "This was not done",
  text: ["The page was open for too long, or was signed in to another project. Go back and load it again."],
};
const INTERNAL: ProblemPage = {
  status: 500,
  title: "Something went wrong on our side",
  text: [
    "It has been logged. Load the page again. If you had sent a form, look first whether it was done.",
    "If it keeps happening, send the request id below to your administrator: the server's log has the details under it.",
  ],
};

/** The page for an error. `detail` is the error's message for the caller. */
export function problemOf(code: ErrorCode, status: PageStatus, detail: string): ProblemPage {
  switch (code) {
    case "not_found":
      return NOT_FOUND;
    case "forbidden":
      return FORBIDDEN;
    case "internal":
      return INTERNAL;
    case "method_not_allowed":
      return { status, title: "This address is for a form", text: [detail, "Go back and press the button again."] };
    case "too_large":
      return { status, title: "This is too much", text: [detail, "Go back and send less."] };
    case "unavailable":
      return { status, title: "Not now", text: [detail, "Nothing was changed."] };
    default:
      return { status, title: "This was not done", text: [detail, "Go back, correct it and send it again."] };
  }
}

export const sendNotFound = (c: Context) => sendProblem(c, NOT_FOUND);
/** Redirects people to the sign-in and back; programs, which cannot follow, get an error. */
export function askToSignIn(c: Context, to: string): Response {
  const isPerson = c.req.method !== "GET" || (c.req.header("accept") ?? "").includes("text/html");
  if (isPerson) return c.redirect(`/sign-in?to=${encodeURIComponent(to)}`, 303);
  throw new AppError("unauthorized", "Sign in, or send an API key of the project as `Authorization: Bearer <key>`.");
}

export const sendForbidden = (c: Context) => sendProblem(c, FORBIDDEN);

/** Responds with a page that says what went wrong, what to do, and the request's id in the log. */
export function sendProblem(c: Context, problem: ProblemPage): Response | Promise<Response> {
  const requestId: unknown = c.get("requestId");
  const page = problemPage(problem, typeof requestId === "string" ? requestId : null);
  return sendPage(c, page, { status: problem.status });
}

function problemPage({ title, text }: ProblemPage, requestId: string | null): Html {
  const body = html`<div class="empty">
    <h1>${title}</h1>
    ${text.map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a href="/">To the overview</a></p>
    ${requestId !== null && html`<p class="muted">Request id <code>${requestId}</code>, for your administrator</p>`}
  </div>`;
  return dashboardDocument({ title: `${title} · Docent`, place: null, reader: "stranger", body });
}
