import { COMPONENTS_CSS } from "#docs/components/registry.ts";
import { OPERATION_CSS } from "./operation/operation.css.ts";

/**
 * The looks of rendered pages, for inside an element with the class `content`. The theme sets the variables: `--text`,
 * `--text-strong`, `--muted`, `--accent`, `--accent-soft`, `--background`, `--surface`, `--surface-strong`, `--border`,
 * `--border-strong`, `--radius`, `--font-mono`; those of code and callouts have values here.
 *
 * Classes, by what prints them:
 * - Markdown: `heading-anchor`, `paragraph` (a `<div>` where a block stands in a paragraph), `table-scroll`,
 *   `align-left|center|right`, `task-list`, `task`, `footnotes`, `footnote-reference`, `footnote-back`, `math`, `formula`, `formula-inline`, `formula-long`,
 *   `plain-page`, `link-refused`, `embed`.
 * - Code: `code-block[data-language]`, `code-title`, `code-copy[data-copy][hidden]` (the script shows it),
 *   `code-expandable`, `code`, `code-numbered`, `code-wrap`, `code-focused`, `line`, `line-highlight|focus|added|removed|
 *   error|warning`, `token-*`; `diagram`, `diagram-undrawn`, `mermaid`.
 * - Components: beside what prints them, in `content/components/`; `content-icon` is an icon.
 */
export const CONTENT_CSS = `
.content {
  --code-background: light-dark(#f7f9fa, #171c20);
  --code-text: light-dark(#24292e, #d5dde2);
  --code-mark: light-dark(#0969da18, #58a6ff22);
  --token-keyword: light-dark(#a626a4, #d2a8ff);
  --token-string: light-dark(#2f6f2f, #9ecb8a);
  --token-constant: light-dark(#0b5cad, #79c0ff);
  --token-function: light-dark(#6f42c1, #b8a1f5);
  --token-comment: light-dark(#59656e, #8b98a1);
  --token-parameter: light-dark(#953800, #ffa657);
  --token-punctuation: light-dark(#4b5860, #a9b6be);
  --token-inserted: light-dark(#116329, #7ee787);
  --token-deleted: light-dark(#a40e26, #ffa198);
  overflow-wrap: break-word; min-width: 0;
}
/* Code and formulas are read from left to right in every language. */
.content :is(pre, code, kbd, samp, math, .code-block, .api-bar, .field-name, .field-type) { direction: ltr; unicode-bidi: isolate; }
.content :is(pre, .code-block, .code-title) { text-align: left; }
/* What authors style stays in its box: nothing of it covers the page around. */
.content[data-styled] { contain: layout paint; overflow-clip-margin: .75rem; }
:where(.content[data-styled] [class]) { border: 0 solid var(--border); }
.content > :first-child { margin-top: 0; }
.content > :last-child { margin-bottom: 0; }
.content :is(p, ul, ol, dl, blockquote, .paragraph) { margin: 0 0 1.1em; }
.content :is(li, td, th, blockquote) > :last-child { margin-bottom: 0; }
.content :is(h1, h2, h3, h4, h5, h6) { position: relative; margin: 2.1em 0 .7em; color: var(--text-strong, var(--text)); font-weight: 650; line-height: 1.28; letter-spacing: -.014em; text-wrap: balance; }
.content h1 { font-size: 2em; }
.content h2 { font-size: 1.5em; }
.content h3 { font-size: 1.22em; margin-top: 1.8em; }
.content h4 { font-size: 1.05em; }
.content :is(h5, h6) { font-size: .95em; }
.content h6 { color: var(--muted); }
.content :is(h1, h2, h3, h4, h5, h6) + :is(h2, h3, h4) { margin-top: 1em; }
.content .heading-anchor { margin-inline-start: .4em; color: var(--muted); font-weight: 400; text-decoration: none; opacity: 0; transition: opacity .12s; }
.content .heading-anchor::before { content: "#"; }
.content :is(:hover, :focus-visible) > .heading-anchor, .content .heading-anchor:focus-visible { opacity: 1; }
.content a { color: var(--accent); font-weight: 500; text-decoration-color: color-mix(in srgb, var(--accent) 40%, transparent); }
.content a:hover { text-decoration-color: currentColor; }
.content :is(strong, b, dt) { color: var(--text-strong, var(--text)); font-weight: 650; }
.content :is(ul, ol) { padding-inline-start: 1.45em; }
.content li { margin: .35em 0; padding-inline-start: .15em; }
.content li::marker { color: var(--muted); }
.content li > :is(ul, ol) { margin: .35em 0; }
.content .task-list { padding-inline-start: 1.55em; list-style: none; }
.content .task input { width: 1em; height: 1em; margin: 0; margin-inline: -1.45em .45em; vertical-align: -.12em; accent-color: var(--accent); }
.content blockquote { margin-inline-start: 0; padding-block: .1em; padding-inline-start: 1.1em; border-inline-start: 3px solid var(--border-strong, var(--border)); color: var(--muted); }
.content hr { margin: 2.4em 0; border: 0; border-top: 1px solid var(--border); }
.content :is(img, video) { max-width: 100%; height: auto; border-radius: calc(var(--radius, 10px) * .6); }
.content iframe { width: 100%; max-width: 100%; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content iframe:not([height]) { aspect-ratio: 16 / 9; height: auto; }
.content .content-icon { width: 1em; height: 1em; display: inline-block; vertical-align: -.13em; flex: none; }
.content figure { margin: 1.5em 0; }
.content figcaption { color: var(--muted); font-size: .88em; text-align: center; }
.content :not(pre) > code { padding: .14em .38em; border: 1px solid var(--border); border-radius: 5px; background: var(--surface); color: var(--text-strong, var(--text)); font: 500 .86em/1.4 var(--font-mono, monospace); overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.content a > code { color: inherit; }
.content :is(h1, h2, h3, h4) > code { font-size: .88em; }
.content kbd { padding: .1em .4em; border: 1px solid var(--border-strong, var(--border)); border-bottom-width: 2px; border-radius: 5px; background: var(--surface); font: .82em var(--font-mono, monospace); }
.content mark { background: light-dark(#fff3b0, #5b4d10); color: inherit; border-radius: 3px; }
.content .table-scroll { margin: 1.4em 0; overflow-x: auto; }
.content :is(th, td) > code { overflow-wrap: break-word; }
.content table { width: 100%; border-collapse: collapse; font-size: .93em; line-height: 1.55; }
.content :is(th, td) { padding-block: .6em; padding-inline-end: .9em; border-bottom: 1px solid var(--border); text-align: start; vertical-align: top; }
.content :is(th, td):last-child { padding-inline-end: 0; }
.content th { color: var(--text-strong, var(--text)); font-weight: 600; white-space: nowrap; }
.content td { min-width: 6em; }
.content .align-center { text-align: center; }
.content .align-right { text-align: right; }
.content .footnotes { margin-top: 3em; color: var(--muted); font-size: .9em; }
.content .footnote-reference a, .content .footnote-back { text-decoration: none; }
.content .link-refused { text-decoration: underline dotted; }
.content details:not([class]) { margin: 1em 0; padding: .5em 1em; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content details:not([class]) > summary { cursor: pointer; font-weight: 570; }
.content summary { list-style: none; }
.content summary::-webkit-details-marker { display: none; }
.content summary::before { content: ""; display: inline-block; width: .4em; height: .4em; margin-inline: .1em .65em; border: solid var(--muted); border-width: 0 1.6px 1.6px 0; vertical-align: .16em; transform: rotate(-45deg); transition: transform .15s; }
.content [open] > summary::before { transform: rotate(45deg); }
[dir="rtl"] .content details:not([open]) > summary::before { transform: rotate(135deg); }
.content :is(.diagram, .diagram-undrawn) { margin: 1.4em 0; }
.content :is(.diagram, .diagram-undrawn) pre.mermaid { margin: 0; }
.content .diagram-picture { overflow-x: auto; text-align: center; }
.content .diagram-picture img { border-radius: 0; }
.content .diagram-source { margin-top: .4em; font-size: .85em; }
.content .diagram-source summary { width: fit-content; color: var(--muted); cursor: pointer; }
.diagram-frame { position: fixed; left: 0; top: 0; width: 1000px; height: 600px; border: 0; opacity: 0; pointer-events: none; visibility: hidden; z-index: -1; }
.content .math { font-family: var(--font-mono, monospace); }
.content math { font-family: "Cambria Math", "STIX Two Math", "Latin Modern Math", "Noto Sans Math", math; font-style: normal; font-weight: normal; line-height: normal; letter-spacing: normal; text-indent: 0; }
.content .formula { margin: 1.3em 0; padding: .2em 0; overflow: auto hidden; font-size: 1.12em; text-align: center; }
.content .formula math { display: block math; }
.content .formula-inline { font-size: 1.06em; }
.content .formula-long { display: inline-block; max-width: 100%; overflow: auto hidden; vertical-align: middle; }
.content math :is(.tml-right, mtable.tml-jot .tml-right) { text-align: right; text-align: -webkit-right; }
.content math .tml-left { text-align: left; text-align: -webkit-left; }
.content math .tml-jot mtd { padding-top: .7ex; padding-bottom: .7ex; }
.content math .tml-sml-pad { padding-left: .05em; }
.content math .tml-med-pad { padding-left: .1em; }
.content math .tml-lrg-pad { padding-left: .15em; }
.content math :is(mtable, mtr, mtd) { border-color: currentColor; }
.content math menclose { display: inline-block; position: relative; padding: .3ex 0; }
.content math .tml-cancel { position: absolute; inset: 0; background: linear-gradient(to top right, transparent 48%, currentColor 48%, currentColor 52%, transparent 52%); }
.content math .longdiv-top { border-top: 1px solid currentColor; }

.content :is(pre.code, pre.mermaid, pre.math, pre.plain-page, pre:not([class])) { margin: 0; padding: 1em 1.15em; overflow-x: auto; border-radius: inherit; background: var(--code-background); color: var(--code-text); font: .855em/1.65 var(--font-mono, monospace); tab-size: 4; }
.content :is(pre.mermaid, pre.math, pre.plain-page, pre:not([class])) { margin: 1.4em 0; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content pre.plain-page { white-space: pre-wrap; }
.content pre code { font: inherit; }
.content .code-block { position: relative; margin: 1.4em 0; overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--code-background); }
.content .code-title { padding: .5em 5.5em .5em 1.15em; border-bottom: 1px solid var(--border); background: var(--surface); font: 500 .8em/1.5 var(--font-mono, monospace); text-align: start; }
.content .code-title ~ pre, .content .code-title ~ details { border-radius: 0; }
.content .code-copy { position: absolute; top: .45em; right: .5em; z-index: 1; padding: .25em .7em; border: 1px solid var(--border); border-radius: 6px; background: var(--background, var(--surface)); color: var(--muted); font: 500 .74rem/1.5 var(--font-body, sans-serif); cursor: pointer; opacity: 0; transition: opacity .12s; }
.content .code-title + .code-copy { top: .3em; }
.content .code-block:hover > .code-copy, .content .code-copy:is(:focus-visible, :disabled) { opacity: 1; }
@media (hover: none) { .content .code-copy { opacity: 1; } }
.content .code-copy:hover { color: var(--text-strong, var(--text)); border-color: var(--border-strong, var(--border)); }
.content .code > code { display: block; width: max-content; min-width: 100%; }
.content .code-wrap > code { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.content .line { display: inline-block; width: 100%; min-height: 1lh; vertical-align: top; }
.content .code-numbered { counter-reset: line; }
.content .code-numbered .line::before { counter-increment: line; content: counter(line); display: inline-block; width: 1.8em; margin-right: 1.3em; color: var(--token-comment); text-align: right; opacity: .75; user-select: none; }
.content :is(.line-highlight, .line-added, .line-removed, .line-error, .line-warning) { margin-inline: -1.35rem; padding-inline: 1.35rem; width: calc(100% + 2.7rem); background: var(--code-mark); box-shadow: inset 3px 0 var(--accent); }
.content .line-added { background: light-dark(#1a7f3718, #3fb95022); box-shadow: inset 3px 0 light-dark(#1a7f37, #3fb950); }
.content :is(.line-removed, .line-error) { background: light-dark(#cf222e14, #f8514922); box-shadow: inset 3px 0 light-dark(#cf222e, #f85149); }
.content .line-warning { background: light-dark(#9a670018, #d2992222); box-shadow: inset 3px 0 light-dark(#9a6700, #d29922); }
.content .code-expandable > summary { padding: .6em 1.15em; color: var(--muted); font-size: .86em; cursor: pointer; }
.content .token-keyword { color: var(--token-keyword); }
.content :is(.token-string, .token-string-expression) { color: var(--token-string); }
.content .token-constant { color: var(--token-constant); }
.content .token-function { color: var(--token-function); }
.content .token-comment { color: var(--token-comment); font-style: italic; }
.content .token-parameter { color: var(--token-parameter); }
.content .token-punctuation { color: var(--token-punctuation); }
.content .token-link { color: var(--token-string); text-decoration: underline; }
.content .token-inserted { color: var(--token-inserted); }
.content .token-deleted { color: var(--token-deleted); }
.content .token-changed { color: var(--token-parameter); }
.content .code-focused:not(:hover) .line:not(.line-focus), .content .code-focused:not(:hover) .line:not(.line-focus) span { color: var(--token-comment); }
${COMPONENTS_CSS}
${OPERATION_CSS}
/* Pairs of pictures for light and dark pages are written with these names of Tailwind's. */
.content .hidden { display: none; }
.content .block { display: block; }
.content .m-0 { margin: 0; }
:root[data-theme="dark"] .content :is(.dark\\:hidden), :root:not([data-theme="dark"]) .content .dark\\:block.hidden { display: none; }
:root[data-theme="dark"] .content .dark\\:block { display: block; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) .content .dark\\:hidden { display: none; }
  :root:not([data-theme="light"]) .content .dark\\:block.hidden { display: block; }
}
@media print { .content .code-copy, .content .heading-anchor { display: none; } }
`;
