import { html, type Html } from "#sites/theme/markup.ts";
import { DASHBOARD_CSS_HREF } from "./theme.css.ts";

export interface Place {
  slug: string;
  name: string;
  siteUrl: string;
}

/** Sent with every page: nothing runs, nothing is loaded from elsewhere, no other site frames it or takes its forms. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page for people about one project. */
export function document(options: { title: string; place: Place | null; isSignedIn: boolean; body: Html }): Html {
  const { title, place, isSignedIn, body } = options;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${DASHBOARD_CSS_HREF}" />
      </head>
      <body>
        <header class="top">
          <nav aria-label="Project">
            <a class="brand" href="/">Docent</a>
            ${
              place &&
              html`<span class="slash" aria-hidden="true">/</span> <b>${place.name}</b>
                <a href="/${place.slug}/pulls">Pull requests</a> <a href="/${place.slug}/analytics">Visitors</a>
                <a href="${place.siteUrl}">Site</a>`
            }
          </nav>
          ${isSignedIn ? html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>` : ""}
        </header>
        <main>${body}</main>
      </body>
    </html>`;
}

export function notFoundPage(): Html {
  return messagePage(
    "There is no such page",
    "The project or the pull request does not exist, or its address is different.",
  );
}

export function forbiddenPage(): Html {
  return messagePage(
    "This was not done",
    "The page was open for too long, or was signed in to another project. Go back and load it again.",
  );
}

function messagePage(title: string, text: string): Html {
  const body = html`<div class="empty">
    <h1>${title}</h1>
    <p>${text}</p>
  </div>`;
  return document({ title: `${title} · Docent`, place: null, isSignedIn: false, body });
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

export function time(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${DATE.format(date)} UTC</time>`;
}
