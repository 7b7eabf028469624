import { routesBelow, type NavigationSection } from "#docs/tree/navigation.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { Words } from "#docs/words/site-language.ts";
import type { SiteLanguage } from "#docs/words/site-language.ts";
import type { NavigationView } from "#features/sites/layout-index.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import { icon } from "./icons.ts";
import type { PageMode } from "./page-mode.ts";
import { linkPictures } from "./picture-links.ts";
import { beingRead } from "#features/sites/awaited-descriptions.ts";
import { filled, html, raw, type Html } from "#kit/pages/markup.ts";

export interface ArticleView {
  page: Page;
  content: PageContent;
  navigation: NavigationView;
  markdownHref: string;
  editHref: string | null;
  issueHref: string | null;
  changedAt: Date | null;
  /** Further actions for the page. */
  menu: Html | null;
  shows: PageMode;
  language: SiteLanguage;
}

/** The page itself: breadcrumb, title, content, and links to the next pages. */
export function article(view: ArticleView): Html {
  const { page, content, navigation, markdownHref, editHref, issueHref, menu, shows, language } = view;
  const { words } = language;
  const startsWithTitle = isTitled(content.html) || (!shows.repeatsTitle && /<h1[\s>]/.test(content.html));
  const description = page.description ?? content.description;
  return html`<article data-mode="${shows.name}" data-layout="${content.operation === null ? "" : "operation"}">
    ${menu} ${shows.title ? breadcrumbs(navigation.groups, page, words) : ""}
    ${startsWithTitle ? "" : title(view)}
    ${description === null || startsWithTitle || !shows.title ? "" : html`<p class="site-lead">${description}</p>`}
    ${page.isDeprecated && shows.title ? html`<p class="site-deprecated"><span class="site-tag">${words.deprecated}</span></p>` : ""}
    ${contentsButton(view)}
    ${content.degraded === "plain" ? degradedNotice(content, markdownHref, words) : ""}
    ${page.awaits === null ? "" : awaitedNotice(page.awaits, words)}
    <div class="content"${content.css === "" ? "" : html` data-styled`}>${raw(linkPictures(content.html, words))}</div>
    ${
      shows.title &&
      html`<p class="site-page-links">
        ${editHref && html`<a href="${editHref}">${icon("edit")}${words.editPage}</a>`}
        ${issueHref && html`<a href="${issueHref}">${icon("issue")}${words.reportProblem}</a>`}
        <a href="${markdownHref}" rel="nofollow">${icon("markdown")}${words.viewMarkdown}</a>
        ${view.changedAt && lastChanged(view.changedAt, language)}
      </p>`
    }
    ${shows.title ? neighbours(navigation, words) : ""}
  </article>`;
}

function lastChanged(at: Date, { words, wordsTag }: SiteLanguage): Html {
  const day = at.toISOString().slice(0, 10);
  // In UTC, so that a page is the same for everyone.
  const shown = new Intl.DateTimeFormat(wordsTag, { dateStyle: "long", timeZone: "UTC" }).format(at);
  return html`<span class="site-changed">${filled(words.lastChanged, { date: html`<time datetime="${day}">${shown}</time>` })}</span>`;
}

/** Whether a page starts with its heading, possibly after images such as a logo. */
function isTitled(content: string): boolean {
  const at = content.slice(0, 10_000).search(/<h1[\s>]/);
  return (
    at !== -1 &&
    content
      .slice(0, at)
      .replaceAll(/<[^<>]*>/g, "")
      .trim() === ""
  );
}

/** A page with a custom layout gets a title for screen readers, unless it has one. */
function title({ page, content, shows }: ArticleView): Html | "" {
  if (shows.title) return html`<h1 class="site-page-title">${page.title}</h1>`;
  return content.html.includes("<h1") ? "" : html`<h1 class="site-unseen">${page.title}</h1>`;
}

function degradedNotice(content: PageContent, markdownHref: string, words: Words): Html {
  return html`<div class="site-notice" role="note">
    <p><strong>${words.simplerForm}</strong> <span lang="en">${content.warnings[0]?.message}</span></p>
    <p><a href="${markdownHref}">${words.itsMarkdown}</a></p>
  </div>`;
}

function awaitedNotice(description: string, words: Words): Html {
  return html`<div class="site-notice" role="note">
    <p><strong>${words.simplerForm}</strong> <span lang="en">${beingRead(description)}</span></p>
  </div>`;
}

function breadcrumbs(groups: readonly NavigationSection[], page: Page, words: Words): Html | null {
  if (groups.length === 0) return null;
  return html`<nav class="site-breadcrumbs" aria-label="${words.breadcrumbs}">
    <ol>
      ${groups.map((group) => {
        const href = group.route ?? routesBelow(group.children)[0];
        const isLink = href !== undefined && href !== page.route;
        return html`<li>${isLink ? html`<a href="${href}">${group.title}</a>` : group.title}</li>`;
      })}
    </ol>
  </nav>`;
}

function neighbours({ previous, next }: NavigationView, words: Words): Html | null {
  if (previous === null && next === null) return null;
  return html`<nav class="site-neighbours" aria-label="${words.previousAndNext}">
    ${
      previous &&
      html`<a class="previous" rel="prev" href="${previous.route}"><span>${words.previous}</span><b>${icon("previous")}${previous.title}</b></a>`
    }
    ${next && html`<a class="next" rel="next" href="${next.route}"><span>${words.next}</span><b>${next.title}${icon("chevron")}</b></a>`}
  </nav>`;
}

type ContentsView = Pick<ArticleView, "content" | "shows" | "language">;

/** The page of an operation has a list of its parts in its text. */
function listedHeadings({ content, shows }: Pick<ContentsView, "content" | "shows">): PageContent["headings"] {
  if (!shows.contents || content.operation !== null) return [];
  const headings = content.headings.filter(({ depth }) => depth === 2 || depth === 3);
  return headings.length < 2 ? [] : headings;
}

/** For small screens, which have no margin. */
function contentsButton(view: ContentsView): Html | "" {
  if (listedHeadings(view).length === 0) return "";
  return html`<button class="site-outline-button" type="button" popovertarget="site-contents">${view.language.words.onThisPage}${icon("chevron")}</button>`;
}

/** The table of contents, for the margin, or behind a button on small screens; null when there are too few headings. */
export function contents({ content, shows, language: { words } }: ContentsView): Html | null {
  const headings = listedHeadings({ content, shows });
  if (headings.length === 0) return null;
  return html`<nav class="site-contents" id="site-contents" popover aria-label="${words.onThisPage}" data-contents>
    <p>${words.onThisPage}</p>
    <ul>
      ${headings.map(
        ({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
      )}
    </ul>
  </nav>`;
}
