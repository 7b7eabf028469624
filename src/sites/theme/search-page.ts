import type { ExcerptPart } from "#search/excerpt.ts";
import type { SearchOutcome, SearchResult } from "#search/search.ts";
import { filled, html, type Html } from "./markup.ts";
import { searchForm } from "./search-form.ts";
import { messageDocument, type SiteFrame } from "./page.ts";

/** Results as a page: what the search dialog shows, for browsers without scripts. */
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
        ${results.map(resultItem)}
      </ol>`,
  });
}

function resultItem({ route, anchor, title, heading, excerpt }: SearchResult): Html {
  const href = anchor === null ? route : `${route}#${encodeURIComponent(anchor)}`;
  return html`<li>
    <a href="${href}"><b>${heading === null ? marked(title) : marked(heading)}</b> ${heading && html`<span>${marked(title)}</span>`}</a>
    <p>${marked(excerpt)}</p>
  </li>`;
}

function marked(parts: readonly ExcerptPart[]): Html[] {
  return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`));
}
