import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./context.ts";

const TEXT = /^text\/(?:html|css|javascript|csv|plain)\b/;

/**
 * Compresses pages and their assets with gzip, which every browser supports. Two kinds are sent uncompressed: responses
 * that must not be cached, and event streams, where compression would delay each event until the next.
 */
export const compressed: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const { headers, body } = c.res;
  const isSecret = (headers.get("cache-control") ?? "").includes("no-store");
  if (body === null || isSecret || headers.has("content-encoding") || !TEXT.test(headers.get("content-type") ?? "")) {
    return;
  }
  headers.append("Vary", "Accept-Encoding");
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(c.req.header("accept-encoding") ?? "")) return;
  c.res = new Response(body.pipeThrough(new CompressionStream("gzip")), c.res);
  c.res.headers.delete("Content-Length");
  c.res.headers.set("Content-Encoding", "gzip");
};
