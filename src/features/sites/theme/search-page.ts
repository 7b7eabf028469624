import type { ExcerptPart } from "#search/excerpt.ts";
import { byPage, type SearchResult } from "#search/search-result.ts";
import type { SearchOutcome } from "#search/search.ts";
import { filled, html, type Html } from "#kit/pages/markup.ts";
import { messageDocument, type SiteFrame } from "./page.ts";

/** Results as a page: the content of the search dialog, for browsers without scripts. */
export function searchDocument(
  frame: SiteFrame,
  { query, results, suggestions, isIndexing }: SearchOutcome & { query: string; isIndexing: boolean },
): string {
  const { words } = frame.language;
  return messageDocument(frame, {
    navigation: null,
    title: words.search,
    code: null,
    body: html`${searchForm(frame, query, true)}
      <p class="site-search-count" role="status">
        ${query === "" ? "" : results.length === 0 ? filled(words.nothingFound, { query }) : frame.language.counted(words.resultCount, results.length)}
        ${isIndexing ? words.indexIsMade : ""}
      </p>
      ${
        suggestions.length > 0
          ? html`<p>${words.didYouMean} ${suggestions.map((each, index) => html`${index > 0 ? ", " : ""}<a href="/_docent/search?q=${encodeURIComponent(each)}">${each}</a>`)}</p>`
          : ""
      }
      <ol class="site-search-results">
        ${byPage(results).map(pageItem)}
      </ol>`,
  });
}

/** The results on one page: the page's title next to the best one, the rest below. */
function pageItem([best, ...more]: readonly SearchResult[]): Html {
  return html`<li>
    ${best && resultText(best, true)} ${more.length > 0 ? html`<ul>${more.map((each) => html`<li>${resultText(each, false)}</li>`)}</ul>` : ""}
  </li>`;
}

function resultText({ route, anchor, title, heading, excerpt }: SearchResult, isFirst: boolean): Html {
  const href = anchor === null ? route : `${route}#${encodeURIComponent(anchor)}`;
  return html`<a href="${href}"><b>${marked(heading ?? title)}</b> ${isFirst && heading ? html`<span>${marked(title)}</span>` : ""}</a>
    <p>${marked(excerpt)}</p>`;
}

function marked(parts: readonly ExcerptPart[]): Html[] {
  return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`));
}

/** A field that opens the page of results, with a script or without. */
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
