import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { ICON_HREF, LOGO } from "#kit/pages/brand.ts";
import { CONTENT_SECURITY_POLICY, SCRIPT_SECURITY_POLICY } from "#kit/pages/document.ts";
import { TOKENS_CSS } from "#kit/pages/style-sheets.ts";
import type { HttpContext } from "./context.ts";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/**
 * Sends a page of the server itself: it cannot be framed by other sites, and without `hasScript` no script runs in it.
 */
export function sendOwnPage(
  c: HttpContext,
  content: Html,
  status: 200 | 201 | 400 | 401 | 403 | 409 | 413 | 429 = 200,
  { hasScript = false } = {},
) {
  c.header("Content-Security-Policy", hasScript ? SCRIPT_SECURITY_POLICY : CONTENT_SECURITY_POLICY);
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "same-origin");
  return c.html(content, status);
}

/** A small page of the server, outside any project. */
export function page(title: string, body: Html) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Docent</title>
        <link rel="icon" href="${ICON_HREF}" />
        <link rel="stylesheet" href="/_docent/page.css" />
      </head>
      <body>
        <main><a class="brand" href="/">${LOGO} Docent</a>${body}</main>
      </body>
    </html>`;
}

export const PAGE_CSS = `${TOKENS_CSS}
:root { font: 16px/1.6 var(--font-body); color: var(--text); background: var(--background); }
main { max-width: 26rem; margin: 10vh auto 4rem; padding: 0 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; margin: 0 0 2rem; font-weight: 700; font-size: 1.1rem; color: var(--text-strong); text-decoration: none; }
.logo { width: 1.9rem; height: 1.9rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; color: var(--text-strong); }
ol { padding-left: 1.2rem; }
pre { overflow-x: auto; padding: .7rem .9rem; border: 1px solid var(--border); border-radius: 8px; background: var(--surface); }
pre code { background: none; padding: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; letter-spacing: -.01em; margin: 0 0 .5rem; color: var(--text-strong); }
a { color: var(--accent); }
code { font: .86em var(--font-mono); background: var(--surface-strong); border-radius: 5px; padding: .12em .38em; }
label { display: grid; gap: .35rem; font-weight: 600; margin: 1rem 0; }
input { font: inherit; font-weight: 400; padding: .55rem .7rem; border: 1px solid var(--border-strong); border-radius: 8px; background: transparent; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
details { margin: 1.6rem 0 0; padding-top: 1rem; border-top: 1px solid var(--border); }
summary { cursor: pointer; font-weight: 600; }
.wide-button { display: block; text-align: center; font-weight: 600; padding: .55rem 1.1rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; }
.wide-button.second { width: 100%; margin: 1rem 0 0; border: 1px solid var(--border-strong); background: transparent; color: var(--text-strong); }
[hidden] { display: none; }
.hint { color: var(--muted); font-size: .92em; margin-top: 1.6rem; }
.problem { padding: .6rem .8rem; border-radius: 8px; background: color-mix(in srgb, #d9213a 14%, transparent); }
.card { display: block; padding: .8rem 1rem; margin: .6rem 0; border: 1px solid var(--border); border-radius: var(--radius); text-decoration: none; color: inherit; }
.card:hover { border-color: var(--border-strong); background: var(--surface); }
`;
