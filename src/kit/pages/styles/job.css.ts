export const JOB_CSS = `
.job-active { color: var(--accent); }
.job-completed { color: var(--good); }
.job-failed { color: var(--bad); }
.job-archived { color: var(--muted); }
.state[class*="job-"] { color: light-dark(#fff, #101518); }
.state .icon { color: inherit; }
.state.job-active { background: var(--accent); }
.state.job-completed { background: var(--good); }
.state.job-failed { background: var(--bad); }
.state.job-archived { background: var(--muted); }
@media (prefers-reduced-motion: no-preference) {
  svg.job-active { animation: turn 1.2s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
}

.phases { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; margin: 1.1rem 0 0; padding: 0; max-width: 40rem; }
.phases li { flex: 1 1 5rem; border-top: 3px solid var(--border); padding-top: .35rem; font-size: .86em; color: var(--muted); }
.phases .done { border-color: var(--accent); }
.phases .current { border-color: var(--accent); color: var(--text-strong); font-weight: 600; }

.job-list { list-style: none; margin: 0; padding: 0; }
.job-list li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: baseline; gap: .2rem .7rem; padding: .75rem .2rem; border-bottom: 1px solid var(--border); }
.job-list a { color: var(--text-strong); overflow-wrap: anywhere; }
.job-list .muted { font-size: .92em; }
.job-list .word { text-transform: lowercase; }
.note-line { margin: 0; }

.columns.job { margin-top: 1.6rem; }
.columns.job > aside .button { width: 100%; }
.pull-box { display: grid; gap: .6rem; }
.pull-box p { margin: 0; }
.pull-box .open { color: var(--good); }
.pull-box .merged { color: var(--done); }
.pull-box .closed { color: var(--bad); }
.actions form { margin: 0; }
#facts .actions form + form { margin-top: .5rem; }
aside .facts { gap: .4rem .9rem; }

.images { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .5rem; }
.images > .problem { flex-basis: 100%; margin: 0; }
.form .images > .add-images { font-size: .93em; }
.images.enhanced > .add-images { display: inline-flex; padding: .28rem .75rem; border: 1px solid var(--border-strong); border-radius: 8px; background: var(--surface); cursor: pointer; }
.images.enhanced > .add-images:hover { background: var(--surface-strong); }
.images.enhanced > .add-images:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
.form .images.enhanced input { position: absolute; width: 1px; height: 1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); }
.images > ul { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .6rem; list-style: none; margin: .2rem 0 0; padding: 0; }
.images li { position: relative; }
.images li img { display: block; width: 6rem; height: 4.5rem; object-fit: cover; border: 1px solid var(--border); border-radius: 8px; }
.images li button { position: absolute; top: -.45rem; right: -.45rem; width: 1.5rem; height: 1.5rem; border: 1px solid var(--border-strong); border-radius: 50%; background: var(--background); color: var(--text); font: inherit; line-height: 1; cursor: pointer; }
.form.dropping { outline: 2px dashed var(--accent); outline-offset: 3px; }
.transcript .card > .shown-images { display: flex; flex-wrap: wrap; gap: .6rem; margin: 0; padding: 0 1.1rem 1rem; }
.shown-images img { display: block; max-width: min(16rem, 100%); max-height: 10rem; border: 1px solid var(--border); border-radius: 8px; }

.plain { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.answer { margin: -.8rem 0 1.4rem; padding-left: 2.75rem; }
.answer p { margin: 0 0 .3rem; }
/* Reversed, so that a long text shows its end. */
.answer .plain { display: flex; flex-direction: column-reverse; max-height: 12rem; overflow-y: auto; color: var(--muted); }
.transcript { list-style: none; margin: 0 0 1.4rem; padding: 0; position: relative; }
.transcript::before { content: ""; position: absolute; left: 1.45rem; top: 0; bottom: 0; border-left: 2px solid var(--border); }
.transcript > li { position: relative; padding: .32rem 0 .32rem 2.75rem; }
.transcript > li::before { content: ""; position: absolute; left: 1.08rem; top: .82rem; width: .52rem; height: .52rem; border-radius: 50%; background: var(--background); border: 2px solid var(--border-strong); }
.transcript > li > p { margin: 0; overflow-wrap: anywhere; }
.transcript > :is(.e-prompt, .e-summary, .e-failure) { padding: .7rem 0; }
.transcript > :is(.e-prompt, .e-summary, .e-failure)::before { content: none; }
.transcript > li:first-child { padding-top: 0; }
.transcript > li:last-child { padding-bottom: 0; }
.transcript .prose ul { list-style: disc; }
.transcript .prose ul ul { list-style: circle; }
.transcript .card { position: relative; }
.transcript .card > .plain { padding: .8rem 1.1rem; max-height: 26rem; overflow-y: auto; }
.transcript .card-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.transcript .outcome { border-color: color-mix(in srgb, var(--tone, var(--good)) 45%, var(--border)); }
.transcript .outcome .card-head { background: color-mix(in srgb, var(--tone, var(--good)) 8%, var(--background)); }
.transcript .bad { --tone: var(--bad); }
#trial[aria-busy="true"] { opacity: .45; }
.plan { margin: .25rem 0 0; padding: 0; list-style: none; display: grid; gap: .2rem; overflow-wrap: anywhere; }
.plan li { display: grid; grid-template-columns: 1.1rem minmax(0, 1fr); }
.plan .dropped { color: var(--muted); text-decoration: line-through; }
.transcript > .e-notice::before { border-color: var(--warn); }
.transcript > .e-commit::before, .transcript > .e-pullRequest::before { border-color: var(--accent); background: var(--accent); }
.transcript summary { cursor: pointer; overflow-wrap: anywhere; list-style: none; }
.transcript summary::-webkit-details-marker { display: none; }
.transcript summary::after { content: "›"; display: inline-block; margin-left: .5rem; color: var(--muted); transition: rotate .1s; }
.transcript details[open] > summary::after { rotate: 90deg; }
.transcript .tool b { display: inline-block; font-weight: 600; margin-right: .3rem; }
.transcript .tool b::first-letter { text-transform: uppercase; }
.transcript .tool .muted { font-size: .88em; margin-left: .3rem; }
.transcript .tool.failed .muted, .transcript .findings.failed > summary { color: var(--bad); }
.transcript > li:has(> .failed)::before { border-color: var(--bad); background: var(--bad); }
.transcript > li:has(> .ok)::before { border-color: var(--good); }
.transcript pre { max-height: 20rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.transcript details ul { margin: .4rem 0; padding-left: 0; list-style: none; display: grid; gap: .25rem; }
.badge.error { color: var(--bad); }
.badge.warning { color: var(--warn); }

.overview { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); gap: 0 2.25rem; align-items: start; }
.overview .block:first-child { margin-top: 1.6rem; }
.overview .job-list li { grid-template-columns: auto minmax(0, 1fr); }
.overview .job-list .muted { grid-column: 2; }
.overview .facts { grid-template-columns: minmax(0, 1fr); }
.overview .facts dt { margin-bottom: -.4rem; }
.overview .totals { margin: .6rem 0; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .7rem; }
.overview .totals div { padding: .7rem .9rem; }
.overview .totals dd { font-size: 1.4rem; }
@media (max-width: 60rem) {
  .overview { grid-template-columns: minmax(0, 1fr); row-gap: 1.6rem; }
}
@media (max-width: 44rem) {
  .phases { gap: .25rem; }
  .phases li { flex: 1 1 0; font-size: .78em; }
  .job-list li { grid-template-columns: auto minmax(0, 1fr); }
  .job-list .muted { grid-column: 2; }
  .transcript::before, .transcript > li::before { content: none; }
  .transcript > li, .transcript > li:is(.e-prompt, .e-summary, .e-failure) { padding-left: 0; }
}
`;
