import { expect, it } from "vitest";
import { createDashboardFileRoutes, dashboardFile } from "./dashboard-files.ts";

it.each([
  ["dashboard.css", "text/css; charset=utf-8"],
  ["dashboard.js", "text/javascript; charset=utf-8"],
  ["inter-latin.woff2", "font/woff2"],
] as const)("serves %s under an address that browsers cache forever", async (name, type) => {
  const routes = createDashboardFileRoutes();
  const answer = await routes.request(dashboardFile(name));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect((await routes.request(dashboardFile(name).replace(/-[a-z0-9]+\./, "-0123456789."))).status).toBe(404);
});

it("includes every font that the style sheet uses", async () => {
  const routes = createDashboardFileRoutes();
  const css = await (await routes.request(dashboardFile("dashboard.css"))).text();
  const fonts = [...css.matchAll(/url\("([^"]+)"\)/g)].map(([, url = ""]) => url);
  expect(fonts).toHaveLength(2);
  for (const font of fonts) expect((await routes.request(font)).status).toBe(200);
});
