/** The looks of what `print-operation.ts` and `print-schema.ts` print, inside an element with the class `content`. */
export const OPERATION_CSS = `
.api-method, .site-method { --method: light-dark(#3b6271, #9fc3d1); color: var(--method); background: color-mix(in srgb, var(--method) 12%, transparent); font: 700 .68rem/1.5 var(--font-mono, monospace); letter-spacing: .02em; border-radius: 5px; padding: .1em .45em; white-space: nowrap; flex: none; }
:is(.api-method, .site-method)[data-method="get"], :is(.api-method, .site-method)[data-method="query"] { --method: light-dark(#0b6b45, #57d39b); }
:is(.api-method, .site-method)[data-method="post"] { --method: light-dark(#1f55b5, #82b1ff); }
:is(.api-method, .site-method)[data-method="put"] { --method: light-dark(#8a5300, #f0b45c); }
:is(.api-method, .site-method)[data-method="patch"] { --method: light-dark(#7a4d00, #e6c15a); }
:is(.api-method, .site-method)[data-method="delete"] { --method: light-dark(#b3261e, #ff9c94); }
:is(.api-method, .site-method)[data-method="webhook"] { --method: light-dark(#6d3fc0, #c4a5ff); }
.site-sidebar .site-method { position: relative; top: -.12em; min-width: 3.5em; font-size: .58rem; text-align: center; }
.content .api-bar { display: flex; align-items: center; gap: .7em; margin: 0 0 1.6em; padding: .6em .8em; border: 1px solid var(--border); border-radius: var(--radius, 10px); background: var(--surface); }
.content .api-bar .api-method { font-size: .8rem; }
.content .api-bar > code { padding: 0; border: 0; background: none; font-size: .88em; white-space: normal; overflow-wrap: anywhere; }
.content .api-base { color: var(--muted); }
.content .api-path b { display: inline-block; max-width: 100%; color: var(--accent); font-weight: 650; }
.content .api-main > :first-child { margin-top: 0; }
.content .api-main h2 { margin-bottom: .35em; padding-bottom: .45em; border-bottom: 1px solid var(--border); font-size: 1.25em; }
.content .api-main h3 { margin: 1.6em 0 .7em; font-size: 1.08em; }
.content .api-main h3 + .api-bar { margin-bottom: 1em; padding: .45em .7em; }
:is(.api-method, .site-method)[data-method="wss"] { --method: light-dark(#6d3fc0, #c4a5ff); }
:is(.api-method, .site-method)[data-method^="pub"] { --method: light-dark(#1f55b5, #82b1ff); }
:is(.api-method, .site-method)[data-method="sub"] { --method: light-dark(#0b6b45, #57d39b); }
.content .api-direction { display: flex; flex-wrap: wrap; align-items: baseline; gap: .6em; margin: .6em 0; }
.content .api-message { margin: .9em 0; padding: .2em .9em .6em; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .api-message-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3em .6em; margin: .5em 0; overflow-wrap: anywhere; }
.content .api-list { margin: 1em 0; padding: 0; list-style: none; }
.content .api-list > li { display: flex; align-items: baseline; gap: .8em; margin: 0; padding: .55em 0; border-bottom: 1px solid var(--border); }
.content .api-list .api-method { min-width: 4.6em; text-align: center; }
.content .api-list > li > div { min-width: 0; overflow-wrap: anywhere; }
.content .api-list p { margin: .15em 0 0; color: var(--muted); font-size: .9em; }
.content .api-part { margin: 1.2em 0 .2em; color: var(--muted); font-size: .88em; font-weight: 600; }
.content .api-main h2 + .field { border-top: 0; }
.content .api-main .field:last-child { border-bottom: 0; }
.content .api-deprecated { padding: .6em .9em; border-radius: var(--radius, 10px); background: color-mix(in srgb, light-dark(#9a6700, #e0b03f) 12%, transparent); color: light-dark(#7a5200, #e8c468); font-weight: 550; }
.content :is(.api-choices, .api-constraints, .api-recursive) { margin: .5em 0 0; color: var(--muted); font-size: .88em; line-height: 1.9; }
.content .api-constraints > span { margin-inline-end: .9em; white-space: nowrap; }
.content .api-constraints code { white-space: normal; }
.content .field-body > p { margin-bottom: .5em; }
.content .api-type { margin: .6em 0; }
.content .api-content-type { margin: .9em 0 .6em; font-size: .9em; }
.content .api-content-type + .field { border-top: 0; padding-top: .4em; }
.content .api-fields { margin: .8em 0 .3em; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .api-fields > summary { padding: .45em .9em; color: var(--muted); font-size: .88em; font-weight: 550; cursor: pointer; }
.content .api-fields > summary:hover { color: var(--text-strong, var(--text)); }
.content .api-fields[open] > summary { border-bottom: 1px solid var(--border); }
.content .api-fields > .field { margin-inline: .9em; padding-block: .8em; }
.content .api-fields > .field:first-of-type { border-top: 0; }
.content .api-fields > :is(p, ul, ol, .api-variants, .api-fields) { margin-inline: .9em; }
.content .api-variants { margin-top: .9em; }
.content .api-variants-title { margin: 0 0 .3em; color: var(--muted); font-size: .88em; }
.content .api-variant { margin: .5em 0; padding: .45em .9em; border: 1px solid var(--border); border-radius: var(--radius, 10px); font-size: .88em; }
.content .api-response { margin: .7em 0; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .api-response-head { padding: .65em .9em; }
.content summary.api-response-head { cursor: pointer; }
.content .api-response-words { margin-inline-start: .5em; color: var(--text); font-size: .95em; }
.content .api-response-body { padding: 0 .9em .6em; border-top: 1px solid var(--border); }
.content .api-status { --status: var(--muted); padding: .12em .5em; border-radius: 5px; background: color-mix(in srgb, var(--status) 13%, transparent); color: var(--status); font: 650 .82em/1.5 var(--font-mono, monospace); }
.content .api-status[data-status="2"] { --status: light-dark(#0b6b45, #57d39b); }
.content .api-status[data-status="3"] { --status: light-dark(#1f55b5, #82b1ff); }
.content .api-status[data-status="4"] { --status: light-dark(#8a5300, #f0b45c); }
.content .api-status[data-status="5"] { --status: light-dark(#b3261e, #ff9c94); }
.content .api-samples { margin: 0 0 2em; min-width: 0; }
.content .api-samples-title { margin: 0 0 .5em; color: var(--text-strong, var(--text)); font-size: .88em; font-weight: 600; }
.content .api-samples .tabs { margin: 0 0 1.6em; padding-top: .35em; column-gap: .15em; }
.content .api-samples .tab-label { margin: 0; padding: .2em .6em; border: 0; border-radius: 6px; font-size: .8em; }
.content .api-samples .tab-input:checked + .tab-label { background: var(--accent-soft); }
.content .api-samples .code-group { padding-inline: .6em; }
.content .api-samples .code-group > .tab-panel { width: calc(100% + 1.2em); margin: .4em -.6em 0; }
.content .api-outline { display: flex; flex-wrap: wrap; gap: .2em 1.1em; margin: 0 0 1.4em; font-size: .88em; }
.content .api-outline a { color: var(--muted); text-decoration: none; }
.content .api-outline a:hover { color: var(--accent); }
.content .api-try { margin: 0 0 1.4em; border: 1px solid var(--border); border-radius: var(--radius, 10px); }
.content .api-try > summary { padding: .55em .9em; color: var(--accent); font-weight: 600; cursor: pointer; }
.content .api-try form { padding: 0 .9em .9em; }
.content .api-try fieldset { margin: .6em 0 0; padding: 0; border: 0; min-width: 0; }
.content .api-try legend { padding: 0; color: var(--text-strong, var(--text)); font-size: .88em; font-weight: 600; }
.content .api-try label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2em; margin: .5em 0; font: .86em var(--font-mono, monospace); color: var(--muted); }
.content .api-try label b { font-family: inherit; }
.content .api-try :is(input, select, textarea) { width: 100%; padding: .45em .6em; border: 1px solid var(--border-strong, var(--border)); border-radius: 7px; background: var(--background); color: var(--text); font: inherit; }
.content .api-try-send { display: flex; flex-wrap: wrap; align-items: center; gap: .5em 1em; margin: 1em 0 0; color: var(--muted); font-size: .85em; }
.content .api-try button { padding: .5em 1.4em; border: 0; border-radius: 7px; background: var(--accent); color: var(--on-accent, #fff); font: 600 .95rem/1.4 var(--font-body, sans-serif); cursor: pointer; }
.content .api-try button:disabled { opacity: .55; }
.content .api-try-status { margin: 1em 0 .5em; font: 600 .88em var(--font-mono, monospace); }
.content .api-try [data-answer] pre { max-height: 24rem; margin: 0; white-space: pre-wrap; }
.content .api-samples pre { max-height: 28rem; }
@media (min-width: 78rem) {
  .content:has(> .api-samples) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 27rem); column-gap: clamp(1.5rem, 3vw, 3.2rem); align-items: start; }
  .content > :is(.api-bar, .api-main) { grid-column: 1; }
  .content > .api-main { min-width: 0; }
  .content > .api-samples { grid-column: 2; grid-row: 1 / span 2; position: sticky; top: calc(var(--bars, var(--header-height, 0rem)) + 1.25rem); max-height: calc(100vh - var(--bars, var(--header-height, 0rem)) - 2.5rem); overflow-y: auto; scrollbar-width: thin; }
}
`;
