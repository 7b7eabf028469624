import { createHash } from "node:crypto";
import type { PlainAnswer } from "#lib/network/plain-http.ts";

// Styles come from the theme's own file and attributes of the content; scripts only from the theme's own files.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' https: http: data:",
  "media-src 'self' https: http:",
  "font-src 'self'",
  "frame-src 'self' https:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Headers of every HTML document of a site. */
export const PAGE_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Referrer-Policy": "strict-origin-when-cross-origin",
  Vary: "Accept, User-Agent",
};

/** Headers of the frame that draws diagrams: an origin of its own, with the theme's scripts only. */
export const FRAME_HEADERS = {
  "Content-Security-Policy":
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};
/**
 * The headers of a page with styles of its own, allowed by their hash, or with a form that calls an API: only its
 * servers (`origins`) can be reached.
 */
export function pageHeaders(css: string, origins: readonly string[]): typeof PAGE_HEADERS {
  if (css === "" && origins.length === 0) return PAGE_HEADERS;
  const hash = css === "" ? "" : ` 'sha256-${createHash("sha256").update(css).digest("base64")}'`;
  const policy = PAGE_POLICY.replace("style-src 'self'", () => `style-src 'self'${hash}`).replace(
    "connect-src 'self'",
    () => ["connect-src 'self'", ...origins].join(" "),
  );
  return { ...PAGE_HEADERS, "Content-Security-Policy": policy };
}

export function redirect(location: string, url: URL, status: 307 | 308): PlainAnswer {
  const [target = "", hash] = location.split("#", 2);
  return {
    status,
    headers: {
      Location: withQuery(target, url.search) + (hash === undefined ? "" : `#${hash}`),
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
    },
    body: null,
  };
}

/** Keeps the query of the request, except for parameters that the redirect sets itself. */
function withQuery(target: string, asked: string): string {
  if (asked === "") return target;
  const [path = "", own = ""] = target.split(/\?(.*)/s, 2);
  const ownNames = new Set(new URLSearchParams(own).keys());
  const nameOf = (part: string) => new URLSearchParams(part).keys().next().value ?? "";
  const others = asked
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !ownNames.has(nameOf(part)));
  const query = [own, ...others].filter((part) => part !== "").join("&");
  return query === "" ? path : `${path}?${query}`;
}
