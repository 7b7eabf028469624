import { siteLanguage } from "#docs/words/site-language.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { accentOf } from "./accent.ts";
import { siteDocument } from "./document.ts";
import { html, type Html } from "#kit/pages/markup.ts";

/** A document that is of no site: it looks like one, names none, and is in no index. */
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

/** For a host that no project has. It does not say which ones exist. */
export function unknownSiteDocument(files: ThemeFiles): string {
  return ownDocument(files, {
    title: "No site here",
    base: "",
    body: html`<p class="code">404</p>
      <h1>No site here</h1>
      <p>No documentation project has this address. Check the spelling of its first part.</p>`,
  });
}
