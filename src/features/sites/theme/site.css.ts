// A picture for one theme alone: of the site's header, or written as on GitHub, `logo.png#gh-dark-mode-only`.
const ONLY_LIGHT = '.site-only-light, .content img[src*="#gh-light-mode-only"]';
const ONLY_DARK = '.site-only-dark, .content img[src*="#gh-dark-mode-only"]';

/**
 * The layout around a page: header, navigation, article, contents, footer. Content has its own style sheet. Classes
 * begin with `site-` or stand below one that does: pages bring class names of their own, and `banner` is a common one.
 */
export const SITE_CSS = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: calc(var(--bars, var(--header-height)) + 1.25rem); }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--background); color: var(--text);
  font: 400 1rem/1.68 var(--font-body); text-rendering: optimizeLegibility;
}
body:has(.site-tab-bar) { --bars: 6.1rem; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
ul:where(.site-sidebar ul, .site-contents ul, .site-link-list, .site-switch ul, .site-footer ul), ol:where(.site-breadcrumbs ol) { list-style: none; margin: 0; padding: 0; }
.site-icon { width: 1.05em; height: 1.05em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
[dir="rtl"] .site-icon-mirrored { scale: -1 1; }
[dir="rtl"] :is(.site-switch summary, .site-sidebar details[open] > summary) .site-icon { rotate: -90deg; }
.site-entry-icon { width: 1.1em; height: 1.1em; flex: none; vertical-align: -.16em; margin-inline-end: .45em; opacity: .85; object-fit: contain; }
.site-sidebar a > .site-entry-icon { align-self: center; margin-inline-end: .2em; }
.site-tag { display: inline-block; padding: 0 .45em; border-radius: 99px; background: var(--accent-soft); color: var(--accent); font-size: .72rem; font-weight: 600; line-height: 1.55; vertical-align: middle; white-space: nowrap; }
.site-skip { position: absolute; inset-inline-start: 1rem; top: -4rem; z-index: 50; padding: .5rem 1rem; border-radius: 0 0 var(--radius) var(--radius); background: var(--accent); color: var(--on-accent); }
.site-skip:focus { top: 0; }
:root[data-theme="dark"] :is(${ONLY_LIGHT}), :root[data-theme="light"] :is(${ONLY_DARK}) { display: none; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) :is(${ONLY_LIGHT}) { display: none; } }
@media (prefers-color-scheme: light) { :root:not([data-theme="dark"]) :is(${ONLY_DARK}) { display: none; } }

.site-header { position: sticky; top: 0; z-index: 20; border-bottom: 1px solid var(--border); background: color-mix(in srgb, var(--background) 88%, transparent); backdrop-filter: saturate(1.6) blur(14px); }
.site-bar, .site-tab-bar, .site-frame, .site-footer > div { width: 100%; max-width: 92rem; margin-inline: auto; padding-inline: clamp(1rem, 2.5vw, 2rem); }
.site-bar { display: flex; align-items: center; gap: .6rem; height: var(--header-height); }
.site-brand { display: flex; align-items: center; gap: .55rem; margin-inline-end: .4rem; color: var(--text-strong); font-weight: 650; font-size: 1.06rem; letter-spacing: -.012em; text-decoration: none; min-width: 3rem; }
.site-brand span { display: -webkit-box; overflow: hidden; line-height: 1.25; overflow-wrap: break-word; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.site-brand img { display: block; height: 1.65rem; width: auto; max-width: 11rem; object-fit: contain; }
.site-bar-links { display: none; margin-inline-start: auto; align-items: center; gap: 1.35rem; font-size: .9rem; }
.site-bar-links a { color: var(--muted); text-decoration: none; white-space: nowrap; }
.site-bar-links a:hover { color: var(--text-strong); }
.site-bar-links a.primary { padding: .3rem .85rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.site-bar-links a.primary:hover { filter: brightness(1.08); }
.site-icon-button { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 8px; background: none; color: var(--muted); font: inherit; cursor: pointer; }
.site-icon-button:hover { background: var(--surface-strong); color: var(--text-strong); }
.site-icon-button > span { display: grid; }
.site-icon-button .site-icon { width: 1.2rem; height: 1.2rem; }
.site-bar > .site-icon-button:last-child { margin-inline-start: auto; }
.site-menu-button { margin-inline-start: -.5rem; }
.site-tab-bar { display: none; gap: 1.6rem; overflow-x: auto; scrollbar-width: none; }
.site-tab-bar a { display: flex; align-items: center; gap: .3em; padding: .3rem 0 .7rem; border-bottom: 2px solid transparent; color: var(--muted); font-size: .9rem; font-weight: 500; text-decoration: none; white-space: nowrap; }
.site-tab-bar a:hover { color: var(--text-strong); border-color: var(--border-strong); }
.site-tab-bar a[aria-current] { color: var(--accent); border-color: var(--accent); }
.site-switch { position: relative; font-size: .86rem; }
.site-switch summary { display: flex; align-items: center; gap: .25rem; padding: .22rem .5rem; border: 1px solid var(--border); border-radius: 8px; color: var(--text); cursor: pointer; list-style: none; white-space: nowrap; }
.site-switch summary span { overflow: hidden; text-overflow: ellipsis; }
.site-switch summary::-webkit-details-marker, .site-sidebar summary::-webkit-details-marker { display: none; }
.site-switch summary:hover { border-color: var(--border-strong); }
.site-switch summary .site-icon { rotate: 90deg; color: var(--muted); }
.site-switch > ul { position: absolute; top: calc(100% + .4rem); inset-inline-start: 0; z-index: 30; min-width: 10rem; max-height: 70vh; overflow: auto; padding: .35rem; border: 1px solid var(--border); border-radius: var(--radius); background: var(--background); box-shadow: 0 8px 28px rgb(0 0 0 / .14); }
.site-switch li a { display: block; padding: .32rem .6rem; border-radius: 6px; color: var(--text); text-decoration: none; white-space: nowrap; }
.site-switch li a:hover { background: var(--surface-strong); }
.site-switch li a[aria-current] { color: var(--accent); font-weight: 600; }

.site-notice { max-width: 46rem; margin: 0 0 1.5rem; padding: .7rem 1rem; border: 1px solid light-dark(#ecd596, #5d4d1f); border-radius: var(--radius); background: light-dark(#fdf7e3, #2a2412); color: light-dark(#5c4506, #ecd596); font-size: .92rem; line-height: 1.5; }
.site-notice p { margin: 0; }
.site-notice p + p, .site-notice ul { margin: .3rem 0 0; }
.site-notice ul { padding-inline-start: 1.2rem; }
.site-notice a { color: inherit; }
.site-banner a, .site-banner strong { color: inherit; }
.site-preview { display: flex; flex-wrap: wrap; justify-content: center; gap: .1rem 1rem; padding: .4rem 1rem; border-bottom: 1px solid var(--border); background: var(--surface-strong); color: var(--text); font-size: .88rem; }
.site-preview a { color: var(--accent); font-weight: 600; }
.site-banner { padding: .5rem 1rem; background: var(--accent); color: var(--on-accent); text-align: center; font-size: .9rem; }

.site-frame { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr); gap: clamp(1.5rem, 3.5vw, 4rem); }
.site-sidebar { font-size: .91rem; line-height: 1.45; }
.site-sidebar ul ul { margin-block: .1rem .35rem; margin-inline-start: .55rem; padding-inline-start: .55rem; border-inline-start: 1px solid var(--border); }
.site-sidebar a, .site-sidebar summary { display: flex; align-items: baseline; gap: .35em; padding: .3rem .6rem; border-radius: 7px; color: var(--muted); text-decoration: none; cursor: pointer; overflow-wrap: anywhere; }
.site-sidebar a:hover, .site-sidebar summary:hover { background: var(--surface); color: var(--text-strong); }
.site-sidebar a[aria-current="page"] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.site-sidebar summary, .site-sidebar .site-group-link { justify-content: space-between; list-style: none; }
.site-sidebar summary .site-icon, .site-sidebar .site-group-link .site-icon { align-self: center; width: .9em; height: .9em; opacity: .65; transition: rotate .15s; }
.site-sidebar details[open] > summary .site-icon { rotate: 90deg; }
.site-sidebar-tree > ul > li > details > summary, .site-sidebar-tree > ul > li > .site-group-link { color: var(--text-strong); font-weight: 600; }
.site-sidebar-tree > ul > li > details { margin-top: .9rem; }
.site-sidebar-tree > ul > li:first-child > details { margin-top: 0; }
.site-sidebar-tree > ul > li > details > ul { margin-inline-start: 0; padding-inline-start: 0; border: 0; }
.site-sidebar .site-link-list { padding-bottom: .8rem; margin-bottom: .9rem; border-bottom: 1px solid var(--border); }
.site-sidebar .site-link-list a[aria-current] { color: var(--accent); font-weight: 600; }

main { min-width: 0; padding: clamp(1.4rem, 3vw, 2.4rem) 0 4rem; }
main:focus { outline: none; }
article { max-width: 46rem; }
article[data-layout="operation"] { max-width: none; }
article[data-mode="wide"] { max-width: 62rem; }
article[data-mode="custom"], article[data-mode="frame"] { max-width: none; }
article[data-mode="center"] { margin-inline: auto; }
.site-breadcrumbs ol { display: flex; flex-wrap: wrap; gap: .1rem .4rem; margin-bottom: .55rem; font-size: .85rem; }
.site-breadcrumbs li { color: var(--accent); font-weight: 550; }
.site-breadcrumbs li + li::before { content: "/"; margin-inline-end: .4rem; color: var(--border-strong); font-weight: 400; }
.site-breadcrumbs a { color: inherit; text-decoration: none; }
.site-breadcrumbs a:hover { text-decoration: underline; }
.site-page-title, .content > h1:first-child { margin: 0 0 .6rem; color: var(--text-strong); font-size: clamp(1.85rem, 1.4rem + 1.6vw, 2.35rem); font-weight: 700; line-height: 1.18; letter-spacing: -.022em; overflow-wrap: anywhere; text-wrap: balance; }
.site-lead { margin: 0 0 1.8rem; color: var(--muted); font-size: 1.13rem; line-height: 1.55; text-wrap: pretty; }
.site-page-title + .content { margin-top: 1.4rem; }
.content > h1:first-child { margin-bottom: 1.1rem; }
.site-page-links { display: flex; flex-wrap: wrap; gap: 1.4rem; margin: 3.2rem 0 1.2rem; font-size: .86rem; }
.site-page-links a { display: inline-flex; align-items: center; gap: .4em; color: var(--muted); text-decoration: none; }
.site-changed { margin-inline-start: auto; color: var(--muted); }
.site-page-links a:hover { color: var(--text-strong); }
.site-neighbours { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding-top: 1.6rem; border-top: 1px solid var(--border); }
.site-neighbours a { display: block; padding: .75rem 1rem; border: 1px solid var(--border); border-radius: var(--radius); color: var(--text); text-decoration: none; line-height: 1.4; transition: border-color .15s; }
.site-neighbours a:hover { border-color: var(--accent); }
.site-neighbours a:hover b { color: var(--accent); }
.site-neighbours span { display: block; color: var(--muted); font-size: .8rem; }
.site-neighbours b { display: inline-flex; align-items: center; gap: .3em; color: var(--text-strong); font-weight: 600; overflow-wrap: anywhere; }
.site-neighbours .next { grid-column: 2; text-align: end; }

.site-outline-button { display: flex; align-items: center; gap: .4rem; margin: 0 0 1.4rem; padding: .35rem .7rem; border: 1px solid var(--border); border-radius: 8px; background: var(--background); color: var(--text); font: 500 .86rem/1.5 var(--font-body); cursor: pointer; }
.site-outline-button:hover { border-color: var(--border-strong); color: var(--text-strong); }
.site-outline-button .site-icon { rotate: 90deg; color: var(--muted); }
.site-contents { font-size: .86rem; line-height: 1.4; }
.site-contents p { margin: 0 0 .6rem; color: var(--text-strong); font-weight: 600; }
.site-contents ul { border-inline-start: 1px solid var(--border); }
.site-contents a { display: block; margin-inline-start: -1px; padding-block: .24rem; padding-inline-start: .9rem; border-inline-start: 2px solid transparent; color: var(--muted); text-decoration: none; overflow-wrap: anywhere; }
.site-contents .depth-3 a { padding-inline-start: 1.8rem; }
.site-contents a:hover { color: var(--text-strong); }
.site-contents a[aria-current] { border-color: var(--accent); color: var(--accent); }

.site-footer { border-top: 1px solid var(--border); color: var(--muted); font-size: .86rem; }
.site-footer > div { display: flex; flex-wrap: wrap; gap: 1.5rem 3.5rem; padding-block: 1.8rem; }
.site-footer section p { margin: 0 0 .4rem; color: var(--text-strong); font-weight: 600; }
.site-footer a { display: inline-flex; align-items: center; min-width: 1.5rem; min-height: 1.6rem; color: var(--muted); text-decoration: none; }
.site-footer a:hover { color: var(--text-strong); }
.site-footer .site-link-row { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; }
.site-footer .made { margin-inline-start: auto; }
.site-footer .made > li { display: flex; align-items: center; min-height: 1.6rem; }

.site-message { max-width: 40rem; padding-block: clamp(2rem, 10vh, 7rem); }
.site-frame.alone > main > .site-message { margin-inline: auto; }
.site-message .code { margin: 0; color: var(--accent); font-weight: 600; }
.site-message h1 { margin: .2rem 0 .8rem; color: var(--text-strong); font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
.site-message li { margin: .25rem 0; }
.site-sign-in { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem; max-width: 26rem; margin-block: 1.2rem; }
.site-sign-in label { flex: 1 1 14rem; color: var(--text-strong); font-size: .9rem; font-weight: 600; }
.site-sign-in input { display: block; width: 100%; height: 2.75rem; margin-top: .35rem; padding: 0 .9rem; border: 1px solid var(--border-strong); border-radius: var(--radius); background: var(--background); color: var(--text-strong); font: inherit; }
.site-sign-in button { height: 2.75rem; padding: 0 1.3rem; border: 0; border-radius: var(--radius); background: var(--accent); color: var(--on-accent); font: 600 .95rem/1 var(--font-body); cursor: pointer; }
.site-message [role=alert] { color: var(--text-strong); font-weight: 600; }

@media (max-width: 63.99rem) {
  .site-bar { gap: .4rem; }
  .site-brand { flex: 0 4 auto; min-width: 4.5rem; margin-inline-end: 0; }
  .site-brand img { max-width: 100%; }
  .site-switch { position: static; flex: 0 1 auto; min-width: 0; }
  .site-switch > ul { inset-inline: 1rem; }
  .site-switch summary { min-width: 3.2rem; padding-inline: .4rem; }
  .site-bar > .site-icon-button, .site-search-button { flex: none; }
  .site-sidebar { position: fixed; inset: 0; inset-inline-end: auto; width: min(21rem, 86vw); height: 100dvh; max-height: none; margin: 0; padding: 1.1rem .9rem 3rem; border: 0; border-inline-end: 1px solid var(--border); background: var(--background); color: inherit; overflow-y: auto; overscroll-behavior: contain; }
  .site-sidebar .close { float: inline-end; margin-block-start: -.35rem; margin-inline: .5rem -.2rem; }
  .site-sidebar::backdrop { background: rgb(10 14 16 / .45); }
  .site-sidebar:popover-open { box-shadow: 0 0 40px rgb(0 0 0 / .2); }
}
@media (max-width: 77.99rem) {
  .site-contents { position: fixed; inset: auto 0 0; width: auto; max-width: 40rem; max-height: 70dvh; margin: 0 auto; padding: 1.1rem 1.2rem 1.6rem; border: 1px solid var(--border); border-bottom: 0; border-radius: var(--radius) var(--radius) 0 0; background: var(--background); color: inherit; font-size: .95rem; overflow-y: auto; overscroll-behavior: contain; }
  .site-contents a { padding-block: .42rem; }
  .site-contents::backdrop { background: rgb(10 14 16 / .45); }
}
@media (min-width: 64rem) {
  .site-only-small, .site-menu-button { display: none; }
  .site-bar-links, .site-tab-bar { display: flex; }
  .site-bar-links + .site-icon-button { margin-inline-start: .4rem !important; }
  .site-frame { grid-template-columns: 16.5rem minmax(0, 1fr); }
  .site-frame.alone { grid-template-columns: minmax(0, 1fr); }
  .site-sidebar { display: block; position: sticky; top: var(--bars, var(--header-height)); align-self: start; inset-inline: auto; width: auto; height: calc(100vh - var(--bars, var(--header-height))); max-height: none; margin: 0; margin-inline-start: -.6rem; padding-block: 1.7rem 3rem; padding-inline: 0 .5rem; border: 0; background: none; color: inherit; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--border) transparent; }
  .site-sidebar .close { display: none; }
  .site-frame:has(> main [data-mode]).alone .site-sidebar { display: none; }
}
@media (min-width: 78rem) {
  .site-frame:has(.site-contents) { grid-template-columns: 16.5rem minmax(0, 1fr) 14rem; }
  .site-outline-button { display: none; }
  .site-contents { display: block; position: sticky; inset: auto; top: var(--bars, var(--header-height)); align-self: start; width: auto; height: auto; max-height: calc(100vh - var(--bars, var(--header-height))); margin: 0; padding: 2.4rem 0 2rem; border: 0; background: none; color: inherit; overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--border) transparent; }
}
@media print {
  .site-header, .site-sidebar, .site-contents, .site-outline-button, .site-page-links, .site-neighbours, .site-footer, .site-skip, .site-breadcrumbs { display: none !important; }
  :root { color-scheme: light; }
  body { font-size: 11pt; }
  .site-frame, article { display: block; max-width: none; padding: 0; }
  .content a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; color: #555; overflow-wrap: anywhere; }
  details:not([open])::details-content { content-visibility: visible; display: block; }
}
`;
