import { Hono } from "hono";
import { toResponse } from "#lib/network/plain-http.ts";
import { sendBody } from "#lib/network/body.ts";
import { browserModule, createThemeFiles } from "./browser-modules.ts";

/** The one script of the dashboard: its address, which changes with its content, and the route that serves it. */
export function createScript(): { url: string; routes: Hono } {
  const files = createThemeFiles({ "dashboard.js": browserModule("dashboard") });
  const url = files.url("dashboard.js");
  const routes = new Hono();
  routes.get(url, async (c) => {
    const body = files.find(url)!;
    const headers = { "Cache-Control": "public, max-age=31536000, immutable" };
    return toResponse(await sendBody(c.req.raw, body, { headers }));
  });
  return { url, routes };
}
