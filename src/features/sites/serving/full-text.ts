import { routesBelow } from "#docs/tree/navigation.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { SiteText } from "#features/sites/site-texts.ts";

const MAX_CHARACTERS = 4_000_000;
/** Read in about a second each on an idle machine. */
const MAX_PAGES = 2_000;
const READS_AT_ONCE = 16;

/**
 * The pages of the navigation as one Markdown text, in parts of up to 4 MB and 2,000 pages: from the page `from` on, or
 * from the first. The end of a part says where the next one is. Nobody waits for all of a large site, and no thread.
 */
export async function llmsFullText(
  { siteName, docs, origin }: SiteText,
  { from, markdown }: { from: string | null; markdown(page: Page): Promise<string> },
): Promise<string> {
  const pages = routesBelow(docs.navigation)
    .flatMap((route) => docs.pages.get(route) ?? [])
    .filter(({ noindex }) => !noindex);
  const start = Math.max(0, from === null ? 0 : pages.findIndex(({ route }) => route === from));
  const parts = [`# ${docs.config.name ?? siteName}\n`];
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
    const address = `${origin}/llms-full.txt?from=${encodeURIComponent(page.route)}`;
    const more = `These are pages ${start + 1} to ${end} of ${pages.length}. The text goes on at ${address}\n`;
    return [parts[0], more, ...parts.slice(1), more].join("\n---\n\n");
  }
}
