import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { CONTENT_CSS } from "#docs/render/content-css.ts";
import { browserModule, compactCss, createThemeFiles, type ThemeFiles } from "#kit/pages/browser-modules.ts";
import { TOKENS_CSS } from "#kit/pages/style-sheets.ts";

const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e63"/><path d="M9 8h9.5a4.5 4.5 0 0 1 4.5 4.5V24H12.5A3.5 3.5 0 0 1 9 20.5zM13 13h6M13 17h6" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

// The order matters: later styles override earlier ones.
const STYLES = ["site", "reading", "search", "page-menu", "report", "feedback"];
const read = (name: string) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8");

const kept: { theme?: ThemeFiles } = {};

/** Styles, scripts and icon of every site, built once per process: that takes 25 ms. */
export function siteTheme(): ThemeFiles {
  return (kept.theme ??= createThemeFiles({
    "site.css": compactCss(TOKENS_CSS + CONTENT_CSS + STYLES.map(read).join("")),
    "theme.js": browserModule("theme"),
    "site.js": browserModule("site"),
    "search.js": browserModule("search"),
    "reading.js": browserModule("reading"),
    "feedback.js": browserModule("feedback"),
    "page-menu.js": browserModule("page-menu"),
    "live-reload.js": browserModule("live-reload"),
    "playground.js": browserModule("playground"),
    "confirm-view.js": browserModule("confirm-view"),
    "icon.svg": ICON_SVG,
    "diagrams.js": browserModule("diagrams"),
    "mermaid.js": readFileSync(fileURLToPath(import.meta.resolve("@mermaid-js/tiny"))),
    "diagram-frame.js": browserModule("diagram-frame"),
    "diagram.html": (url) =>
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Drawing of diagrams</title><script src="${posix.basename(url("mermaid.js"))}"></script><script src="${posix.basename(url("diagram-frame.js"))}"></script></html>`,
  }));
}
