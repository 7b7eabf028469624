import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { acceptsHtml } from "./accept.ts";
import { PREVIEW_PARAMETER } from "./preview-links.ts";

/** What somebody shows to be let into a preview: the token of an address, or of the cookie that it left. */
export interface ShownTokens {
  address: string | null;
  cookies: readonly string[];
}

/** The prefix keeps other hosts of the domain from setting it; browsers take it over TLS only. */
const cookieName = (scheme: string) => (scheme === "https:" ? "__Host-docent_preview" : "docent_preview");

export function shownTokens(request: WholeRequest, scheme: string): ShownTokens {
  const name = `${cookieName(scheme)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return {
    address: request.location.searchParams.get(PREVIEW_PARAMETER),
    cookies: cookies.filter((cookie) => cookie.startsWith(name)).map((cookie) => cookie.slice(name.length)),
  };
}

/** Whether a browser asks for a page: it keeps cookies and follows redirects, which programs may not do. */
export const isPerson = ({ method, headers }: PlainRequest): boolean =>
  (method === "GET" || method === "HEAD") && acceptsHtml(headers);

/** Exchanges the token in the address for a cookie of this host alone: addresses are copied, sent on and logged. */
export function keepToken(request: WholeRequest, token: string, scheme: string): PlainAnswer {
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(PREVIEW_PARAMETER);
  const query = searchParams.size === 0 ? "" : `?${searchParams.toString()}`;
  const secure = scheme === "https:" ? "; Secure" : "";
  return {
    status: 303,
    headers: {
      // A path that begins with two slashes would be a host.
      Location: pathname.replace(/^\/+/, "/") + query,
      "Set-Cookie": `${cookieName(scheme)}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    },
    body: null,
  };
}

const NO_LINK =
  "This preview opens by its link: `previewLink` of the job, the button on the pull request's page, or the project's page Deployments.";

/** The same for every preview, whether it is there or not: people are led to `doorway`, programs refused. */
export function askForLink(request: WholeRequest, doorway: string): PlainAnswer {
  if (!isPerson(request)) throw new AppError("unauthorized", NO_LINK);
  const { pathname, searchParams } = new URL(request.location);
  searchParams.delete(PREVIEW_PARAMETER); // of no use, and it may be somebody's
  const path = pathname + (searchParams.size === 0 ? "" : `?${searchParams.toString()}`);
  return {
    status: 303,
    headers: {
      Location: `${doorway}?path=${encodeURIComponent(path)}`,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    },
    body: null,
  };
}
