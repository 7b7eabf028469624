import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { Route } from "#docs/routes.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import { pageMetadata, type PageMetadata } from "#features/sites/discovery/page-metadata.ts";
import type { NavigationView } from "#features/sites/layout-index.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import type { SiteNotice } from "#features/sites/site-project.ts";
import type { SiteLanguage, Words } from "#docs/words/site-language.ts";
import { accentOf } from "./accent.ts";
import { article, contents } from "./article.ts";
import { type PageScript, siteDocument } from "./document.ts";
import { feedbackForm } from "./feedback-form.ts";
import { header, menuLinks } from "./header.ts";
import { icon, type DrawIcon } from "./icons.ts";
import { inlineMarkdown } from "./inline-markdown.ts";
import { html, type Html, filled, raw } from "#kit/pages/markup.ts";
import { pageMenu } from "./page-menu.ts";
import { pageMode } from "./page-mode.ts";
import { sidebar } from "./sidebar.ts";
import type { DocsConfig } from "#docs/config/docs-config.ts";

/** The parts that all documents of a site share. */
export interface SiteFrame {
  siteName: string;
  docs: Docs;
  files: ThemeFiles;
  /** Scheme, host and base path of the site, without a slash at the end. */
  origin: string;
  /** The same of what Docent itself serves: another one where another service publishes the pages. */
  ownOrigin: string;
  /** The prefix of every public path; "" at the root. It is added to finished documents. */
  base: string;
  assetHref(reference: string): string | null;
  showsNameBesideLogo: boolean;
  /** The language of the requested page. */
  language: SiteLanguage;
  /**
   * The language that a search from here stays within, as the navigation writes it; null when it names no languages.
   */
  searchedLanguage: string | null;
  notice: SiteNotice | null;
  /** The notice above the page of a file, or another document, for people who work on the site. */
  authorNotice: ((path: string | null) => Html) | null;
  /** Whether readers passed the gate, and may want to sign out. */
  isPrivate: boolean;
  /** Address of the search dialog's script; null where the site has no search. */
  searchScript: string | null;
  /** Address of the search in files, for an exported site, which has no server. Else null. */
  searchFiles: string | null;
  /** Whether readers are asked if a page was helpful. */
  asksForFeedback: boolean;
  /** Where API pages send requests to be forwarded; null when browsers send them directly. */
  apiProxy: string | null;
  drawIcon: DrawIcon;
  /** Address of the site's MCP server; null when others cannot reach one. */
  mcpAddress: string | null;
}

/** The content of one page's document. */
export interface PageView {
  page: Page;
  content: PageContent;
  css: string;
  navigation: NavigationView;
  editHref: string | null;
  issueHref: string | null;
  /** The date of the page's last change; null when it is unknown or not shown. */
  changedAt: Date | null;
  /** Address of the image for shares of the page. */
  image: string | null;
  feed: { href: string; title: string } | null;
}

/** One page of a site as an HTML document. */
export function pageDocument(frame: SiteFrame, view: PageView): string {
  const { docs, files, siteName, assetHref, language } = frame;
  const { words } = language;
  const { page, content, navigation, editHref, issueHref } = view;
  const { config } = docs;
  const markdownHref = page.route === "/" ? "/index.md" : `${page.route}.md`;
  const shows = pageMode(content.frontMatter, config.dialect);
  const { frontMatter, description } = content;
  const metadataInput = {
    ...frame,
    config,
    page,
    frontMatter,
    description,
    navigation,
    language: language.tag,
    image: view.image,
  };
  const asksForFeedback = frame.asksForFeedback && shows.title;
  const menu = shows.menu
    ? pageMenu({
        ...frame,
        words,
        isPublic: frame.notice === null,
        options: config.pageOptions,
        route: page.route,
        markdownHref,
      })
    : null;
  const body = html`<a class="site-skip" href="#content">${words.skip}</a>
    ${siteNotice(frame.notice)} ${frame.authorNotice?.(page.path)} ${config.banner && html`<aside class="site-banner" aria-label="${words.announcement}">${inlineMarkdown(config.banner)}</aside>`}
    ${header({ ...frame, config, navigation })}
    <div class="site-frame${shows.sidebar ? "" : " alone"}">
      ${pagesMenu(frame, navigation, page.route)}
      <main id="content" tabindex="-1">
        ${article({ page, content, navigation, markdownHref, editHref, issueHref, changedAt: view.changedAt, menu, shows, language })}
        ${asksForFeedback ? feedbackForm(page.route, words) : ""}
      </main>
      ${contents({ content, shows, language })}
    </div>
    ${shows.footer ? footer(config, language.words, frame) : ""}`;
  const scripts = neededOf({
    "page-menu": menu !== null,
    reading: /<img |"table-scroll"/.test(content.html),
    playground: (content.operation?.origins.length ?? 0) > 0,
    feedback: asksForFeedback,
    "confirm-view": frame.searchFiles === null && page.awaits === null, // an unfinished page is not a view
    diagrams: content.html.includes('<figure class="diagram"'),
  });
  return siteDocument({
    title: page.title === siteName ? siteName : `${page.title} · ${siteName}`,
    description: page.description ?? content.description ?? config.description,
    language,
    accent: accentOf(config.colors),
    appearance: config.appearance,
    files,
    favicon: config.favicon && assetHref(config.favicon),
    metadata: headTags(pageMetadata(metadataInput), view.feed),
    markdownHref,
    scripts,
    css: view.css,
    apiProxy: frame.apiProxy,
    base: frame.base,
    body,
  });
}

function neededOf(scripts: Record<PageScript, boolean>): PageScript[] {
  return (Object.keys(scripts) as PageScript[]).filter((name) => scripts[name]);
}

/** A document of the site that is not one of its pages: not found, no content yet. */
export function messageDocument(
  frame: SiteFrame,
  message: { title: string; code: string | null; body: Html; navigation?: NavigationView | null },
): string {
  const { siteName, docs, files, assetHref, language } = frame;
  const { config } = docs;
  const { navigation = null } = message;
  return siteDocument({
    title: `${message.title} · ${siteName}`,
    description: null,
    language,
    accent: accentOf(config.colors),
    appearance: config.appearance,
    files,
    favicon: config.favicon && assetHref(config.favicon),
    metadata: html`<meta name="robots" content="noindex" />`,
    markdownHref: null,
    scripts: [],
    css: "",
    apiProxy: null,
    base: frame.base,
    body: html`<a class="site-skip" href="#content">${language.words.skip}</a>
      ${siteNotice(frame.notice)} ${frame.authorNotice?.(null)} ${header({ ...frame, config, navigation })}
      <div class="site-frame${navigation === null ? " alone" : ""}">
        ${navigation && pagesMenu(frame, navigation, null)}
        <main id="content" tabindex="-1">
          <div class="site-message">
            ${message.code && html`<p class="code">${message.code}</p>`}
            <h1>${message.title}</h1>
            ${message.body}
          </div>
        </main>
      </div>
      ${footer(config, language.words, frame)}`,
  });
}

/** The navigation next to a page; small screens show it on request. */
function pagesMenu({ docs, drawIcon, language }: SiteFrame, navigation: NavigationView, route: Route | null): Html {
  const { words } = language;
  const { items, groups } = navigation;
  return html`<nav class="site-sidebar" id="menu" popover data-sidebar aria-label="${words.pages}">
    <button class="site-icon-button close" type="button" popovertarget="menu" popovertargetaction="hide" aria-label="${words.close}">
      ${icon("close")}
    </button>
    ${menuLinks({ config: docs.config, navigation, drawIcon })}
    <div class="site-sidebar-tree">${sidebar({ items, groups, route, drawIcon, words })}</div>
  </nav>`;
}

/** The notice of a site that is not the published one. */
function siteNotice(notice: SiteNotice | null): Html | null {
  return (
    notice &&
    html`<aside class="site-preview" lang="en" dir="ltr">${notice.text} ${notice.links.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}</aside>`
  );
}

/** Links below every page. */
function footer(config: DocsConfig, words: Words, { isPrivate }: { isPrivate: boolean }): Html {
  const { columns, socials, copyright } = config.footer;
  return html`<footer class="site-footer">
    <div>
      ${columns.map(
        ({ title, links }) =>
          html`<section>
            ${title && html`<p>${title}</p>`}
            <ul>
              ${links.map((link) => html`<li><a href="${link.href}">${link.label}</a></li>`)}
            </ul>
          </section>`,
      )}
      ${
        socials.length > 0
          ? html`<ul class="site-link-row">
              ${socials.map((link) => html`<li><a href="${link.href}" rel="me noopener">${link.label}</a></li>`)}
            </ul>`
          : ""
      }
      ${copyright && html`<p class="site-copyright">${inlineMarkdown(copyright)}</p>`}
      <ul class="site-link-row made">
        <li><a href="/llms.txt">llms.txt</a></li>
        ${isPrivate && html`<li><a href="/_docent/sign-out" rel="nofollow">${words.signOut}</a></li>`}
        <li>${filled(words.servedBy, { name: "Docent" })}</li>
      </ul>
    </div>
  </footer>`;
}

const OPEN_GRAPH = /^(?:og|article|book|profile|fb|al|music|video|product):/;

/** The metadata in the head of a page's document. */
function headTags(metadata: PageMetadata, feed: { href: string; title: string } | null): Html {
  const { canonical, tags, translations, structuredData } = metadata;
  return html`${canonical === null ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${canonical}" />`}
    ${translations.map(({ language, href }) => html`<link rel="alternate" hreflang="${language}" href="${href}" />`)}
    ${[...tags].map(([name, content]) =>
      OPEN_GRAPH.test(name)
        ? html`<meta property="${name}" content="${content}" />`
        : html`<meta name="${name}" content="${content}" />`,
    )}
    ${feed && html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${feed.href}" />`}
    ${structuredData && raw(`<script type="application/ld+json">${scriptJson(structuredData)}</script>`)}`;
}

/** JSON in which no text can end the script element (HTML, 4.12.1.3: `</script` and `<!--` begin with `<`). */
function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
