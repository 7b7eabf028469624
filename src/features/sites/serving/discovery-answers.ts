import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { feedXml, pageOfFeed } from "#features/sites/discovery/feed.ts";
import { sitemapPart, sitemapXml } from "#features/sites/discovery/sitemap.ts";
import type { PageContents } from "#features/sites/page-content.ts";
import type { PageDates } from "#features/sites/page-dates.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";

/** How long a crawler waits for the dates of pages; what takes longer is there the next time. */
const DATES_PATIENCE_MS = 3_000;

interface Visit {
  request: PlainRequest;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
}

/** Answers with what programs ask a site for to find its pages: sitemaps and feeds. */
export interface DiscoveryAnswers {
  /** Null for a path that is none of them. */
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
      const [isSitemap, number] = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/.exec(path) ?? [];
      const text = isSitemap === undefined ? await feed(visit, path) : await sitemap(visit, number);
      if (text === null) return null;
      const type = isSitemap === undefined ? "application/rss+xml" : "application/xml";
      return sendBody(visit.request, createBody(text, `${type}; charset=utf-8`, { owner: visit.project.id }));
    },
  };
}
