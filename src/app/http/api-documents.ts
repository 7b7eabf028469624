import type { OpenAPIHono } from "@hono/zod-openapi";
import { createHash } from "node:crypto";
import { toResponse, type WholeRequest } from "#lib/network/plain-http.ts";
import type { ServedDocument } from "#features/sites/reference/guides.ts";
import type { ReferenceSite } from "#features/sites/reference/reference-site.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { hasEtag } from "#kit/http/etag.ts";
import { describeBesideRoutes, openApiDocument } from "./openapi.ts";

/**
 * `/openapi.json`, and `/reference`, which shows it. Both are public, and generating the document takes 20 ms of the
 * event loop: it is generated on the first request, and again only when the server's address changes, which happens
 * when it begins to listen.
 */
export function createApiDocuments(
  routes: OpenAPIHono<HttpEnv>,
  { version, baseUrl, reference }: { version: string; baseUrl(): string; reference: ReferenceSite },
) {
  describeBesideRoutes(routes);
  let last: ServedDocument | null = null;

  const current = (): ServedDocument => {
    const serverUrl = baseUrl();
    if (last?.serverUrl === serverUrl) return last;
    const json = JSON.stringify(openApiDocument(routes, { serverUrl, version }));
    const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`;
    last = { serverUrl, json, etag };
    return last;
  };

  return {
    openApi(c: HttpContext) {
      const { json, etag } = current();
      c.header("ETag", etag);
      c.header("Cache-Control", "no-cache");
      if (hasEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304);
      return c.body(json, 200, { "Content-Type": "application/json" });
    },
    async reference(c: HttpContext) {
      return toResponse(await reference(wholeRequest(c.req.raw), c.env.peerAddress, current()));
    },
  };
}

/** Converts a router's request to the form that sites read. */
function wholeRequest(request: Request): WholeRequest {
  const { method, url, headers } = request;
  return {
    method,
    url,
    location: new URL(url),
    headers,
    textUpTo: (maxBytes) => readText(request, maxBytes),
  };
}

/** Anyone can send a body: at most `maxBytes` are kept in memory, whatever length was announced. */
async function readText({ headers, body }: Request, maxBytes: number): Promise<string | null> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return null;
  if (!body) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString("utf8");
    size += value.length;
    if (size > maxBytes) return null; // the server drains the rest
    chunks.push(value);
  }
}
