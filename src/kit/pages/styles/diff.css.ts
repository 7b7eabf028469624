/** Line numbers and signs are generated content, so that a copied diff contains only its text. */
export const DIFF_CSS = `
:root {
  --added: light-dark(#e7f6ec, #12291c);
  --added-strong: light-dark(#b3e2c2, #1d5a36);
  --removed: light-dark(#fdecec, #331a1c);
  --removed-strong: light-dark(#f6c0c2, #74292d);
}
.files { margin-top: 2rem; }
.file { border: 1px solid var(--border); border-radius: var(--radius); margin: 0 0 1rem; scroll-margin-top: 1rem; box-shadow: var(--shadow); overflow: clip; }
.file > summary { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; padding: .55rem .9rem; background: var(--surface); cursor: pointer; position: sticky; z-index: 1; top: 0; list-style: none; }
.file > summary::-webkit-details-marker { display: none; }
.file > summary::before { content: ""; width: .42rem; height: .42rem; border: solid var(--muted); border-width: 0 2px 2px 0; transform: rotate(-45deg); flex: none; }
.file[open] > summary { border-bottom: 1px solid var(--border); }
.file[open] > summary::before { transform: rotate(45deg) translate(-1px, -1px); }
.file:target { border-color: var(--accent); }
.file-name { font: 600 .88em var(--font-mono); color: var(--text-strong); overflow-wrap: anywhere; }
.old-name { font-weight: 400; color: var(--muted); }
.file-status { font-size: .8em; color: var(--muted); border: 1px solid var(--border-strong); border-radius: 99px; padding: 0 .6em; }
.file-status.modified { display: none; }
.file-status.added { color: var(--good); border-color: currentColor; }
.file-status.removed { color: var(--bad); border-color: currentColor; }
.file .counts { margin-left: auto; }
.file-link { margin-left: auto; padding: .25rem 0; font-size: .86em; color: var(--muted); }
.file-bar { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; padding: .3rem .9rem; }
.file-bar:not(:has(*)) { display: none; }
.why { margin: 0; padding: .7rem .9rem .35rem; overflow-wrap: anywhere; }
.file-findings { list-style: none; margin: 0; padding: .5rem .9rem .2rem; display: grid; gap: .3rem; overflow-wrap: anywhere; }
.diff .finding td { background: color-mix(in srgb, var(--warn) 9%, var(--background)); }
.diff .finding td:last-child { font: .93rem/1.5 var(--font-body); padding-block: .3rem; text-indent: 0; }
.diff .finding td:last-child::before { content: none; }
.switch { position: relative; display: inline-flex; border: 1px solid var(--border-strong); border-radius: 8px; overflow: clip; font-size: .86em; }
.switch label { padding: .15rem .7rem; cursor: pointer; color: var(--muted); }
.switch label + label { border-left: 1px solid var(--border-strong); }
.switch label:has(:checked) { background: var(--accent-soft); color: var(--text-strong); font-weight: 600; }
.switch label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -2px; }
.switch input { position: absolute; opacity: 0; pointer-events: none; }
/* A frame that opens at a heading scrolls this page too: its captions stay in sight below the file's name. */
html:has(.as-pages) { scroll-padding-top: 13rem; }
.as-pages, .file:has(.to-pages:checked) .as-lines { display: none; }
.file:has(.to-pages:checked) .as-pages { display: block; }
.as-pages { border-top: 1px solid var(--border); padding: .7rem .9rem .9rem; }
.sides-by-side { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .9rem; }
.sides-by-side figure { margin: 0; min-width: 0; }
.sides-by-side figcaption { display: flex; justify-content: space-between; gap: 1rem; padding-bottom: .35rem; font-size: .86em; color: var(--muted); }
.sides-by-side iframe, .sides-by-side .note { display: block; width: 100%; height: min(70vh, 46rem); margin: 0; border: 1px solid var(--border); border-radius: 8px; background: var(--background); }
.sides-by-side .note { display: grid; place-items: center; }
.switch.sides { display: none; margin-bottom: .6rem; }
.file > .note, .file > .warning { margin: 0; padding: 1rem; }
.file > .warning { background: color-mix(in srgb, var(--warn) 12%, transparent); border-bottom: 1px solid var(--border); }
.diff { width: 100%; border-collapse: collapse; table-layout: fixed; font: .82rem/1.6 var(--font-mono); tab-size: 4; }
.diff td { padding: 0; vertical-align: top; }
.diff col.number { width: 3.4rem; }
.diff td[data-n]::before { content: attr(data-n); display: block; text-align: right; padding-right: .7rem; color: var(--muted); font-size: .92em; user-select: none; }
.diff td:last-child { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 .9rem 0 1.6rem; text-indent: -1rem; }
.diff td:last-child::before { content: " "; display: inline-block; width: 1rem; text-indent: 0; color: var(--muted); user-select: none; }
.diff .added td { background: var(--added); }
.diff .removed td { background: var(--removed); }
.diff .added td:last-child::before { content: "+"; color: var(--good); }
.diff .removed td:last-child::before { content: "−"; color: var(--bad); }
.diff .hunk td { background: var(--accent-soft); color: var(--muted); text-align: center; padding-block: .15rem; user-select: none; }
.diff .hunk a { float: right; text-decoration: underline; }
.diff .hunk td:last-child { text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.diff ins, .diff del { text-decoration: none; border-radius: 3px; }
.diff ins { background: var(--added-strong); }
.diff del { background: var(--removed-strong); }
.diff .cut { color: var(--muted); font-style: italic; }
@media (max-width: 40rem) {
  .diff col.number { width: 2.4rem; }
  .diff col.number:first-child { width: 0; }
  .diff td:nth-child(1)::before { content: none !important; }
  .switch.sides { display: inline-flex; }
  .sides-by-side { grid-template-columns: minmax(0, 1fr); }
  .sides-by-side figcaption { justify-content: end; font-size: 0; }
  .sides-by-side figcaption a { font-size: .86rem; }
  .as-pages:has(.to-before:checked) .side-after, .as-pages:has(.to-after:checked) .side-before { display: none; }
}
@media print { .file > summary { position: static; } }
`;
