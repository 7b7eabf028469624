import type { ThemeFiles } from "#sites/browser-modules.ts";
import { accentOf } from "./accent.ts";
import { siteLanguage } from "#content/words/site-language.ts";
import { siteDocument } from "./document.ts";
import { html } from "./markup.ts";

/** For a host that no project has. It does not say which ones exist. */
export function unknownSiteDocument(files: ThemeFiles): string {
  return siteDocument({
    title: "No site here",
    description: null,
    language: siteLanguage(null),
    accent: accentOf({ primary: null, light: null, dark: null }),
    appearance: "system",
    files,
    favicon: null,
    metadata: html`<meta name="robots" content="noindex" />`,
    markdownHref: null,
    confirmsView: false,
    hasDiagrams: false,
    hasMenu: false,
    asksForFeedback: false,
    hasFigures: false,
    hasPlayground: false,
    css: "",
    body: html`<div class="site-frame alone">
      <main id="content">
        <div class="site-message">
          <p class="code">404</p>
          <h1>No site here</h1>
          <p>No documentation project has this address. Check the spelling of its first part.</p>
        </div>
      </main>
    </div>`,
  });
}
