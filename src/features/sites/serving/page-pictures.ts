import type { Page } from "#docs/tree/page-tree.ts";
import { siteLanguage } from "#docs/words/site-language.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import type { PicturedPage, TitlePictures } from "#features/sites/media/title-pictures.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { accentOf } from "#features/sites/theme/accent.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";

interface Visit {
  request: PlainRequest;
  url: URL;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
}

/** The whole address of the picture that is made of a page's title; null where there is none. */
export function pictureAddress(
  pictures: TitlePictures | undefined,
  { version, frame }: Pick<Visit, "version" | "frame">,
  page: Page,
): string | null {
  const path = pictures?.address(picturedPage({ version, frame }, page)) ?? null;
  return path && frame.origin + path;
}

/** The picture of the page that an address names; null where there is none. */
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
