/** What a reader can do with a page: a button and a menu beside its title. */
export const PAGE_MENU_CSS = `
.site-page-menu { position: relative; display: flex; float: inline-end; margin: 0 0 .5rem; margin-inline-start: 1rem; font-size: .84rem; }
.site-page-menu > a, .site-page-menu summary { display: flex; align-items: center; gap: .4rem; min-height: 1.9rem; padding: 0 .6rem; border: 1px solid var(--border); border-radius: 8px; background: var(--background); color: var(--text); text-decoration: none; white-space: nowrap; cursor: pointer; }
.site-page-menu > a:not(:nth-last-child(2)) { border-start-end-radius: 0; border-end-end-radius: 0; }
.site-page-menu > a + details summary { margin-inline-start: -1px; padding: 0 .3rem; border-start-start-radius: 0; border-end-start-radius: 0; }
.site-page-menu > a:hover, .site-page-menu summary:hover { background: var(--surface-strong); color: var(--text-strong); }
.site-page-menu > a:focus-visible, .site-page-menu summary:focus-visible { z-index: 1; }
.site-page-menu summary { list-style: none; }
.site-page-menu summary::-webkit-details-marker { display: none; }
.site-page-menu summary .site-icon { transform: rotate(90deg); color: var(--muted); }
.site-page-menu ul { position: absolute; top: calc(100% + .35rem); inset-inline-end: 0; z-index: 20; width: max-content; max-width: min(20rem, calc(100vw - 2rem)); max-height: 70vh; overflow: auto; margin: 0; padding: .35rem; border: 1px solid var(--border); border-radius: var(--radius); background: var(--background); box-shadow: 0 8px 28px rgb(0 0 0 / .14); list-style: none; }
.site-page-menu li { margin: 0; }
.site-page-menu li a { display: block; padding: .38rem .6rem; border-radius: 6px; color: var(--text); text-decoration: none; }
.site-page-menu li a:hover, .site-page-menu li a:focus-visible { background: var(--surface-strong); }
.site-page-menu li b { display: block; color: var(--text-strong); font-weight: 550; }
.site-page-menu li span { display: block; color: var(--muted); font-size: .78rem; overflow-wrap: anywhere; }
.site-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
/* Beside the title there is no room for both. */
@media (max-width: 40rem) { .site-page-menu ~ .site-page-title, .site-page-menu ~ .content > h1:first-child { clear: both; } }
@media print { .site-page-menu { display: none; } }
`;
