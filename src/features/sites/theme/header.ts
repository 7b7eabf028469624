import type { DocsConfig } from "#docs/config/docs-config.ts";
import type { NavigationView, SwitchOption, SwitchView } from "#features/sites/layout-index.ts";
import { type Words, languageTag, type SiteLanguage } from "#docs/words/site-language.ts";
import { type DrawIcon, icon } from "./icons.ts";
import { html, type Html } from "#kit/pages/markup.ts";

interface HeaderView {
  siteName: string;
  config: DocsConfig;
  navigation: NavigationView | null;
  /** Address of a file of the site; null when it does not exist. */
  assetHref(reference: string): string | null;
  showsNameBesideLogo: boolean;
  /** Address of the search dialog's script; null where the site has no search. */
  searchScript: string | null;
  /** Address of the search in files, for an exported site; else null. */
  searchFiles: string | null;
  drawIcon: DrawIcon;
  language: SiteLanguage;
  searchedLanguage: string | null;
}

const MENU_LABELS = new Map<string, "version" | "language" | "product" | "section">([
  ["version", "version"],
  ["language", "language"],
  ["product", "product"],
  ["dropdown", "section"],
]);

/** Name, switches and links above every page. */
export function header(view: HeaderView): Html {
  const { config, navigation } = view;
  const { words } = view.language;
  const tabs = navigation?.switches.filter((each) => each.kind === "tab") ?? [];
  return html`<header class="site-header">
    <div class="site-bar">
      ${
        navigation &&
        html`<button class="site-icon-button site-menu-button" type="button" popovertarget="menu" aria-label="${words.menu}">${icon("menu")}</button>`
      }
      ${brand(view)} ${navigation?.switches.map((each) => switchMenu(each, words))} ${searchLink(view)}
      <nav class="site-bar-links" aria-label="${words.siteLinks}">
        ${config.navbar.links.map((link) => html`<a href="${link.href}">${link.label}</a>`)}
        ${config.navbar.primary && html`<a class="primary" href="${config.navbar.primary.href}">${config.navbar.primary.label}</a>`}
      </nav>
      <button class="site-icon-button" type="button" data-theme-switch hidden aria-label="${words.darkTheme}" aria-pressed="false">
        <span class="site-only-light">${icon("moon")}</span><span class="site-only-dark">${icon("sun")}</span>
      </button>
    </div>
    ${tabs.map((each) => tabBar(each, view.drawIcon, words))}
  </header>`;
}

/** The texts of the search dialog; `DialogWords` in its own code. */
function dialogWords(words: Words): string {
  const { search, searchDocumentation, searchResults, resultCount, close, nothingFound, didYouMean } = words;
  const { indexIsMade, recentSearches, typeToSearch, searchUnreachable } = words;
  return JSON.stringify({
    search,
    searchDocumentation,
    searchResults,
    resultCount,
    close,
    nothingFound,
    didYouMean,
    indexIsMade,
    recentSearches,
    typeToSearch,
    searchUnreachable,
  });
}

/** Without the script it opens the page of results. */
function searchLink({ searchScript, searchFiles, language, searchedLanguage }: HeaderView): Html | null {
  if (searchScript === null) return null;
  const isInFiles = searchFiles !== null;
  const query = searchedLanguage === null || isInFiles ? "" : `?language=${encodeURIComponent(searchedLanguage)}`;
  const files = isInFiles ? html` data-search-files="${searchFiles}"` : "";
  const { words } = language;
  return html`<a class="site-search-button" href="/_docent/search${query}" data-search="${searchScript}"${files} data-words="${dialogWords(words)}" aria-label="${words.search}" aria-keyshortcuts="/ Control+K">${icon("search")}<span class="site-search-label">${words.search}</span><kbd aria-hidden="true">/</kbd></a>`;
}

function brand({ siteName, config, assetHref, showsNameBesideLogo }: HeaderView): Html {
  const { logo } = config;
  const light = logo && assetHref(logo.light);
  const dark = logo && assetHref(logo.dark);
  const href = logo?.href ?? "/";
  if (light === null || dark === null) return html`<a class="site-brand" href="${href}"><span>${siteName}</span></a>`;
  const alternative = showsNameBesideLogo ? "" : siteName;
  const images =
    light === dark
      ? html`<img src="${light}" alt="${alternative}" />`
      : html`<img class="site-only-light" src="${light}" alt="${alternative}" /><img class="site-only-dark" src="${dark}" alt="${alternative}" />`;
  return html`<a class="site-brand" href="${href}">${images}${showsNameBesideLogo ? html`<span>${siteName}</span>` : ""}</a>`;
}

function tabBar({ options }: SwitchView, drawIcon: DrawIcon, words: Words): Html {
  return html`<nav class="site-tab-bar" aria-label="${words.sections}">
    ${options.map(
      (option) =>
        html`<a href="${option.href}"${current(option.isActive)}>${drawIcon(option.icon)}${option.title}${option.isExternal ? icon("external") : ""}</a>`,
    )}
  </nav>`;
}

/** Versions, languages and similar switches: a menu labeled with the current choice. */
function switchMenu({ kind, options }: SwitchView, words: Words): Html | null {
  const name = MENU_LABELS.get(kind);
  const label = name && words[name];
  const active = options.find((option) => option.isActive);
  if (label === undefined || (options.length < 2 && active !== undefined)) return null;
  return html`<details class="site-switch" data-menu>
    <summary aria-label="${label}: ${active?.title ?? words.choose}"><span>${active?.title ?? label}</span>${icon("chevron")}</summary>
    <ul>
      ${options.map(
        (option) =>
          html`<li><a href="${option.href}"${current(option.isActive)}${languageOf(option)}>${option.title}${option.tag && html` <span class="site-tag">${option.tag}</span>`}</a></li>`,
      )}
    </ul>
  </details>`;
}

/** The entries of the menu: on small screens those for which the bar has no room, on all screens the others. */
export function menuLinks({
  config,
  navigation,
  drawIcon,
}: Pick<HeaderView, "config" | "navigation" | "drawIcon">): Html {
  const inMenu = navigation?.switches.filter((each) => each.kind === "tab") ?? [];
  const always = navigation?.switches.filter((each) => each.kind === "anchor" || each.kind === "menu") ?? [];
  const links = [...config.navbar.links, ...(config.navbar.primary ? [config.navbar.primary] : [])];
  return html`${inMenu.map((each) => html`<div class="site-only-small">${optionList(each, drawIcon)}</div>`)}
  ${always.map((each) => optionList(each, drawIcon))}
  ${
    links.length > 0
      ? html`<ul class="site-only-small site-link-list">
          ${links.map((link) => html`<li><a href="${link.href}">${link.label}</a></li>`)}
        </ul>`
      : ""
  }`;
}

function optionList({ options }: SwitchView, drawIcon: DrawIcon): Html {
  return html`<ul class="site-link-list">
    ${options.map(
      (option) =>
        html`<li><a href="${option.href}"${current(option.isActive)}>${drawIcon(option.icon)}${option.title}${option.isExternal ? icon("external") : ""}</a></li>`,
    )}
  </ul>`;
}

/** The name of a language is in that language. */
function languageOf({ language }: SwitchOption): Html | "" {
  const tag = language === null ? null : languageTag(language);
  return tag === null ? "" : html` lang="${tag}" hreflang="${tag}"`;
}

function current(isActive: boolean): Html | "" {
  return isActive ? html` aria-current="true"` : "";
}
