import { distance } from "fastest-levenshtein";
import { posix } from "node:path";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";
import type { LayoutIndex, NavigationView } from "#features/sites/layout-index.ts";
import { filled, html, type Html } from "#kit/pages/markup.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";
import { searchForm } from "#features/sites/theme/search-page.ts";

const MAX_SUGGESTIONS = 6;
// Comparing with every page of a very large site would make a stream of wrong addresses expensive.
const MAX_COMPARED = 5_000;

/** The text of a missing page, with suggestions. */
export function notFoundMessage(
  frame: SiteFrame,
  layout: LayoutIndex,
  route: string,
): {
  title: string;
  code: string;
  body: Html;
  navigation: NavigationView;
} {
  const { docs, language, searchScript } = frame;
  const { words } = language;
  const pages = suggestPages(docs, route);
  // The would-be place of the missing page; finding its neighbors scans all pages.
  const near = docs.pages.size <= MAX_COMPARED ? (canonicalPath(route) ?? "/") : (layout.homeRoute ?? "/");
  return {
    title: words.notFound,
    code: "404",
    navigation: layout.view(near),
    body: html`<p>${filled(words.noPageAt, { path: html`<code>${decodeForDisplay(route)}</code>` })}</p>
      ${
        pages.length > 0
          ? html`<p>${words.perhapsOneOf}</p>
              <ul>
                ${pages.map((page) => html`<li><a href="${page.route}">${page.title}</a></li>`)}
              </ul>`
          : ""
      }
      ${searchScript && searchForm(frame, searchable(route))}
      <p><a href="/">${words.toFirstPage}</a></p>`,
  };
}

/** The same as Markdown. */
export function notFoundMarkdown(route: string, origin: string): string {
  return `# Page not found\n\nThere is no page at \`${decodeForDisplay(route)}\`. ${origin}/llms.txt lists every page.\n`;
}

/** Pages below the path first, then those of the same name, then those with a similar spelling. */
function suggestPages(docs: Docs, route: string): Page[] {
  const wanted = route.toLowerCase().slice(0, 200);
  const name = posix.basename(wanted);
  const limit = Math.max(2, Math.floor(wanted.length * 0.34));
  const scored: { page: Page; score: number }[] = [];
  let compared = 0;
  for (const page of docs.pages.values()) {
    if ((compared += 1) > MAX_COMPARED) break;
    const key = page.route.toLowerCase();
    if (page.hidden && key !== wanted) continue;
    if (wanted !== "/" && key.startsWith(`${wanted}/`)) scored.push({ page, score: key.split("/").length / 100 });
    else if (isSimilarName(posix.basename(key), name))
      scored.push({ page, score: posix.basename(key) === name ? 1 : 2 });
    else if (name !== "" && page.title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-") === name)
      scored.push({ page, score: 1.5 });
    else if (Math.abs(key.length - wanted.length) <= limit) {
      const apart = distance(wanted, key);
      if (apart <= limit) scored.push({ page, score: 1 + apart / 2 });
    }
  }
  return scored
    .sort((a, b) => a.score - b.score || (a.page.route < b.page.route ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ page }) => page);
}

/** A search query for a missing page: `install linux` of `/guides/install-linux.html`. */
function searchable(route: string): string {
  const name = posix.basename(decodeForDisplay(route)).replace(/\.[a-z]{2,5}$/i, "");
  return name
    .replaceAll(/[-_./]+/g, " ")
    .trim()
    .slice(0, 100);
}

const MIN_PART = 4;

/** `quick` and `quickstart`, `install-linux` and `install`. */
function isSimilarName(key: string, name: string): boolean {
  if (key === name) return name !== "";
  const [shorter, longer] = key.length < name.length ? [key, name] : [name, key];
  return shorter.length >= MIN_PART && longer.includes(shorter);
}

function decodeForDisplay(route: string): string {
  try {
    return decodeURIComponent(route).slice(0, 300);
  } catch {
    return route.slice(0, 300);
  }
}

/** For a repository without any page. */
export function emptySiteMessage(hasCommit: boolean): { title: string; code: null; body: Html; navigation: null } {
  return {
    title: "Nothing here yet",
    code: null,
    navigation: null,
    body: html`<p>
        ${
          hasCommit
            ? "The repository of this site has no Markdown files that could be shown."
            : "The repository of this site is empty."
        }
      </p>
      <p>Add a file such as <code>README.md</code> or <code>index.mdx</code> and push it: the page is here at once.</p>`,
  };
}
