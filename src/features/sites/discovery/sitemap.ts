import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";

/** The limit of sitemaps.org for one file. */
const MAX_ENTRIES = 50_000;

interface SitemapInput {
  docs: Docs;
  origin: string;
  /** The dates of the last changes, by path in the repository. */
  dates: ReadonlyMap<string, Date>;
  maxEntries?: number;
}

/** The sitemap, or a sitemap index (`sitemap-1.xml` …) when there are too many pages. */
export function sitemapXml(input: SitemapInput): string {
  const { origin, maxEntries = MAX_ENTRIES } = input;
  const pages = listedPages(input);
  if (pages.length <= maxEntries) return urlSet(pages, input);
  const parts = Array.from(
    { length: Math.ceil(pages.length / maxEntries) },
    (_, index) => `<sitemap><loc>${escapeXml(`${origin}/sitemap-${index + 1}.xml`)}</loc></sitemap>`,
  );
  return `${XML}<sitemapindex xmlns="${NAMESPACE}">\n${parts.join("\n")}\n</sitemapindex>\n`;
}

/** One file of a split sitemap, counted from 1; null when it does not exist. */
export function sitemapPart(input: SitemapInput, number: number): string | null {
  const { maxEntries = MAX_ENTRIES } = input;
  const pages = listedPages(input);
  const part = pages.slice((number - 1) * maxEntries, number * maxEntries);
  return pages.length <= maxEntries || part.length === 0 ? null : urlSet(part, input);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

function listedPages({ docs: { config, pages } }: SitemapInput): Page[] {
  const { seo } = config;
  if (seo.noindex) return [];
  return [...pages.values()].filter(
    (page) => !page.noindex && (!page.hidden || seo.indexAll) && isOwnAddress(page.canonical ?? null, page),
  );
}

/** A page with a canonical address elsewhere is not listed. */
function isOwnAddress(canonical: string | null, { route }: Page): boolean {
  return canonical === null || (canonical.startsWith("/") && canonicalPath(canonical) === route);
}

function urlSet(pages: readonly Page[], { origin, dates }: SitemapInput): string {
  const urls = pages.map((page) => {
    const date = dates.get(page.path);
    const changed = date === undefined ? "" : `<lastmod>${date.toISOString().slice(0, 19)}Z</lastmod>`;
    return `<url><loc>${escapeXml(origin + page.route)}</loc>${changed}</url>`;
  });
  return `${XML}<urlset xmlns="${NAMESPACE}">\n${urls.join("\n")}\n</urlset>\n`;
}

/** Escapes a text for XML, and removes the characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}
