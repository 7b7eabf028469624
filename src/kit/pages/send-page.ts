import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError } from "#lib/app-error.ts";
import type { Html } from "./markup.ts";
import { SCRIPT_SECURITY_POLICY } from "./document.ts";

export type PageStatus = ContentfulStatusCode;

interface PageOptions {
  status?: PageStatus;
  /** For a page that must not be cached anywhere. */
  isSecret?: boolean;
  /** For a page with a form that is sent to another server: its origin. */
  formOrigin?: string;
  /** For a page that frames pages of this server. */
  hasFrames?: boolean;
}

/** Sends a page of the dashboard: only the reader's own browser may cache it, and revalidates it each time. */
export function sendPage(c: Context, page: Html, options: PageOptions = {}): Response | Promise<Response> {
  const { formOrigin, hasFrames = false } = options;
  const policy =
    formOrigin === undefined
      ? SCRIPT_SECURITY_POLICY
      : SCRIPT_SECURITY_POLICY.replace("form-action 'self'", `form-action 'self' ${formOrigin}`);
  c.header("Content-Security-Policy", hasFrames ? `${policy}; frame-src 'self'` : policy);
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", options.isSecret ? "no-store" : "private, no-cache");
  return c.html(page, options.status ?? 200);
}

/** Refuses a form that is too large before reading it whole: with `refuse`, or `AppError too_large`. */
export function limitedForm(
  maxBytes: number,
  refuse?: (c: Context) => Response | Promise<Response>,
): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError(c) {
      if (refuse) return refuse(c);
      throw new AppError("too_large", `A form may have at most ${Math.floor(maxBytes / 1024)} KiB.`);
    },
  });
}
