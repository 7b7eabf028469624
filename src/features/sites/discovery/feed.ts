import type { Page } from "#docs/tree/page-tree.ts";
import { routeOfStem, type Route } from "#docs/routes.ts";
import { htmlText } from "#docs/render/plain-text.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import { cutText } from "#lib/cut-text.ts";
import { escapeXml } from "./sitemap.ts";

const MAX_SUMMARY = 2_000;

/** The address of a page's feed, if the page has one. */
export const feedPath = (route: Route): string => (route === "/" ? "/rss.xml" : `${route}/rss.xml`);

/** The page whose feed a path would be; null for any other path. */
export function pageOfFeed(path: string): Route | null {
  return path.endsWith("/rss.xml") ? path.slice(0, -"/rss.xml".length) || routeOfStem("") : null;
}

/** Whether a page has updates that readers can subscribe to. */
export const hasFeed = (content: Pick<PageContent, "html">): boolean => content.html.includes(UPDATE);

const UPDATE = '<section class="update"';

interface Entry {
  id: string;
  title: string;
  summary: string;
  tags: string[];
  date: Date | null;
  html: string;
}

/** The updates on a page as RSS 2.0 (rssboard.org), in page order. Null for a page without updates. */
export function feedXml(
  { origin, ownOrigin, siteName, language }: { origin: string; ownOrigin: string; siteName: string; language: string },
  { page, content }: { page: Page; content: PageContent },
): string | null {
  const entries = updatesOf(content.html);
  if (entries.length === 0) return null;
  const address = origin + page.route;
  const items = entries.map((entry, index) => {
    const link = entry.id === "" ? address : `${address}#${encodeURIComponent(entry.id)}`;
    // Updates without a label share the page's address, and feed readers would drop the second. Numbered from the
    // oldest, so that a new one on top changes no other.
    const guid = entry.id === "" ? `${address}#update-${entries.length - index}` : link;
    return [
      "<item>",
      `<title>${escapeXml(entry.title)}</title>`,
      `<link>${escapeXml(link)}</link>`,
      `<guid isPermaLink="true">${escapeXml(guid)}</guid>`,
      ...(entry.date === null ? [] : [`<pubDate>${entry.date.toUTCString()}</pubDate>`]),
      ...entry.tags.map((tag) => `<category>${escapeXml(tag)}</category>`),
      `<description>${escapeXml(entry.summary)}</description>`,
      `<content:encoded>${escapeXml(absolute(entry.html, { origin, address }))}</content:encoded>`,
      "</item>",
    ].join("\n");
  });
  const title = page.title === siteName ? siteName : `${page.title} · ${siteName}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${escapeXml(title)}</title>
<link>${escapeXml(address)}</link>
<description>${escapeXml(page.description ?? content.description ?? title)}</description>
<language>${escapeXml(language)}</language>
<atom:link href="${escapeXml(ownOrigin + feedPath(page.route))}" rel="self" type="application/rss+xml"/>
${items.join("\n")}
</channel>
</rss>
`;
}

/** Reads the updates from the HTML that the component renders. A nested update belongs to its parent. */
function updatesOf(html: string): Entry[] {
  const entries: Entry[] = [];
  let depth = 0;
  let start = -1;
  for (const tag of html.matchAll(/<section\b|<\/section>/g)) {
    if (tag[0] !== "</section>") {
      if (depth === 0 && html.startsWith(UPDATE, tag.index)) start = tag.index;
      depth += 1;
      continue;
    }
    depth = Math.max(0, depth - 1);
    if (depth > 0 || start === -1) continue;
    entries.push(entryOf(html.slice(start, tag.index)));
    start = -1;
  }
  return entries;
}

function entryOf(html: string): Entry {
  const opening = html.slice(0, html.indexOf(">"));
  const attribute = (name: string) => htmlText(new RegExp(` ${name}="([^"]*)"`).exec(opening)?.[1] ?? "").trim();
  const body = html.slice(html.indexOf('<div class="update-body">') + '<div class="update-body">'.length);
  const label = between(html, '<p class="update-title">', "</p>");
  const description = between(html, '<p class="update-description">', "</p>");
  const tags = html
    .slice(0, html.indexOf('<div class="update-body">'))
    .split('<span class="badge badge-gray">')
    .slice(1);
  return {
    id: attribute("id"),
    title: attribute("data-feed-title") || label || description || "Update",
    summary: attribute("data-feed-text") || shortened(htmlText(body).replaceAll(/\s+/g, " ").trim()),
    tags: tags.map((tag) => htmlText(tag.slice(0, tag.indexOf("</span>"))).trim()),
    date: dateIn(label) ?? dateIn(description),
    html: body.endsWith("</div>") ? body.slice(0, -"</div>".length) : body,
  };
}

/** The whole text is in `content:encoded`. */
const shortened = (text: string): string => (text.length > MAX_SUMMARY ? `${cutText(text, MAX_SUMMARY - 1)}…` : text);

function between(html: string, start: string, end: string): string {
  const from = html.indexOf(start);
  if (from === -1) return "";
  return htmlText(html.slice(from + start.length, html.indexOf(end, from)))
    .replaceAll(/\s+/g, " ")
    .trim();
}

const MONTHS = "january february march april may june july august september october november december".split(" ");

/** `2026-11-23`, `November 23, 2026`, `23 Nov 2026`, `November 2026`; null for a version and any other text. */
function dateIn(text: string): Date | null {
  const [, year, month, day] = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text) ?? [];
  if (year !== undefined) return validDate(Number(year), Number(month) - 1, Number(day));
  const words = text
    .slice(0, 200)
    .toLowerCase()
    .split(/[\s,.]+/);
  const at = words.findIndex((word) => word.length >= 3 && MONTHS.some((name) => name.startsWith(word)));
  const written = words.find((word) => /^\d{4}$/.test(word));
  if (at === -1 || written === undefined) return null;
  const neighborDays = [words[at - 1], words[at + 1]].map(
    (word) => /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "")?.[1],
  );
  const date = Number(neighborDays.find((each) => each !== undefined) ?? 1);
  return validDate(
    Number(written),
    MONTHS.findIndex((name) => name.startsWith(words[at] ?? "")),
    date,
  );
}

function validDate(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date : null;
}

/** Feed readers remove frames: a link to the content replaces them. */
const IFRAME = /<iframe\b[^<>]{0,2000}? src="([^"<>]{1,2000})"[^<>]{0,2000}><\/iframe>/g;

/** A feed is read outside its page, so its addresses are absolute. */
function absolute(html: string, { origin, address }: { origin: string; address: string }): string {
  return html
    .replaceAll(IFRAME, (whole, source: string) => `<p><a href="${source}">${source}</a></p>`)
    .replaceAll(/ (href|src|poster)="\/\//g, (_, name: string) => ` ${name}="https://`)
    .replaceAll(/ (href|src|poster)="\//g, (_, name: string) => ` ${name}="${origin}/`)
    .replaceAll(/ srcset="([^"]*)"/g, (_, sources: string) => {
      const all = sources.split(", ").map((each) => each.replace(/^\/(?!\/)/, `${origin}/`));
      return ` srcset="${all.join(", ")}"`;
    })
    .replaceAll(/ href="(?=[#?])/g, () => ` href="${address}`);
}
