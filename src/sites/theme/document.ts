import type { DocsConfig } from "#content/docs-config.ts";
import { htmlBelow } from "#sites/base-path.ts";
import type { ThemeFiles } from "#sites/browser-modules.ts";
import type { Accent } from "./accent.ts";
import { html, raw, type Html } from "./markup.ts";
import type { Words } from "#content/words/english.ts";
import type { SiteLanguage } from "#content/words/site-language.ts";

interface DocumentView {
  title: string;
  description: string | null;
  language: SiteLanguage;
  accent: Accent;
  appearance: DocsConfig["appearance"];
  files: ThemeFiles;
  /** Address of the icon; null for the theme's own. */
  favicon: string | null;
  /** What search engines and networks read of it. */
  metadata: Html;
  /** Address of the Markdown of the page. */
  markdownHref: string | null;
  /** Whether browsers are to confirm that they showed it. */
  confirmsView: boolean;
  /** Whether the page has diagrams, which take a script of their own. */
  hasDiagrams: boolean;
  /** Whether the page has a menu of what can be done with it. */
  hasMenu: boolean;
  /** Whether readers are asked if the page was helpful. */
  asksForFeedback: boolean;
  /** Whether it has pictures or tables. */
  hasFigures: boolean;
  /** Whether readers can call an API from the page. */
  hasPlayground: boolean;
  /** Styles of the page itself, which the policy must know. */
  css: string;
  /** Path that every address of the document is below; the parts of it know nothing of that. */
  base: string;
  body: Html;
}

/** The HTML document around a page. It holds no script and no style of its own, so the policy can refuse both. */
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
      ${view.hasMenu ? html`<script type="module" src="${files.url("page-menu.js")}"></script>` : ""}
      ${view.hasFigures ? html`<script type="module" src="${files.url("reading.js")}"></script>` : ""}
      ${view.hasPlayground ? html`<script type="module" src="${files.url("playground.js")}"></script>` : ""}
      ${view.asksForFeedback ? html`<script type="module" src="${files.url("feedback.js")}"></script>` : ""}
      ${view.confirmsView ? html`<script type="module" src="${files.url("confirm-view.js")}"></script>` : ""}
      ${view.hasDiagrams ? html`<script type="module" src="${files.url("diagrams.js")}" data-diagram-frame="${files.url("diagram.html")}"></script>` : ""}
    </head>
    <body data-words="${scriptWords(view.language.words)}">
      ${view.body}
    </body>
  </html>`.toString()}`;
  return htmlBelow(view.base, document);
}

/** What the scripts of every page say; `PageWords` in their own code. */
function scriptWords({ copied, notCopied, close, enlarge, diagram, source }: Words): string {
  return JSON.stringify({ copied, notCopied, close, enlarge, diagram, source });
}
