/** The search: its button in the header, the dialog, and the page of results. */
export const SEARCH_CSS = `
.site-search-button { display: flex; align-items: center; gap: .5rem; margin-inline-start: auto; min-width: 2.25rem; height: 2.25rem; padding: 0 .55rem; border: 1px solid transparent; border-radius: 8px; color: var(--muted); font-size: .88rem; text-decoration: none; cursor: pointer; }
.site-search-button .site-icon { width: 1.15rem; height: 1.15rem; margin-inline: auto; }
.site-search-button:hover { background: var(--surface-strong); color: var(--text-strong); }
.site-search-button span, .site-search-button kbd { display: none; }
.site-bar > .site-search-button ~ .site-icon-button:last-child { margin-inline-start: 0; }
@media (min-width: 48rem) {
  .site-search-button .site-icon { margin-inline: 0; }
  .site-search-button { width: 14rem; border-color: var(--border); background: var(--surface); }
  .site-search-button:hover { border-color: var(--border-strong); background: var(--surface); }
  .site-search-button span, .site-search-button kbd { display: block; }
  .site-search-button kbd { margin-inline-start: auto; }
  .site-search-button ~ .site-bar-links { margin-inline-start: .8rem; }
}
.site-search-button kbd, .site-search-box button { padding: 0 .4rem; border: 1px solid var(--border); border-radius: 5px; background: var(--background); color: var(--muted); font: 500 .75rem/1.5 var(--font-body); }
.site-search { width: min(42rem, calc(100vw - 1.5rem)); max-width: none; height: min(34rem, calc(100dvh - 8rem)); max-height: none; margin: min(10vh, 5.5rem) auto auto; padding: 0; border: 1px solid var(--border); border-radius: 14px; background: var(--background); color: var(--text); box-shadow: 0 20px 60px rgb(0 0 0 / .28); overflow: hidden; }
.site-search[open] { display: flex; flex-direction: column; }
.site-search::backdrop { background: rgb(10 14 16 / .45); backdrop-filter: blur(2px); }
.site-search-box { display: flex; align-items: center; gap: .6rem; flex: none; padding: .35rem 1rem; border-bottom: 1px solid var(--border); }
.site-search-box input { flex: 1; min-width: 0; height: 2.9rem; padding: 0; border: 0; outline: 0; background: none; color: var(--text-strong); font: 400 1.06rem/1.4 var(--font-body); }
.site-search-box input::placeholder { color: var(--muted); opacity: 1; }
.site-search-box button { min-height: 1.75rem; cursor: pointer; }
.site-search-list { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: .5rem; scrollbar-width: thin; scrollbar-color: var(--border) transparent; }
.site-search-list p { margin: 0; padding: .3rem .65rem .4rem; color: var(--muted); font-size: .8rem; overflow-wrap: anywhere; }
.site-search-list a { display: block; padding: .55rem .65rem; border-radius: 9px; color: var(--text); font-size: .92rem; line-height: 1.45; text-decoration: none; overflow-wrap: anywhere; }
.site-search-list a[aria-selected="true"] { background: var(--accent-soft); }
.site-search-list a.is-more { margin-inline-start: 1.1rem; padding-block: .35rem; border-inline-start: 2px solid var(--border); border-start-start-radius: 0; border-end-start-radius: 0; }
.site-search-list b { display: block; color: var(--text-strong); font-weight: 600; }
.site-search-list span { display: block; color: var(--muted); font-size: .8rem; }
.site-search-list small { display: -webkit-box; margin-top: .1rem; color: var(--muted); font-size: .84rem; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.site-search mark, .site-search-results mark { background: none; color: var(--accent); font-weight: 600; }
.site-search-form { display: flex; gap: .6rem; }
.site-search-form input { flex: 1; min-width: 0; height: 2.75rem; padding: 0 .9rem; border: 1px solid var(--border-strong); border-radius: var(--radius); background: var(--background); color: var(--text-strong); font: inherit; }
.site-search-form button { padding: 0 1.1rem; border: 0; border-radius: var(--radius); background: var(--accent); color: var(--on-accent); font: 600 .95rem/1 var(--font-body); cursor: pointer; }
.site-search-count { color: var(--muted); font-size: .9rem; }
.site-search-results { margin: 0; padding: 0; list-style: none; }
.site-search-results li { margin: 0 0 1.3rem; }
.site-search-results ul { margin: .5rem 0 0; padding: 0; padding-inline-start: 1rem; border-inline-start: 2px solid var(--border); list-style: none; }
.site-search-results ul li { margin: 0 0 .6rem; }
.site-search-results ul b { font-size: .95rem; }
.site-search-results a { text-decoration: none; }
.site-search-results a:hover b { text-decoration: underline; }
.site-search-results b { font-size: 1.05rem; font-weight: 600; }
.site-search-results span { margin-inline-start: .4rem; color: var(--muted); font-size: .85rem; }
.site-search-results p { margin: .1rem 0 0; font-size: .93rem; line-height: 1.55; overflow-wrap: anywhere; }
@media (max-width: 30rem) { .site-search { width: 100vw; height: 100dvh; margin: 0; border: 0; border-radius: 0; } }
@media print { .site-search { display: none; } }
`;
