import type { Page } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import { beingRead, stillBeingRead } from "#features/sites/awaited-descriptions.ts";
import type { NavigationView } from "#features/sites/layout-index.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";

const AGAIN_SECONDS = 10;

/**
 * Headers of a page that is temporarily incomplete, sent with 503: it is not cached, and browsers retry by themselves.
 */
export const UNFINISHED = {
  "Cache-Control": "no-store",
  "Retry-After": String(AGAIN_SECONDS),
  Refresh: String(AGAIN_SECONDS),
};

/** Lists of all pages of a site. */
const LISTS = /^\/(?:llms(?:-full)?\.txt|sitemap(?:-\d+)?\.xml)$/;

/**
 * A list without the pages of an API would claim that there are none: `AppError unavailable` while a description is
 * being parsed.
 */
export function refuseIncomplete({ awaited }: SiteVersion, path: string): void {
  const reason = stillBeingRead(awaited);
  if (reason === null || !LISTS.test(path)) return;
  throw new AppError("unavailable", reason, { retryAfterSeconds: AGAIN_SECONDS, isBusy: true });
}

/** The note in a page's Markdown while its API description is being parsed; null otherwise. */
export const awaitedMarkdown = ({ awaits }: Page): string | null => awaits && `> ${beingRead(awaits)}`;

/** The message at an address that may become an API page once its description is parsed; null for a complete site. */
export function awaitedMessage({
  awaited,
  layout,
}: SiteVersion): { title: string; code: null; body: Html; navigation: NavigationView } | null {
  const reason = stillBeingRead(awaited);
  if (reason === null) return null;
  return {
    title: "One moment",
    code: null,
    navigation: layout.view(layout.homeRoute ?? "/"),
    body: html`<p lang="en">There is no page at this address yet. ${reason}</p>`,
  };
}

/** Limits how long readers wait for work. The work continues anyway, and its result is cached for the next request. */
type ReaderPatience = <T>(work: Promise<T>) => Promise<T>;

const RETRY_SECONDS = 10;

const timeoutError = () =>
  new AppError(
    "unavailable",
    "The server is busy, and this page takes longer than usual. It is being made; try again.",
    {
      retryAfterSeconds: RETRY_SECONDS,
      isBusy: true,
    },
  );

/** `AppError unavailable` after `patienceMs`, which is logged once, not for each reader. */
export function createReaderPatience({ logger, patienceMs }: { logger: Logger; patienceMs: number }): ReaderPatience {
  const trouble = createLastingTrouble(logger, "pages take longer than readers wait, as the server is busy");
  return async (work) => {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timeoutError()), patienceMs).unref();
    });
    try {
      const made = await Promise.race([work, tooLate]);
      trouble.worked();
      return made;
    } catch (error) {
      if (error instanceof AppError && error.isBusy) trouble.failed(error);
      work.catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
