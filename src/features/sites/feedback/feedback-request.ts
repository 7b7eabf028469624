import { AppError } from "#lib/app-error.ts";
import type { WholeRequest } from "#lib/network/plain-http.ts";

/** The address for votes and comments on pages, by POST: from the page's form, and as JSON. */
export const FEEDBACK_PATH = "/_docent/feedback";

/** Feedback as sent, not yet validated. */
export interface SentFeedback {
  path: string;
  helpful: boolean | null;
  comment: string;
  /** The page's script reports an automated browser. */
  isAutomated: boolean;
}

// A thousand characters in a form are 9 KB at most.
const MAX_BODY_BYTES = 16 * 1024;
const MAX_PATH_LENGTH = 4_096;
const SHAPE =
  'Send {"path": "/page", "helpful": true or false, "comment": "…"} with a `path` and at least one of the others.';

/** Whether a request comes from the page's form, and gets a page as its response. */
export const isForm = ({ headers }: WholeRequest): boolean =>
  mediaType(headers) === "application/x-www-form-urlencoded";

const mediaType = (headers: WholeRequest["headers"]): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();

/** @throws AppError `invalid`, `too_large` or `unsupported_media_type` for invalid feedback. */
export async function readFeedback(request: WholeRequest): Promise<SentFeedback> {
  const isJson = mediaType(request.headers) === "application/json";
  if (!isJson && !isForm(request)) {
    throw new AppError("unsupported_media_type", `This address takes JSON. ${SHAPE}`);
  }
  const text = await request.textUpTo(MAX_BODY_BYTES);
  if (text === null) throw new AppError("too_large", "Feedback has at most 16 KiB.");
  const { path, helpful = null, comment = "", automated } = isJson ? jsonFields(text) : formFields(text);
  const isRight =
    typeof path === "string" &&
    path.length <= MAX_PATH_LENGTH &&
    (typeof helpful === "boolean" || helpful === null) &&
    (typeof comment === "string" || comment === null);
  if (!isRight || (helpful === null && (comment ?? "").trim() === "")) throw new AppError("invalid", SHAPE);
  return { path, helpful, comment: comment ?? "", isAutomated: automated === true };
}

function jsonFields(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as Record<string, unknown>;
  } catch {
    // refused below
  }
  throw new AppError("invalid", SHAPE);
}

function formFields(text: string): Record<string, unknown> {
  const fields = new URLSearchParams(text);
  const helpful = fields.get("helpful");
  return {
    path: fields.get("path"),
    helpful: helpful === null ? null : helpful === "yes",
    comment: fields.get("comment") ?? "",
  };
}
