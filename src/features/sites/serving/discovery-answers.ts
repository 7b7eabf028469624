import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { feedXml, pageOfFeed } from "#features/sites/discovery/feed.ts";
import { sitemapPart, sitemapXml } from "#features/sites/discovery/sitemap.ts";
import type { PageContents } from "#features/sites/page-content.ts";
import type { PageDates } from "#features/sites/page-dates.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";
import { markdownWords } from "#docs/markup/markdown-line.ts";
import { routesBelow } from "#docs/tree/navigation.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { SiteText } from "#features/sites/site-texts.ts";

/** How long a crawler waits for the dates of pages; slower ones are included the next time. */
const DATES_PATIENCE_MS = 3_000;

interface Visit {
  request: PlainRequest;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
}

/** Responds to programs that discover a site's pages: sitemaps and feeds. */
export interface DiscoveryAnswers {
  /** Null for any other path. */
  answer(visit: Visit, path: string): Promise<PlainAnswer | null>;
}

export function createDiscoveryAnswers(deps: {
  pageDates: PageDates;
  contents: Pick<PageContents, "render">;
}): DiscoveryAnswers {
  const { pageDates } = deps;

  async function sitemap({ version, frame, project }: Visit, number: string | undefined): Promise<string | null> {
    const dates = await pageDates.of(project, version, DATES_PATIENCE_MS);
    const input = { docs: version.docs, origin: frame.origin, dates };
    return number === undefined ? sitemapXml(input) : sitemapPart(input, Number(number));
  }

  async function feed({ version, frame, project }: Visit, path: string): Promise<string | null> {
    const route = pageOfFeed(path);
    const page = route === null ? undefined : version.docs.pages.get(route);
    if (page === undefined) return null;
    const content = await deps.contents.render(project.id, version, page);
    return feedXml({ ...frame, language: frame.language.tag }, { page, content });
  }

  return {
    async answer(visit, path) {
      const { externalSite } = visit.project;
      const [isSitemap, number] = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/.exec(path) ?? [];
      if (isSitemap !== undefined && externalSite !== undefined) {
        return { status: 302, headers: { Location: externalSite + path, "Cache-Control": "no-cache" }, body: null };
      }
      const text = isSitemap === undefined ? await feed(visit, path) : await sitemap(visit, number);
      if (text === null) return null;
      const type = isSitemap === undefined ? "application/rss+xml" : "application/xml";
      return sendBody(visit.request, createBody(text, `${type}; charset=utf-8`, { owner: visit.project.id }));
    },
  };
}

const MAX_CHARACTERS = 4_000_000;
/** Rendered in about a second each on an idle machine. */
const MAX_PAGES = 2_000;
const READS_AT_ONCE = 16;

/**
 * The pages of the navigation as one Markdown text, in parts of up to 4 MB and 2,000 pages, starting with the page
 * `from`, or the first. The end of a part has the address of the next one. So neither clients nor the main thread wait
 * for all of a large site.
 */
export async function llmsFullText(
  { siteName, docs, origin, ownOrigin }: SiteText,
  { from, markdown }: { from: string | null; markdown(page: Page): Promise<string> },
): Promise<string> {
  const pages = routesBelow(docs.navigation)
    .flatMap((route) => docs.pages.get(route) ?? [])
    .filter(({ noindex }) => !noindex);
  const start = Math.max(0, from === null ? 0 : pages.findIndex(({ route }) => route === from));
  const parts = [`# ${markdownWords(docs.config.name ?? siteName)}\n`];
  let size = 0;
  let next = start;
  while (next < Math.min(pages.length, start + MAX_PAGES)) {
    const batch = pages.slice(next, Math.min(next + READS_AT_ONCE, start + MAX_PAGES));
    const texts = await mapConcurrently(batch, READS_AT_ONCE, markdown);
    for (const [index, text] of texts.entries()) {
      const part = `${text.trimEnd()}\n\nSource: ${origin}${batch[index]!.route}\n`;
      if (size + part.length > MAX_CHARACTERS && next > start) return whole(next);
      parts.push(part);
      size += part.length;
      next += 1;
    }
  }
  return whole(next);

  function whole(end: number): string {
    const page = pages[end];
    if (page === undefined) return parts.join("\n---\n\n");
    const address = `${ownOrigin}/llms-full.txt?from=${encodeURIComponent(page.route)}`;
    const more = `These are pages ${start + 1} to ${end} of ${pages.length}. The text continues at ${address}\n`;
    return [parts[0], more, ...parts.slice(1), more].join("\n---\n\n");
  }
}
