import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Hono } from "hono";
import { sendBody } from "#lib/network/body.ts";
import { toResponse } from "#lib/network/plain-http.ts";
import { browserModule, compactCss, createThemeFiles, type ThemeFiles } from "./browser-modules.ts";
import { dashboardCss } from "./style-sheets.ts";

const MODULES = ["dashboard", "command-menu", "relative-times", "chart-tip", "image-field", "page-editor"] as const;

function makeFiles(): ThemeFiles {
  const resolve = (file: string) => createRequire(import.meta.url).resolve(`@fontsource-variable/inter/${file}`);
  const ranges = JSON.parse(readFileSync(resolve("unicode.json"), "utf8")) as Record<string, string>;
  // Inter (SIL Open Font License). Each page loads the first, made by `scripts/dashboard-font.ts`, and one with letters such as those of
  // Polish the second. Other scripts use the system's fonts.
  const places = {
    latin: new URL("fonts/inter-latin.woff2", import.meta.url),
    "latin-ext": resolve("files/inter-latin-ext-wght-normal.woff2"),
  };
  const fonts = Object.entries(places).map(([subset, file]) => ({
    name: `inter-${subset}.woff2`,
    range: ranges[subset],
    content: readFileSync(file),
  }));
  return createThemeFiles({
    ...Object.fromEntries(fonts.map(({ name, content }) => [name, content])),
    "dashboard.css": (url) => {
      const faces = fonts.map(
        ({ name, range }) =>
          `@font-face { font-family: "Inter"; font-weight: 400 900; font-display: swap; src: url("${url(name)}") format("woff2"); unicode-range: ${range}; }`,
      );
      return compactCss([...faces, dashboardCss()].join("\n"));
    },
    "passkeys.js": browserModule("passkeys"),
    "dashboard.js": MODULES.map(browserModule).join("\n"),
  });
}

let made: ThemeFiles | undefined;
/** The style sheet, the script and the fonts of the dashboard, built on the first request for a page. */
const files = (): ThemeFiles => (made ??= makeFiles());

/** The address of a file, which changes with its content. */
export const dashboardFile = (name: "dashboard.css" | "dashboard.js" | "passkeys.js" | "inter-latin.woff2"): string =>
  files().url(name);

export function createDashboardFileRoutes(): Hono {
  const routes = new Hono();
  routes.get("/_docent/:file{(?:dashboard|passkeys|inter)-[a-z0-9.-]+}", async (c, next) => {
    const body = files().find(c.req.path);
    if (body === null) return next();
    const headers = { "Cache-Control": "public, max-age=31536000, immutable" };
    return toResponse(await sendBody(c.req.raw, body, { headers }));
  });
  return routes;
}
