import { html, type Html } from "#kit/pages/markup.ts";
import type { SiteFrame } from "./page.ts";

/** A field that leads to the page of results, with a script or without. */
export function searchForm(
  { language: { words }, searchedLanguage }: SiteFrame,
  query: string,
  autofocus = false,
): Html {
  return html`<form class="site-search-form" action="/_docent/search" role="search">
    <input type="search" name="q" value="${query}" maxlength="200" aria-label="${words.searchDocumentation}"${autofocus ? html` autofocus` : ""} />
    ${searchedLanguage && html`<input type="hidden" name="language" value="${searchedLanguage}" />`}
    <button type="submit">${words.search}</button>
  </form>`;
}
