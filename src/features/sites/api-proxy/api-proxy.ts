import { STATUS_CODES } from "node:http";
import { isOfOwnSite } from "#features/visitors/collect/own-site.ts";
import { AppError } from "#lib/app-error.ts";
import type { OutboundHttp, OutboundRequest } from "#lib/network/outbound-http.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { readCall } from "./asked-call.ts";
import { callTarget } from "./call-target.ts";

/** The operation that a page lets its reader call. */
export interface CallableOperation {
  method: string;
  /** The servers' addresses in the API description. */
  servers: readonly string[];
}

export interface ApiProxy {
  /** Forwards a request and returns the response as JSON. `find` returns the operation that a page documents. */
  answer(
    visit: { request: WholeRequest; project: SiteProject; peerAddress: string },
    find: (page: string) => Promise<CallableOperation | null>,
  ): Promise<PlainAnswer>;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"] as const;
const TIMEOUT_MS = 30_000;
/** The page shows 200,000 characters. */
const MAX_ANSWER_BYTES = 1_000_000;
/** Slow APIs of one project leave places for the others. */
const AT_ONCE = { places: 24, perOwner: 6, maxWaiting: 6 };
const STATUS: Partial<Record<AppError["code"], number>> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
};

/**
 * Forwards the requests of a site's API pages to the servers in their descriptions, where CORS does not let browsers
 * call them. Nothing of the reader's own request is forwarded, and nothing that is entered is stored or logged.
 */
export function createApiProxy(deps: {
  outboundHttp: Pick<OutboundHttp, "send">;
  /** Whether a client, and its project, may make one more call in this minute. */
  admits(project: SiteProject, request: PlainRequest, peerAddress: string): boolean;
  userAgent: string;
}): ApiProxy {
  const places = createFairPlaces(AT_ONCE);

  async function forward(
    { request, project, peerAddress }: Parameters<ApiProxy["answer"]>[0],
    find: Parameters<ApiProxy["answer"]>[1],
  ): Promise<PlainAnswer> {
    if (request.method !== "POST") throw new AppError("method_not_allowed", "This address takes POST.");
    if (!isFromPage(request)) throw new AppError("forbidden", "Requests are forwarded only for pages of this site.");
    if (!deps.admits(project, request, peerAddress)) {
      const message = "Too many requests were passed on. Try again in a minute.";
      throw new AppError("rate_limited", message, { retryAfterSeconds: 60 });
    }
    const call = await readCall(request);
    const operation = await find(call.page);
    const method = METHODS.find((known) => known === operation?.method);
    const target = operation && callTarget(call.url, operation.servers);
    if (method === undefined || target === null) {
      throw new AppError("forbidden", "The page names no server that has this address.");
    }
    return places.run(project.id, () => send(deps, { method, target, call }));
  }

  return {
    async answer(visit, find) {
      try {
        return await forward(visit, find);
      } catch (error) {
        const status = error instanceof AppError ? STATUS[error.code] : undefined;
        if (!(error instanceof AppError) || status === undefined) throw error;
        const wait = error.retryAfterSeconds;
        return json(
          status,
          { error: error.message, code: error.code },
          {
            ...(wait !== undefined && { "Retry-After": String(wait) }),
            ...(status === 405 && { Allow: "POST" }),
          },
        );
      }
    },
  };
}

/** A request without an origin comes from a program, which needs no proxy: only a page's own script passes. */
function isFromPage(request: WholeRequest): boolean {
  const { headers } = request;
  const hasOriginHeaders = headers.get("origin") !== null || headers.get("sec-fetch-site") !== null;
  return hasOriginHeaders && headers.get("origin") !== "null" && isOfOwnSite(request, []);
}

async function send(
  { outboundHttp, userAgent }: { outboundHttp: Pick<OutboundHttp, "send">; userAgent: string },
  {
    method,
    target,
    call,
  }: { method: OutboundRequest["method"]; target: URL; call: { headers: Record<string, string>; body: string | null } },
): Promise<PlainAnswer> {
  const startedAt = performance.now();
  const hasBody = call.body !== null && method !== "GET" && method !== "HEAD";
  const result = await outboundHttp.send({
    url: target.href,
    method,
    headers: { accept: "*/*", "user-agent": userAgent, ...call.headers },
    ...(hasBody && { body: call.body! }),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
  });
  if (!result.ok) return json(502, { error: result.message, code: result.reason });
  const { status, headers, body, isCut } = result;
  return json(200, {
    status,
    statusText: STATUS_CODES[status] ?? "",
    location: headers["location"] ?? null,
    type: headers["content-type"] ?? null,
    text: textOf(body, headers["content-type"] ?? ""),
    cut: isCut,
    milliseconds: Math.round(performance.now() - startedAt),
  });
}

function textOf(bytes: Buffer, type: string): string {
  if (/^(?:image|audio|video|font)\/(?!svg)|octet-stream|\/(?:zip|gzip|pdf)\b/i.test(type)) {
    return `(${bytes.length} bytes of ${type.slice(0, 100)})`;
  }
  const charset = /;\s*charset="?([\w-]{1,40})/i.exec(type)?.[1] ?? "utf-8";
  return isKnownCharset(charset) ? new TextDecoder(charset).decode(bytes) : bytes.toString("utf8");
}

function isKnownCharset(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}

const json = (status: number, body: object, headers: Record<string, string> = {}): PlainAnswer => ({
  status,
  headers: {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  },
  body: `${JSON.stringify(body)}\n`,
});
