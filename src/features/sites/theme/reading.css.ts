/** Pictures that open large, and tables: the classes that `browser/reading.ts` gives, and what holds without it. */
export const READING_CSS = `
.content a.site-zoom { display: inline-block; max-width: 100%; cursor: zoom-in; vertical-align: middle; }
.content a.site-zoom > img { display: block; }
.content a.site-zoom > picture > img { display: block; }
/* A drawing with a shape and no size is as wide as the text: as wide as a box that fits its content, it would be 0. */
.content a.site-zoom:has(> img[src*=".svg" i]:not([width])) { display: block; }
.content a.site-zoom > img[src*=".svg" i]:not([width]) { width: auto; }
.content .image-frame-body > a.site-zoom { display: block; width: fit-content; margin: 0 auto; }
.site-picture { position: fixed; inset: 0; width: 100vw; height: 100dvh; max-width: none; max-height: none; padding: 1.2rem; border: 0; background: rgb(8 11 13 / .88); cursor: zoom-out; }
.site-picture[open] { display: grid; place-items: center; }
.site-picture::backdrop { background: none; }
.site-picture img { max-width: 100%; max-height: calc(100dvh - 2.4rem); object-fit: contain; border-radius: 6px; background: var(--background); }
.site-picture img[src*=".svg"] { width: min(100%, 90rem); }
.site-picture button { position: fixed; top: 1rem; inset-inline-end: 1rem; width: 2.5rem; height: 2.5rem; border: 1px solid rgb(255 255 255 / .35); border-radius: 50%; background: rgb(8 11 13 / .7); color: #fff; font: 1.4rem/1 var(--font-body); cursor: pointer; }
.site-picture button:focus-visible { outline-color: #fff; }
.content .table-fits { overflow: visible; }
.content .table-wide { max-height: calc(100vh - var(--bars, var(--header-height)) - 3rem); overflow: auto; border: 1px solid var(--border); border-radius: var(--radius); }
.content .table-wide :is(th, td) { padding-inline: .9em; }
.content .table-wide td > code:only-child { white-space: nowrap; }
.content .table-wide th, .content > .table-fits th { position: sticky; top: 0; z-index: 1; background: var(--background); box-shadow: inset 0 -1px var(--border); }
.content > .table-fits th { top: var(--bars, var(--header-height)); }
.content[data-styled] > .table-fits th { position: static; }
@media print { .content .table-wide { max-height: none; overflow: visible; } .content th { position: static !important; } .site-picture { display: none; } }
`;
