import type { OpenAPIHono } from "@hono/zod-openapi";
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { HttpContext, HttpEnv } from "./context.ts";
import { hasEtag } from "./etag.ts";
import { describeBesideRoutes, openApiDocument, referencePage } from "./openapi.ts";
import { sendOwnPage } from "./page.ts";

interface Made {
  serverUrl: string;
  json: string;
  page: HtmlEscapedString;
  etag: string;
}

/**
 * `/openapi.json` and `/reference`. Anybody may ask, and making them takes 20 ms of the serving thread: they are made at
 * the first call, and again only when the server's address changes, which it does when it begins to listen.
 */
export function createApiDocuments(
  routes: OpenAPIHono<HttpEnv>,
  { version, baseUrl }: { version: string; baseUrl(): string },
) {
  describeBesideRoutes(routes);
  let last: Promise<Made> | null = null;
  let madeFor = "";

  const make = async (serverUrl: string): Promise<Made> => {
    const document = openApiDocument(routes, { serverUrl, version });
    const json = JSON.stringify(document);
    const page = String(await referencePage(document));
    const etag = `"${createHash("sha256").update(json).update(page).digest("base64url").slice(0, 27)}"`;
    return { serverUrl, json, page: raw(page), etag };
  };
  const current = (): Promise<Made> => {
    if (last === null || madeFor !== baseUrl()) last = make((madeFor = baseUrl()));
    return last;
  };
  /** Null when the caller has this version already. */
  const changed = async (c: HttpContext): Promise<Made | null> => {
    const made = await current();
    c.header("ETag", made.etag);
    c.header("Cache-Control", "no-cache");
    return hasEtag(c.req.header("if-none-match"), made.etag) ? null : made;
  };

  return {
    async openApi(c: HttpContext) {
      const made = await changed(c);
      return made === null ? c.body(null, 304) : c.body(made.json, 200, { "Content-Type": "application/json" });
    },
    async reference(c: HttpContext) {
      const made = await changed(c);
      return made === null ? c.body(null, 304) : sendOwnPage(c, made.page);
    },
  };
}
