/** The layout around a page: header, navigation, article, contents, footer. Content has its own style sheet. */
export const SITE_CSS = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: calc(var(--bars, var(--header-height)) + 1.25rem); }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--background); color: var(--text);
  font: 400 1rem/1.68 var(--font-body); text-rendering: optimizeLegibility;
}
body:has(.tab-bar) { --bars: 6.1rem; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
ul:where(.sidebar ul, .contents ul, .link-list, .switch ul, .site-footer ul), ol:where(.breadcrumbs ol) { list-style: none; margin: 0; padding: 0; }
.icon { width: 1.05em; height: 1.05em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.tag { display: inline-block; padding: 0 .45em; border-radius: 99px; background: var(--accent-soft); color: var(--accent); font-size: .72rem; font-weight: 600; line-height: 1.55; vertical-align: middle; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 50; padding: .5rem 1rem; border-radius: 0 0 var(--radius) var(--radius); background: var(--accent); color: var(--on-accent); }
.skip:focus { top: 0; }
:root[data-theme="dark"] .only-light, :root[data-theme="light"] .only-dark { display: none; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) .only-light { display: none; } }
@media (prefers-color-scheme: light) { :root:not([data-theme="dark"]) .only-dark { display: none; } }

.site-header { position: sticky; top: 0; z-index: 20; border-bottom: 1px solid var(--border); background: color-mix(in srgb, var(--background) 88%, transparent); backdrop-filter: saturate(1.6) blur(14px); }
.bar, .tab-bar, .frame, .site-footer > div { width: 100%; max-width: 92rem; margin-inline: auto; padding-inline: clamp(1rem, 2.5vw, 2rem); }
.bar { display: flex; align-items: center; gap: .6rem; height: var(--header-height); }
.brand { display: flex; align-items: center; gap: .55rem; margin-right: .4rem; color: var(--text-strong); font-weight: 650; font-size: 1.06rem; letter-spacing: -.012em; text-decoration: none; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.brand img { display: block; height: 1.65rem; width: auto; max-width: 11rem; object-fit: contain; }
.bar-links { display: none; margin-left: auto; align-items: center; gap: 1.35rem; font-size: .9rem; }
.bar-links a { color: var(--muted); text-decoration: none; white-space: nowrap; }
.bar-links a:hover { color: var(--text-strong); }
.bar-links a.primary { padding: .3rem .85rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.bar-links a.primary:hover { filter: brightness(1.08); }
.icon-button { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 8px; background: none; color: var(--muted); font: inherit; cursor: pointer; }
.icon-button:hover { background: var(--surface-strong); color: var(--text-strong); }
.icon-button .icon { width: 1.2rem; height: 1.2rem; }
.bar > .icon-button:last-child { margin-left: auto; }
.menu-button { margin-left: -.5rem; }
.tab-bar { display: none; gap: 1.6rem; overflow-x: auto; scrollbar-width: none; }
.tab-bar a { display: flex; align-items: center; gap: .3em; padding: .3rem 0 .7rem; border-bottom: 2px solid transparent; color: var(--muted); font-size: .9rem; font-weight: 500; text-decoration: none; white-space: nowrap; }
.tab-bar a:hover { color: var(--text-strong); border-color: var(--border-strong); }
.tab-bar a[aria-current] { color: var(--accent); border-color: var(--accent); }
.switch { position: relative; font-size: .86rem; }
.switch summary { display: flex; align-items: center; gap: .25rem; padding: .22rem .5rem; border: 1px solid var(--border); border-radius: 8px; color: var(--text); cursor: pointer; list-style: none; white-space: nowrap; }
.switch summary::-webkit-details-marker, .sidebar summary::-webkit-details-marker { display: none; }
.switch summary:hover { border-color: var(--border-strong); }
.switch summary .icon { transform: rotate(90deg); color: var(--muted); }
.switch > ul { position: absolute; top: calc(100% + .4rem); left: 0; z-index: 30; min-width: 10rem; max-height: 70vh; overflow: auto; padding: .35rem; border: 1px solid var(--border); border-radius: var(--radius); background: var(--background); box-shadow: 0 8px 28px rgb(0 0 0 / .14); }
.switch li a { display: block; padding: .32rem .6rem; border-radius: 6px; color: var(--text); text-decoration: none; white-space: nowrap; }
.switch li a:hover { background: var(--surface-strong); }
.switch li a[aria-current] { color: var(--accent); font-weight: 600; }

.notice { max-width: 46rem; margin: 0 0 1.5rem; padding: .7rem 1rem; border: 1px solid light-dark(#ecd596, #5d4d1f); border-radius: var(--radius); background: light-dark(#fdf7e3, #2a2412); color: light-dark(#5c4506, #ecd596); font-size: .92rem; line-height: 1.5; }
.notice p { margin: 0; }
.notice p + p, .notice ul { margin: .3rem 0 0; }
.notice ul { padding-left: 1.2rem; }
.notice a { color: inherit; }
.site-notice { width: 100%; max-width: none; margin: 0; border-width: 0 0 1px; border-radius: 0; text-align: center; }
.site-notice ul { display: inline-block; text-align: left; }
.banner { padding: .5rem 1rem; background: var(--accent); color: var(--on-accent); text-align: center; font-size: .9rem; }

.frame { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr); gap: clamp(1.5rem, 3.5vw, 4rem); }
.sidebar { font-size: .91rem; line-height: 1.45; }
.sidebar ul ul { margin: .1rem 0 .35rem .55rem; padding-left: .55rem; border-left: 1px solid var(--border); }
.sidebar a, .sidebar summary { display: flex; align-items: baseline; gap: .35em; padding: .3rem .6rem; border-radius: 7px; color: var(--muted); text-decoration: none; cursor: pointer; overflow-wrap: anywhere; }
.sidebar a:hover, .sidebar summary:hover { background: var(--surface); color: var(--text-strong); }
.sidebar a[aria-current="page"] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.sidebar summary, .sidebar .group-link { justify-content: space-between; list-style: none; }
.sidebar summary .icon, .sidebar .group-link .icon { align-self: center; width: .9em; height: .9em; opacity: .65; transition: transform .15s; }
.sidebar details[open] > summary .icon { transform: rotate(90deg); }
.sidebar-tree > ul > li > details > summary, .sidebar-tree > ul > li > .group-link { color: var(--text-strong); font-weight: 600; }
.sidebar-tree > ul > li > details { margin-top: .9rem; }
.sidebar-tree > ul > li:first-child > details { margin-top: 0; }
.sidebar-tree > ul > li > details > ul { margin-left: 0; padding-left: 0; border: 0; }
.sidebar .link-list { padding-bottom: .8rem; margin-bottom: .9rem; border-bottom: 1px solid var(--border); }
.sidebar .link-list a[aria-current] { color: var(--accent); font-weight: 600; }

main { min-width: 0; padding: clamp(1.4rem, 3vw, 2.4rem) 0 4rem; }
main:focus { outline: none; }
article { max-width: 46rem; }
article[data-mode="wide"], article[data-mode="custom"], article[data-mode="frame"] { max-width: 62rem; }
.breadcrumbs ol { display: flex; flex-wrap: wrap; gap: .1rem .4rem; margin-bottom: .55rem; font-size: .85rem; }
.breadcrumbs li { color: var(--accent); font-weight: 550; }
.breadcrumbs li + li::before { content: "/"; margin-right: .4rem; color: var(--border-strong); font-weight: 400; }
.breadcrumbs a { color: inherit; text-decoration: none; }
.breadcrumbs a:hover { text-decoration: underline; }
.page-title, .content > h1:first-child { margin: 0 0 .6rem; color: var(--text-strong); font-size: clamp(1.85rem, 1.4rem + 1.6vw, 2.35rem); font-weight: 700; line-height: 1.18; letter-spacing: -.022em; overflow-wrap: anywhere; text-wrap: balance; }
.lead { margin: 0 0 1.8rem; color: var(--muted); font-size: 1.13rem; line-height: 1.55; text-wrap: pretty; }
.page-title + .content { margin-top: 1.4rem; }
.page-links { display: flex; flex-wrap: wrap; gap: 1.4rem; margin: 3.2rem 0 1.2rem; font-size: .86rem; }
.page-links a { display: inline-flex; align-items: center; gap: .4em; color: var(--muted); text-decoration: none; }
.page-links a:hover { color: var(--text-strong); }
.neighbours { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding-top: 1.6rem; border-top: 1px solid var(--border); }
.neighbours a { display: block; padding: .75rem 1rem; border: 1px solid var(--border); border-radius: var(--radius); color: var(--text); text-decoration: none; line-height: 1.4; transition: border-color .15s; }
.neighbours a:hover { border-color: var(--accent); }
.neighbours a:hover b { color: var(--accent); }
.neighbours span { display: block; color: var(--muted); font-size: .8rem; }
.neighbours b { display: inline-flex; align-items: center; gap: .3em; color: var(--text-strong); font-weight: 600; overflow-wrap: anywhere; }
.neighbours .next { grid-column: 2; text-align: right; }

.contents { display: none; font-size: .86rem; line-height: 1.4; }
.contents p { margin: 0 0 .6rem; color: var(--text-strong); font-weight: 600; }
.contents ul { border-left: 1px solid var(--border); }
.contents a { display: block; margin-left: -1px; padding: .24rem 0 .24rem .9rem; border-left: 2px solid transparent; color: var(--muted); text-decoration: none; overflow-wrap: anywhere; }
.contents .depth-3 a { padding-left: 1.8rem; }
.contents a:hover { color: var(--text-strong); }
.contents a[aria-current] { border-color: var(--accent); color: var(--accent); }

.site-footer { border-top: 1px solid var(--border); color: var(--muted); font-size: .86rem; }
.site-footer > div { display: flex; flex-wrap: wrap; gap: 1.5rem 3.5rem; padding-block: 1.8rem; }
.site-footer section p { margin: 0 0 .4rem; color: var(--text-strong); font-weight: 600; }
.site-footer a { color: var(--muted); text-decoration: none; }
.site-footer a:hover { color: var(--text-strong); }
.site-footer .link-row { display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; }
.site-footer .made { margin-left: auto; }

.message { max-width: 40rem; padding-block: clamp(2rem, 10vh, 7rem); }
.message .code { margin: 0; color: var(--accent); font-weight: 600; }
.message h1 { margin: .2rem 0 .8rem; color: var(--text-strong); font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
.message li { margin: .25rem 0; }

@media (max-width: 63.99rem) {
  .sidebar { position: fixed; inset: 0 auto 0 0; width: min(21rem, 86vw); height: 100dvh; max-height: none; margin: 0; padding: 1.1rem .9rem 3rem; border: 0; border-right: 1px solid var(--border); background: var(--background); color: inherit; overflow-y: auto; overscroll-behavior: contain; }
  .sidebar .close { float: right; margin: -.35rem -.2rem 0 .5rem; }
  .sidebar::backdrop { background: rgb(10 14 16 / .45); }
  .sidebar:popover-open { box-shadow: 0 0 40px rgb(0 0 0 / .2); }
}
@media (min-width: 64rem) {
  .only-small, .menu-button { display: none; }
  .bar-links, .tab-bar { display: flex; }
  .bar-links + .icon-button { margin-left: .4rem !important; }
  .frame { grid-template-columns: 16.5rem minmax(0, 1fr); }
  .frame.alone { grid-template-columns: minmax(0, 1fr); }
  .sidebar { display: block; position: sticky; top: var(--bars, var(--header-height)); align-self: start; inset-inline: auto; width: auto; height: calc(100vh - var(--bars, var(--header-height))); max-height: none; margin: 0 0 0 -.6rem; padding: 1.7rem .5rem 3rem 0; border: 0; background: none; color: inherit; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--border) transparent; }
  .sidebar .close { display: none; }
}
@media (min-width: 78rem) {
  .frame:has(.contents) { grid-template-columns: 16.5rem minmax(0, 1fr) 14rem; }
  .contents { display: block; position: sticky; top: var(--bars, var(--header-height)); align-self: start; max-height: calc(100vh - var(--bars, var(--header-height))); padding: 2.4rem 0 2rem; overflow-y: auto; scrollbar-width: thin; scrollbar-color: var(--border) transparent; }
}
@media print {
  .site-header, .sidebar, .contents, .page-links, .neighbours, .site-footer, .skip, .breadcrumbs { display: none !important; }
  :root { color-scheme: light; }
  body { font-size: 11pt; }
  .frame, article { display: block; max-width: none; padding: 0; }
  .content a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; color: #555; overflow-wrap: anywhere; }
  details:not([open])::details-content { content-visibility: visible; display: block; }
}
`;
