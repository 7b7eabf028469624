import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { html } from "#kit/pages/markup.ts";
import { ownDocument } from "./own-document.ts";

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
