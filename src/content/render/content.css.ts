/**
 * The looks of rendered pages, for inside an element with the class `content`. The theme sets the variables: `--text`,
 * `--text-strong`, `--muted`, `--accent`, `--accent-soft`, `--background`, `--surface`, `--surface-strong`, `--border`,
 * `--border-strong`, `--radius`, `--font-mono`; those of code and callouts have values here.
 *
 * Classes, by what prints them:
 * - Markdown: `heading-anchor`, `paragraph` (a `<div>` where a block stands in a paragraph), `table-scroll`,
 *   `align-left|center|right`, `task-list`, `task`, `footnotes`, `footnote-reference`, `footnote-back`, `math`,
 *   `plain-page`, `link-refused`, `embed`.
 * - Code: `code-block[data-language]`, `code-title`, `code-copy[data-copy][hidden]` (the script shows it),
 *   `code-expandable`, `code`, `code-numbered`, `code-wrap`, `code-focused`, `line`, `line-highlight|focus|added|removed|
 *   error|warning`, `token-*`; `mermaid[data-diagram]`.
 * - Tabs: `tabs[data-tabs]` with `tab-input[data-tab]`, `tab-label` and `tab-panel` in turn; `code-group`,
 *   `request-example`, `response-example`; `tab-alone`, `tab-title`.
 * - Callouts: `callout`, `callout-note|info|tip|check|warning|danger|plain`, `callout-icon`, `callout-body`,
 *   `callout-title`.
 * - Cards: `card`, `card-link`, `card-horizontal`, `card-image`, `card-icon`, `card-content`, `card-title`, `card-body`,
 *   `card-action`, `card-grid`, `card-grid-1` to `-6`, `column`, `tile`, `tile-picture`.
 * - Sections: `steps`, `step`, `step-marker[data-number]`, `step-content`, `step-title`; `accordion`, `expandable` with
 *   `-title`, `-description`, `-body`; `accordion-group`; `update`, `update-label`, `update-title`, `update-description`,
 *   `update-body`; `field`, `field-head`, `field-name`, `field-type`, `field-place`, `field-required`,
 *   `field-deprecated`, `field-default`, `field-note`, `field-body`; `tree`, `tree-folder`, `tree-file`; `view`,
 *   `view-title`; `prompt`, `prompt-title`, `prompt-body`; `panel`, `content-banner`.
 * - Inline: `badge`, `badge-<colour>`, `tooltip`, `tooltip-text`, `content-icon`, `color`, `color-swatch`, `color-name`,
 *   `image-frame`, `image-frame-body`, `image-frame-hint`.
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
  --token-comment: light-dark(#65717a, #8b98a1);
  --token-parameter: light-dark(#953800, #ffa657);
  --token-punctuation: light-dark(#4b5860, #a9b6be);
  --token-inserted: light-dark(#116329, #7ee787);
  --token-deleted: light-dark(#a40e26, #ffa198);
  overflow-wrap: break-word; min-width: 0;
}
.content > :first-child { margin-top: 0; }
.content > :last-child { margin-bottom: 0; }
.content :is(p, ul, ol, dl, blockquote, .paragraph) { margin: 0 0 1.1em; }
.content :is(li, td, th, .callout-body, .card-body, .step-content, .tab-panel, .accordion-body, .expandable-body, .field-body, .update-body, .panel, .view, .column, blockquote) > :last-child { margin-bottom: 0; }
.content :is(.callout-body, .card-body, .tab-panel, .accordion-body, .expandable-body, .field-body, .update-body, .column) > :first-child { margin-top: 0; }
.content :is(h1, h2, h3, h4, h5, h6) { position: relative; margin: 2.1em 0 .7em; color: var(--text-strong, var(--text)); font-weight: 650; line-height: 1.28; letter-spacing: -.014em; text-wrap: balance; }
.content h1 { font-size: 2em; }
.content h2 { font-size: 1.5em; }
.content h3 { font-size: 1.22em; margin-top: 1.8em; }
.content h4 { font-size: 1.05em; }
.content :is(h5, h6) { font-size: .95em; }
.content h6 { color: var(--muted); }
.content :is(h1, h2, h3, h4, h5, h6) + :is(h2, h3, h4) { margin-top: 1em; }
.content .heading-anchor { margin-left: .4em; color: var(--muted); font-weight: 400; text-decoration: none; opacity: 0; transition: opacity .12s; }
.content .heading-anchor::before { content: "#"; }
.content :is(:hover, :focus-visible) > .heading-anchor, .content .heading-anchor:focus-visible { opacity: 1; }
.content a { color: var(--accent); font-weight: 500; text-decoration-color: color-mix(in srgb, var(--accent) 40%, transparent); }
.content a:hover { text-decoration-color: currentColor; }
.content :is(strong, b, dt) { color: var(--text-strong, var(--text)); font-weight: 650; }
.content :is(ul, ol) { padding-left: 1.45em; }
.content li { margin: .35em 0; padding-left: .15em; }
.content li::marker { color: var(--muted); }
.content li > :is(ul, ol) { margin: .35em 0; }
.content .task-list { padding-left: .2em; list-style: none; }
.content .task input { width: 1em; height: 1em; margin: 0 .45em 0 0; vertical-align: -.12em; accent-color: var(--accent); }
.content blockquote { margin-left: 0; padding: .1em 0 .1em 1.1em; border-left: 3px solid var(--border-strong, var(--border)); color: var(--muted); }
.content hr { margin: 2.4em 0; border: 0; border-top: 1px solid var(--border); }
.content :is(img, video) { max-width: 100%; height: auto; border-radius: calc(var(--radius, 10px) * .6); }
.content iframe { width: 100%; max-width: 100%; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content iframe:not([height]) { aspect-ratio: 16 / 9; height: auto; }
.content .content-icon { width: 1em; height: 1em; display: inline-block; vertical-align: -.13em; flex: none; }
.content figure { margin: 1.5em 0; }
.content figcaption { color: var(--muted); font-size: .88em; text-align: center; }
.content :not(pre) > code { padding: .14em .38em; border: 1px solid var(--border); border-radius: 5px; background: var(--surface); color: var(--text-strong, var(--text)); font: 500 .86em/1.4 var(--font-mono, monospace); overflow-wrap: anywhere; }
.content a > code { color: inherit; }
.content :is(h1, h2, h3, h4) > code { font-size: .88em; }
.content kbd { padding: .1em .4em; border: 1px solid var(--border-strong, var(--border)); border-bottom-width: 2px; border-radius: 5px; background: var(--surface); font: .82em var(--font-mono, monospace); }
.content mark { background: light-dark(#fff3b0, #5b4d10); color: inherit; border-radius: 3px; }
.content .table-scroll { margin: 1.4em 0; overflow-x: auto; }
.content table { width: 100%; border-collapse: collapse; font-size: .93em; line-height: 1.55; }
.content :is(th, td) { padding: .6em .9em .6em 0; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
.content :is(th, td):last-child { padding-right: 0; }
.content th { color: var(--text-strong, var(--text)); font-weight: 600; white-space: nowrap; }
.content td { min-width: 6em; }
.content .align-center { text-align: center; }
.content .align-right { text-align: right; }
.content .footnotes { margin-top: 3em; color: var(--muted); font-size: .9em; }
.content .footnote-reference a, .content .footnote-back { text-decoration: none; }
.content .link-refused { text-decoration: underline dotted; }
.content .math { font-family: var(--font-mono, monospace); }

.content :is(pre.code, pre.mermaid, pre.math, pre.plain-page, pre:not([class])) { margin: 0; padding: 1em 1.15em; overflow-x: auto; border-radius: inherit; background: var(--code-background); color: var(--code-text); font: .855em/1.65 var(--font-mono, monospace); tab-size: 4; }
.content :is(pre.mermaid, pre.math, pre.plain-page, pre:not([class])) { margin: 1.4em 0; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content pre.plain-page { white-space: pre-wrap; }
.content pre code { font: inherit; }
.content .code-block { position: relative; margin: 1.4em 0; overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--code-background); }
.content .code-title { padding: .5em 5.5em .5em 1.15em; border-bottom: 1px solid var(--border); background: var(--surface); font: 500 .8em/1.5 var(--font-mono, monospace); text-align: left; }
.content .code-title ~ pre, .content .code-title ~ details { border-radius: 0; }
.content .code-copy { position: absolute; top: .45em; right: .5em; z-index: 1; padding: .25em .7em; border: 1px solid var(--border); border-radius: 6px; background: var(--background, var(--surface)); color: var(--muted); font: 500 .74rem/1.5 inherit; cursor: pointer; opacity: 0; transition: opacity .12s; }
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
.content .code-focused .line:not(.line-focus) { opacity: .45; transition: opacity .2s; }
.content .code-focused:hover .line { opacity: 1; }
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

.content .tabs { display: flex; flex-wrap: wrap; margin: 1.5em 0; }
.content .tab-input { position: absolute; width: 1px; height: 1px; margin: 0; opacity: 0; pointer-events: none; }
.content .tab-label { order: 0; display: inline-flex; align-items: center; gap: .4em; margin-right: 1.4em; padding: .45em 0 .55em; border-bottom: 2px solid transparent; color: var(--muted); font-size: .92em; font-weight: 550; line-height: 1.4; cursor: pointer; }
.content .tab-label:hover { color: var(--text-strong, var(--text)); }
.content .tab-input:checked + .tab-label { border-color: var(--accent); color: var(--accent); }
.content .tab-input:focus-visible + .tab-label { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.content .tab-panel { order: 1; display: none; width: 100%; min-width: 0; padding-top: 1em; border-top: 1px solid var(--border); margin-top: -1px; }
.content .tab-input:checked + .tab-label + .tab-panel { display: block; }
.content .tab-panel > .code-block:only-child { margin: 0; }
.content .code-group { overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--surface); padding-inline: 1.15em; }
.content .code-group > .tab-label { font-size: .84em; }
.content .code-group > .tab-panel { width: calc(100% + 2.3em); margin-inline: -1.15em; padding: 0; }
.content .code-group .code-block { margin: 0; border: 0; border-radius: 0; }
.content .tab-title, .content .view-title { color: var(--text-strong, var(--text)); font-weight: 650; }

.content .callout { --tone: var(--muted); display: flex; gap: .8em; margin: 1.4em 0; padding: .85em 1.1em; border: 1px solid color-mix(in srgb, var(--tone) 28%, transparent); border-radius: var(--radius, 10px); background: color-mix(in srgb, var(--tone) 8%, transparent); font-size: .96em; }
.content .callout-icon { flex: none; display: grid; place-items: center; height: 1.68em; color: var(--tone); font-size: 1.05em; }
.content .callout-body { flex: 1; min-width: 0; }
.content .callout-title { margin-bottom: .3em !important; color: var(--text-strong, var(--text)); font-weight: 650; }
.content .callout a { color: inherit; text-decoration-color: currentColor; }
.content .callout-note { --tone: light-dark(#0b6bcb, #6cb6ff); }
.content .callout-info { --tone: light-dark(#57606a, #9aa7b1); }
.content .callout-tip { --tone: light-dark(#1a7f55, #56d3a0); }
.content .callout-check { --tone: light-dark(#1a7f37, #57ce73); }
.content .callout-warning { --tone: light-dark(#9a6700, #e0b03f); }
.content .callout-danger { --tone: light-dark(#c0343a, #ff8f87); }

.content .card-grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem; margin: 1.5em 0; }
.content .card-grid-1 { grid-template-columns: 1fr; }
.content .card-grid-3 { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.content :is(.card-grid-4, .card-grid-5, .card-grid-6) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); }
.content .card-grid > .card { margin: 0; height: 100%; }
.content .column { min-width: 0; }
.content .card { position: relative; display: flex; flex-direction: column; gap: .65rem; margin: 1.2em 0; padding: 1.15rem 1.25rem; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--background, transparent); transition: border-color .15s; }
.content .card-horizontal { flex-direction: row; }
.content .card-link:is(:hover, :focus-within) { border-color: var(--accent); }
.content .card-title a { color: inherit; font-weight: inherit; text-decoration: none; }
.content .card-title a::after { content: ""; position: absolute; inset: 0; border-radius: inherit; }
.content .card-title a:focus-visible { outline: none; }
.content .card:has(.card-title a:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.content .card-body a { position: relative; z-index: 1; }
.content .card-icon { color: var(--accent); font-size: 1.4rem; line-height: 1; }
.content .card-content { min-width: 0; }
.content .card-title { margin: 0 0 .25rem; color: var(--text-strong, var(--text)); font-weight: 620; line-height: 1.4; }
.content .card-body { margin: 0; color: var(--muted); font-size: .92em; line-height: 1.55; }
.content .card-body:empty { display: none; }
.content .card-action { margin: .6rem 0 0; color: var(--accent); font-size: .9em; font-weight: 550; }
.content .card-image { width: calc(100% + 2.5rem); max-width: none; margin: -1.15rem -1.25rem 0; border-radius: var(--radius, 10px) var(--radius, 10px) 0 0; }
.content .tile { padding: 0; overflow: hidden; }
.content .tile-picture { display: grid; place-items: center; min-height: 8rem; padding: 1rem; background: var(--surface); }
.content .tile .card-content { padding: .2rem 1.15rem 1rem; }
.content .image-frame { padding: .6rem; border: 1px solid var(--border); border-radius: calc(var(--radius, 10px) * 1.3); background: var(--surface); }
.content .image-frame-body { overflow: hidden; border-radius: var(--radius, 10px); text-align: center; }
.content .image-frame-body > :is(img, video, iframe) { display: block; margin: 0 auto; }
.content .image-frame figcaption, .content .image-frame-hint { margin: .6rem 0 .1rem; color: var(--muted); font-size: .88em; }

.content .steps { margin: 1.6em 0; counter-reset: step; }
.content .step { position: relative; display: flex; gap: 1.1rem; padding-bottom: 1.7rem; counter-increment: step; }
.content .step:last-child { padding-bottom: 0; }
.content .step::before { content: ""; position: absolute; left: .95rem; top: 2.2rem; bottom: .3rem; width: 1px; background: var(--border); }
.content .step:last-child::before { display: none; }
.content .step-marker { flex: none; display: grid; place-items: center; width: 1.9rem; height: 1.9rem; border-radius: 50%; background: var(--surface-strong, var(--surface)); color: var(--text-strong, var(--text)); font-size: .86rem; font-weight: 650; }
.content .step-marker:empty::before { content: counter(step); }
.content .step-marker[data-number]:empty::before { content: attr(data-number); }
.content .step-content { flex: 1; min-width: 0; padding-top: .1rem; }
.content .step-title { margin: 0 0 .5em; color: var(--text-strong, var(--text)); font-weight: 650; }

.content :is(.accordion, .expandable) { margin: 1em 0; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content :is(.accordion, .expandable) > summary { display: flex; flex-wrap: wrap; align-items: center; gap: .2em .6em; padding: .75em 1.1em; color: var(--text-strong, var(--text)); font-weight: 570; cursor: pointer; list-style: none; border-radius: inherit; }
.content :is(.accordion, .expandable) > summary::-webkit-details-marker { display: none; }
.content :is(.accordion, .expandable) > summary::before { content: ""; flex: none; width: .42em; height: .42em; margin-right: .2em; border: solid var(--muted); border-width: 0 1.8px 1.8px 0; transform: rotate(-45deg); transition: transform .15s; }
.content :is(.accordion, .expandable)[open] > summary::before { transform: rotate(45deg); }
.content :is(.accordion, .expandable) > summary:hover { background: var(--surface); }
.content :is(.accordion-description, .expandable-description) { flex-basis: 100%; padding-left: 1.2em; color: var(--muted); font-size: .9em; font-weight: 400; }
.content :is(.accordion-body, .expandable-body) { padding: .2em 1.1em 1em; }
.content .expandable { font-size: .95em; }
.content .accordion-group { margin: 1.4em 0; overflow: hidden; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .accordion-group > .accordion { margin: 0; border: 0; border-radius: 0; }
.content .accordion-group > .accordion + .accordion { border-top: 1px solid var(--border); }
.content details:not([class]) { margin: 1em 0; padding: .5em 1em; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content details:not([class]) > summary { cursor: pointer; font-weight: 570; }

.content .field { padding: 1em 0; border-top: 1px solid var(--border); }
.content .field:last-child { border-bottom: 1px solid var(--border); }
.content .field-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3em .7em; font-size: .9em; }
.content .field-head .field-name { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 650; font-size: 1em; }
.content :is(.field-type, .field-place, .field-note, .field-default) { color: var(--muted); font-size: .92em; }
.content .field-type { font-family: var(--font-mono, monospace); }
.content .field-required { color: light-dark(#b42318, #ff9a91); font-size: .92em; font-weight: 550; }
.content .field-deprecated { color: light-dark(#9a6700, #e0b03f); font-size: .92em; font-weight: 550; }
.content .field-body { margin-top: .45em; }
.content .field-body:empty { display: none; }

.content .update { display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem 2rem; margin: 2.6em 0; }
@media (min-width: 48rem) { .content .update { grid-template-columns: 9rem minmax(0, 1fr); } .content .update-label { position: sticky; top: 6rem; align-self: start; } }
.content .update-title { display: inline-block; margin: 0 0 .4em; padding: .1em .6em; border-radius: 7px; background: var(--accent-soft, var(--surface)); color: var(--accent); font-size: .92em; font-weight: 600; }
.content .update-description { margin: 0 0 .4em; color: var(--muted); font-size: .88em; }
.content :is(.panel, .prompt, .content-banner) { margin: 1.4em 0; padding: 1em 1.2em; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--surface); }
.content .prompt-title { margin-bottom: .5em; color: var(--text-strong, var(--text)); font-weight: 600; text-align: left; }
.content .view { margin: 1.6em 0; }
.content :is(.tree, .tree ul) { margin: 0; padding-left: 1.1em; list-style: none; }
.content .tree { margin: 1.4em 0; padding: .9em 1.1em; border: 1px solid var(--border); border-radius: var(--radius, 10px); font: .9em/1.6 var(--font-mono, monospace); }
.content .tree details { margin: 0; padding: 0; border: 0; }
.content .tree summary { cursor: pointer; font-weight: 400; }
.content .tree .content-icon { margin-right: .45em; color: var(--muted); }

.content .badge { display: inline-flex; align-items: center; gap: .3em; padding: .05em .55em; border-radius: 99px; background: color-mix(in srgb, var(--tone, var(--muted)) 14%, transparent); color: var(--tone, var(--muted)); font-size: .78em; font-weight: 600; line-height: 1.6; vertical-align: .08em; }
.content :is(.badge-green, .badge-success) { --tone: light-dark(#1a7f37, #57ce73); }
.content :is(.badge-red, .badge-destructive, .badge-danger) { --tone: light-dark(#c0343a, #ff8f87); }
.content :is(.badge-yellow, .badge-orange, .badge-warning) { --tone: light-dark(#8a5a00, #e0b03f); }
.content .badge-blue { --tone: light-dark(#0b6bcb, #6cb6ff); }
.content .badge-purple { --tone: light-dark(#7a3fc9, #c4a5ff); }
.content .tooltip { position: relative; border-bottom: 1px dotted var(--muted); cursor: help; }
.content .tooltip-text { position: absolute; bottom: calc(100% + .5em); left: 50%; z-index: 10; width: max-content; max-width: min(18rem, 70vw); padding: .5em .8em; border: 1px solid var(--border); border-radius: 8px; background: var(--background, var(--surface)); color: var(--text); box-shadow: 0 6px 24px rgb(0 0 0 / .14); font-size: .85rem; font-weight: 400; line-height: 1.5; transform: translateX(-50%); visibility: hidden; opacity: 0; transition: opacity .12s; }
.content .tooltip:is(:hover, :focus, :focus-within) > .tooltip-text { visibility: visible; opacity: 1; }
.content .color { display: inline-flex; align-items: center; gap: .5em; margin: 0 1em .5em 0; }
.content .color-swatch { width: 1.6em; height: 1.6em; border: 1px solid var(--border); border-radius: 6px; }

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
@media print { .content .code-copy, .content .heading-anchor { display: none; } .content .tab-panel { display: block; } }
`;
