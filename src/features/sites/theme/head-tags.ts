import { html, raw, type Html } from "#kit/pages/markup.ts";
import type { PageMetadata } from "#features/sites/discovery/page-metadata.ts";

const OPEN_GRAPH = /^(?:og|article|book|profile|fb|al|music|video|product):/;

/** What the head of a page's document says of it. */
export function headTags(metadata: PageMetadata, feed: { href: string; title: string } | null): Html {
  const { canonical, tags, translations, structuredData } = metadata;
  return html`${canonical === null ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${canonical}" />`}
    ${translations.map(({ language, href }) => html`<link rel="alternate" hreflang="${language}" href="${href}" />`)}
    ${[...tags].map(([name, content]) =>
      OPEN_GRAPH.test(name)
        ? html`<meta property="${name}" content="${content}" />`
        : html`<meta name="${name}" content="${content}" />`,
    )}
    ${feed && html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${feed.href}" />`}
    ${structuredData && raw(`<script type="application/ld+json">${scriptJson(structuredData)}</script>`)}`;
}

/** JSON that no text in it can end the script element of (HTML, 4.12.1.3: `<` is what begins `</script` and `<!--`). */
function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
