/** Numbers and signs come from here, so that a copied diff is text and nothing else. */
export const DIFF_CSS = `
:root {
  --added: light-dark(#e7f6ec, #12291c);
  --added-strong: light-dark(#b3e2c2, #1d5a36);
  --removed: light-dark(#fdecec, #331a1c);
  --removed-strong: light-dark(#f6c0c2, #74292d);
}
.files { margin-top: 2rem; }
.file { border: 1px solid var(--border); border-radius: var(--radius); margin: 0 0 1rem; scroll-margin-top: 1rem; box-shadow: var(--shadow); overflow: clip; }
.file > summary { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; padding: .55rem .9rem; background: var(--surface); cursor: pointer; position: sticky; top: 0; list-style: none; }
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
.file-link { display: block; width: fit-content; margin-left: auto; padding: .25rem .9rem; font-size: .86em; color: var(--muted); }
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
}
@media print { .file > summary { position: static; } }
`;
