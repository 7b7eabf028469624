import type { DocsConfig } from "#docs/config/docs-config.ts";
import { htmlBelow } from "#features/sites/base-path.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { type Accent, accentOf } from "./accent.ts";
import { html, raw, type Html } from "#kit/pages/markup.ts";
import { type Words, type SiteLanguage, siteLanguage } from "#docs/words/site-language.ts";

/** A script that only some documents need. */
export type PageScript = "page-menu" | "reading" | "playground" | "feedback" | "confirm-view" | "diagrams";

interface DocumentView {
  title: string;
  description: string | null;
  language: SiteLanguage;
  accent: Accent;
  appearance: DocsConfig["appearance"];
  files: ThemeFiles;
  /** Address of the icon; null for the theme's own. */
  favicon: string | null;
  /** The metadata for search engines and social networks. */
  metadata: Html;
  /** Address of the page's Markdown. */
  markdownHref: string | null;
  /** Scripts in addition to those of every document. */
  scripts: readonly PageScript[];
  /** Styles of the page itself, which the policy must allow. */
  css: string;
  /** See `SiteFrame`. */
  apiProxy: string | null;
  /** The path below which the site is mounted; the parts of the document do not contain it. */
  base: string;
  body: Html;
}

/** The HTML document around a page. It has no inline scripts or styles of its own, so the policy can forbid both. */
export function siteDocument(view: DocumentView): string {
  const { files, accent } = view;
  const theme = view.appearance === "system" ? "" : html` data-theme="${view.appearance}"`;
  const document = `<!doctype html>\n${html`<html lang="${view.language.tag}" dir="${view.language.direction}" style="--accent-light:${accent.light};--accent-dark:${accent.dark}"${theme}${view.base === "" ? "" : html` data-base="${view.base}"`}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${view.title}</title>
      ${view.description && html`<meta name="description" content="${view.description}" />`}
      ${view.metadata}
      ${view.markdownHref && html`<link rel="alternate" type="text/markdown" href="${view.markdownHref}" />`}
      <link rel="icon" href="${view.favicon ?? files.url("icon.svg")}" />
      <link rel="stylesheet" href="${files.url("site.css")}" />
      ${view.css === "" ? "" : raw(`<style>${view.css}</style>`)}
      <script src="${files.url("theme.js")}"></script>
      <script type="module" src="${files.url("site.js")}"></script>
      ${view.scripts.map((name) => scriptTag(view, name))}
    </head>
    <body data-words="${scriptWords(view.language.words)}">
      ${view.body}
    </body>
  </html>`.toString()}`;
  return htmlBelow(view.base, document);
}

function scriptTag({ files, apiProxy }: DocumentView, name: PageScript): Html {
  // Diagrams are drawn in a frame of their own.
  const frame = name === "diagrams" ? html` data-diagram-frame="${files.url("diagram.html")}"` : "";
  const proxy = name === "playground" && apiProxy !== null ? html` data-api-proxy="${apiProxy}"` : "";
  return html`<script type="module" src="${files.url(`${name}.js`)}"${frame}${proxy}></script>`;
}

/** The texts of every page's scripts; `PageWords` in their own code. */
function scriptWords({ copied, notCopied, close, enlarge, diagram, diagramNotDrawn, source }: Words): string {
  return JSON.stringify({ copied, notCopied, close, enlarge, diagram, diagramNotDrawn, source });
}

/** A document outside any site: it looks like one, names none, and is not indexed. */
export function ownDocument(
  files: ThemeFiles,
  { title, base, body }: { title: string; base: string; body: Html },
): string {
  return siteDocument({
    title,
    description: null,
    language: siteLanguage(null),
    accent: accentOf({ primary: null, light: null, dark: null }),
    appearance: "system",
    files,
    favicon: null,
    metadata: html`<meta name="robots" content="noindex" />`,
    markdownHref: null,
    scripts: [],
    apiProxy: null,
    css: "",
    base,
    body: html`<div class="site-frame alone">
      <main id="content">
        <div class="site-message">${body}</div>
      </main>
    </div>`,
  });
}

/** For a host that no project has. It does not reveal which ones exist. */
export function unknownSiteDocument(files: ThemeFiles): string {
  return ownDocument(files, {
    title: "No site here",
    base: "",
    body: html`<p class="code">404</p>
      <h1>No site here</h1>
      <p>No documentation project has this address. Check the spelling of its first part.</p>`,
  });
}
