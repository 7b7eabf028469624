import type { Page } from "#docs/tree/page-tree.ts";
import { siteLanguage } from "#docs/words/site-language.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import type { PicturedPage, TitlePictures } from "#features/sites/media/title-pictures.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { accentOf } from "#features/sites/theme/accent.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";
import { cssBelow } from "#features/sites/base-path.ts";
import { hasFeed } from "#features/sites/discovery/feed.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import { type PAGE_HEADERS, pageHeaders } from "./page-headers.ts";
import type { DocsConfig, SiteFont } from "#docs/config/docs-config.ts";

interface Visit {
  request: PlainRequest;
  url: URL;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
}

/** The absolute address of the image that is generated from a page's title; null when there is none. */
export function pictureAddress(
  pictures: TitlePictures | undefined,
  { version, frame }: Pick<Visit, "version" | "frame">,
  page: Page,
): string | null {
  const path = pictures?.address(picturedPage({ version, frame }, page)) ?? null;
  return path && frame.origin + path;
}

/** Sends the image of the page that an address names; null when there is none. */
export async function sendPicture(
  pictures: TitlePictures,
  { request, url, project, version, frame }: Visit,
): Promise<PlainAnswer | null> {
  const page = version.docs.pages.get(url.searchParams.get("page") ?? "");
  return page === undefined ? null : await pictures.answer(request, project.id, picturedPage({ version, frame }, page));
}

function picturedPage({ version, frame }: Pick<Visit, "version" | "frame">, page: Page): PicturedPage {
  const { siteName, origin } = frame;
  const { direction } = siteLanguage(version.layout.language(page.route));
  const color = accentOf(version.docs.config.colors).light;
  return { page, siteName, origin, color, isRightToLeft: direction === "rtl" };
}

interface PageLooks {
  /** The styles of the site's fonts. */
  fonts: string;
  /** The font styles and the page's own. */
  css: string;
  headers: typeof PAGE_HEADERS;
  hasFeed: boolean;
}

/**
 * Values derived from a page's content and its site's version, cached with the content: computing them takes a tenth of
 * the time of a request, and every view needs them.
 */
export function createPageLooks(): (frame: SiteFrame, version: SiteVersion, content: PageContent) => PageLooks {
  // A page that is cached across versions must not keep an old version alive.
  const known = new WeakMap<PageContent, { version: WeakRef<SiteVersion>; place: string; styles: PageLooks }>();
  return (frame, version, content) => {
    const place = `${frame.base} ${frame.apiProxy === null}`;
    const found = known.get(content);
    if (found !== undefined && found.place === place && found.version.deref() === version) return found.styles;
    const fonts = fontStyles({ config: version.docs.config, assetHref: frame.assetHref });
    const css = cssBelow(frame.base, fonts + content.css);
    const origins = frame.apiProxy === null ? (content.operation?.origins ?? []) : [];
    const styles = { fonts, css, headers: pageHeaders(css, origins), hasFeed: hasFeed(content) };
    known.set(content, { version: new WeakRef(version), place, styles });
    return styles;
  };
}

const FALLBACK = "ui-sans-serif,system-ui,-apple-system,sans-serif";
const FORMATS: Record<string, string> = { woff2: "woff2", woff: "woff", ttf: "truetype", otf: "opentype" };

/**
 * The font styles of a site. Files come from its repository only; a family without a file is used where the reader has
 * it installed.
 */
function fontStyles({
  config,
  assetHref,
}: {
  config: DocsConfig;
  assetHref(reference: string): string | null;
}): string {
  const { body, heading } = config.fonts;
  const face = (font: SiteFont | null): string => {
    const href = font?.source ? assetHref(font.source) : null;
    const format = FORMATS[/\.(\w{3,5})$/.exec(font?.source ?? "")?.[1]?.toLowerCase() ?? ""];
    if (font === null || href === null || format === undefined || !/^\/(?!\/)[\w./%@~+-]+(?:\?v=\w+)?$/.test(href))
      return "";
    const weight = font.weight === null ? "100 900" : String(font.weight);
    return `@font-face{font-family:"${font.family}";src:url("${href}") format("${format}");font-weight:${weight};font-display:swap}`;
  };
  const faces = new Set([face(body), face(heading)]);
  const bodyRule = body === null ? "" : `:root{--font-body:"${body.family}",${FALLBACK}}`;
  const headings = ".site-page-title,.content :is(h1,h2,h3,h4,h5,h6)";
  const headingRule = heading === null ? "" : `${headings}{font-family:"${heading.family}",var(--font-body)}`;
  return [...faces].join("") + bodyRule + headingRule;
}
