export const FORMS_CSS = `
.form { display: grid; gap: .9rem; }
.form label, .field { display: grid; gap: .3rem; font-weight: 600; color: var(--text-strong); margin: 0; }
.form small, .hint { font-weight: 400; color: var(--muted); font-size: .9em; }
.form > p { margin: 0; }
.form input[type=file] { padding: .35rem .5rem; }
.form ::file-selector-button { font: inherit; font-size: .9em; font-weight: 600; color: var(--text); background: var(--surface-strong); border: 0; border-radius: 6px; padding: .25rem .7rem; margin: 0 .7rem 0 0; cursor: pointer; }
.form .row { display: flex; flex-wrap: wrap; gap: .9rem 1rem; align-items: end; }
.form .row > label { flex: 1 1 14rem; }
.form .row > .narrow { flex: 0 1 11rem; }
.form .row > .medium { flex: 0 1 16rem; }
.form .row > .choice { flex: 1 1 11rem; }
.form .row > .short { flex: 0 1 7rem; }
.form .send { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .6rem 1rem; }
.form .send .button { margin-left: auto; }
.form :is(input:not([type=hidden]), textarea, select) { font: inherit; font-weight: 400; color: var(--text); background: var(--background); border: 1px solid var(--border-strong); border-radius: 8px; padding: .5rem .7rem; width: 100%; min-width: 0; }
.form .row :is(input, select, .button) { height: 2.6rem; }
.form input[type=checkbox]:not([hidden]) { width: 1rem; height: 1rem; margin: 0 .4rem 0 0; vertical-align: -.12em; accent-color: var(--accent); }
.form textarea { resize: vertical; min-height: 5.2rem; line-height: 1.5; field-sizing: content; max-height: 28rem; }
.form ::placeholder { color: var(--muted); opacity: .8; }
.form :is(input, textarea, select):focus-visible { outline-offset: -1px; border-radius: 8px; }
.button.danger { color: var(--bad); border-color: color-mix(in srgb, var(--bad) 45%, var(--border)); }
.button.danger:hover { background: color-mix(in srgb, var(--bad) 9%, transparent); }
.button.primary.danger { color: light-dark(#fff, #101518); background: var(--bad); }
.panel { border: 1px solid var(--border); border-radius: var(--radius); padding: 1.1rem 1.2rem; box-shadow: var(--shadow); }
.panel > h2, .block > h2 { font-size: 1.05rem; margin: 0 0 .8rem; }
.block { margin: 2.2rem 0 0; }
.block-head { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0 0 .3rem; }
.block-head h2 { font-size: 1.05rem; margin: 0; }
.block-head a { font-size: .93em; }
.copyable { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .4rem; min-width: 0; max-width: 100%; }
.copyable code { user-select: all; min-width: 0; }
.copy { font: inherit; font-size: .82em; font-weight: 600; color: var(--muted); background: var(--background); border: 1px solid var(--border-strong); border-radius: 6px; padding: .08rem .5rem; cursor: pointer; }
.copy:hover { color: var(--text); }
[hidden] { display: none !important; }

.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .45rem 1.2rem; margin: 0; }
.facts dt { color: var(--muted); }
.quotas { display: grid; gap: .8rem; margin: 0 0 1.2rem; }
.facts + .quotas { margin: 1.2rem 0 0; }
.quotas > div { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem 1rem; }
.quotas dt { color: var(--muted); }
.quotas dd { margin: 0; font-variant-numeric: tabular-nums; }
.quotas progress { grid-column: 1 / -1; appearance: none; width: 100%; height: .4rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--surface-strong); }
.quotas progress::-webkit-progress-bar { background: var(--surface-strong); }
.quotas progress::-webkit-progress-value { background: var(--accent); }
.quotas progress::-moz-progress-bar { background: var(--accent); }
.quotas .full progress::-webkit-progress-value { background: var(--bad); }
.quotas .full progress::-moz-progress-bar { background: var(--bad); }
.quotas .full dd { color: var(--bad); font-weight: 600; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.facts .trouble { color: var(--bad); }
.facts .wide { grid-column: 1 / -1; }
.facts dt.wide { margin-bottom: -.3rem; }
.panel + .panel { margin-top: 1rem; }
.heading + .panel { margin-top: 1rem; }

.keys { width: 100%; border-collapse: collapse; }
.keys th { text-align: left; color: var(--muted); font-weight: 500; font-size: .9em; }
.keys th:last-child { text-align: right; }
.keys th, .keys td { padding: .6rem .7rem .6rem 0; border-bottom: 1px solid var(--border); vertical-align: baseline; }
.keys td:first-child { overflow-wrap: anywhere; color: var(--text-strong); font-weight: 600; }
.keys td:last-child { text-align: right; padding-right: 0; white-space: nowrap; }
.keys tr.over td { color: var(--muted); font-weight: 400; }
.badge { display: inline-block; font-size: .8em; font-weight: 600; border-radius: 99px; padding: .05em .6em; background: var(--surface-strong); color: var(--muted); white-space: nowrap; }
.badge.here { background: var(--accent-soft); color: var(--accent); }
.new-key { --tone: var(--good); border: 1px solid color-mix(in srgb, var(--tone) 50%, var(--border)); background: color-mix(in srgb, var(--tone) 6%, var(--background)); border-radius: var(--radius); padding: 1.1rem 1.2rem; }
.form.panel > p { margin: 0; }
.panel > p:last-child { margin-bottom: 0; }
.rename { display: flex; align-items: center; gap: .4rem; }
.rename input { min-width: 6rem; flex: 0 1 18rem; font: inherit; color: inherit; padding: .3rem .55rem; border: 1px solid var(--border-strong); border-radius: 8px; background: transparent; }
.rename button { white-space: nowrap; }
.qr { width: 13rem; border-radius: 8px; overflow: hidden; }
.qr svg { display: block; width: 100%; height: auto; }
.new-key h2 { font-size: 1.05rem; margin: 0 0 .3rem; }
.new-key p { margin: .3rem 0; }
.new-key .copyable { margin-top: .5rem; }
.new-key .copyable + form { margin-top: .8rem; }
.new-key .copyable code { font-size: 1.02em; background: var(--background); border: 1px solid var(--border); padding: .4rem .6rem; }
.usage { margin: 0; font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.facts.stacked { grid-template-columns: minmax(0, 1fr); }
.facts.stacked dt { margin-bottom: -.35rem; }
.lead { max-width: 46rem; margin: .2rem 0 1.4rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.2rem; align-items: start; }
.connection .block-head { align-items: center; margin-bottom: .9rem; }
.origins { display: grid; grid-template-columns: minmax(12rem, 17rem) minmax(0, 1fr); gap: 1.6rem; align-items: start; }
.origins nav { display: grid; gap: .5rem; }
.origins nav a { display: grid; align-content: start; padding: .7rem .9rem; border: 1px solid var(--border); border-radius: var(--radius); color: var(--text); }
.origins nav a:hover { border-color: var(--border-strong); background: var(--surface); text-decoration: none; }
.origins nav a[aria-current] { border-color: var(--accent); background: var(--accent-soft); }
.origins nav b { color: var(--text-strong); font-weight: 600; }
.origins nav small { color: var(--muted); }
.origins h3 { font-size: .95rem; margin: .6rem 0 .2rem; }
.form details > summary { cursor: pointer; color: var(--muted); font-size: .93em; }
.form details > :not(summary) { margin-top: .7rem; }
@media (max-width: 52rem) {
  .origins { grid-template-columns: minmax(0, 1fr); }
  .origins nav { grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
}
.narrow-page { max-width: 34rem; margin: 6vh auto 0; }
.narrow-page h1 { font-size: 1.5rem; margin: 0 0 .4rem; }
.pair > .panel { margin: 0; }
.narrow-page .panel { margin: 1.2rem 0; }
.inline { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0; }
.inline :is(select, input) { font: inherit; color: var(--text); background: var(--background); border: 1px solid var(--border-strong); border-radius: 8px; padding: .3rem .55rem; }
.inline .button { padding: .3rem .7rem; }
.form:has(option[value=password]:not(:checked)) .for-password { display: none; }
.inline.search { margin: 0 0 .6rem; }
.inline.search input { width: min(100%, 22rem); }
.inline.search input[type=date] { width: auto; }
.keys td form { margin: 0; }
.keys td:last-child .inline { justify-content: flex-end; }
.connection form, .panel dd form { margin: 0; }
.lamp { display: inline-block; width: .65em; height: .65em; border-radius: 50%; background: var(--muted); margin-right: .25em; }
.lamp.good { background: var(--good); }
.lamp.bad { background: var(--bad); }
.lamp.wait { background: var(--warn); }
.done-note { border: 1px solid color-mix(in srgb, var(--good) 45%, transparent); background: color-mix(in srgb, var(--good) 9%, transparent); border-radius: var(--radius); padding: .7rem 1rem; }
.archived-note { border: 1px solid color-mix(in srgb, var(--warn) 45%, transparent); background: color-mix(in srgb, var(--warn) 9%, transparent); border-radius: var(--radius); padding: .7rem 1rem; margin: 0 0 1.4rem; }
.offers { list-style: none; margin: 0; padding: 0; }
.offers li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .55rem 0; border-top: 1px solid var(--border); }
.offers li > * { min-width: 0; overflow-wrap: anywhere; }
.offers li > div:first-child { flex: 1 1 12rem; }
.form .send .button + .button { margin-left: 0; }
.offers p { margin: .15rem 0 0; }
.offers .trouble { color: var(--bad); }
form + .offers { margin-top: 1rem; }
.panel .actions { margin: .6rem 0 0; }
.remark { border-left: 3px solid var(--warn); padding: .1rem 0 .1rem .8rem; }
.progress { display: flex; align-items: center; gap: .7rem; font-weight: 600; color: var(--text-strong); }
.pulse { width: .7rem; height: .7rem; border-radius: 50%; background: var(--accent); }
.working { font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) { .pulse, .working { animation: pulse 1.2s ease-in-out infinite alternate; } }
@keyframes pulse { from { opacity: .25; } to { opacity: 1; } }
.confirm { max-width: 38rem; margin: 8vh auto; }
.confirm .actions { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.2rem 0 0; }
@media (max-width: 44rem) {
  .panel .facts { grid-template-columns: minmax(0, 1fr); }
  .panel .facts dt { margin-bottom: -.3rem; }
  .keys thead { display: none; }
  .keys, .keys tbody { display: block; }
  .keys tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .1rem .8rem; padding: .7rem 0; border-bottom: 1px solid var(--border); }
  .keys td { padding: 0; border: 0; }
  .keys td[data-label]::before { content: attr(data-label) " "; color: var(--muted); }
  .keys td[data-label] { grid-column: 1 / -1; font-size: .93em; }
  .keys td:last-child { grid-row: 1; grid-column: 2; }
}
`;
