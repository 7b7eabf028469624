export const PULL_REQUEST_CSS = `
.heading h1 { font-size: clamp(1.45rem, 2.6vw, 1.9rem); font-weight: 650; letter-spacing: -.015em; margin: 0 0 .6rem; overflow-wrap: anywhere; }
.heading p { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .65rem; margin: 0; color: var(--muted); }
.heading:has(> .button) { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; }
.heading:has(> .button) h1 { margin: 0; }
.review-lead { max-width: 52rem; margin-top: .7rem; }
.heading .review-lead p { display: block; color: var(--text); overflow-wrap: anywhere; }
.heading .review-lead .muted { color: var(--muted); font-size: .93em; }
.heading b { color: var(--text); font-weight: 600; }
.state { display: inline-flex; align-items: center; gap: .35rem; border-radius: 99px; padding: .2rem .75rem .2rem .6rem; font-weight: 600; font-size: .92em; text-transform: capitalize; color: light-dark(#fff, #101518); background: var(--muted); }
.state.open { background: var(--good); }
.state.merged { background: var(--done); }
.state.closed { background: var(--bad); }

.tabs { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.4rem; margin: 1.5rem 0 1.6rem; border-bottom: 1px solid var(--border); }
.tabs a { color: var(--muted); padding: .5rem .1rem .6rem; margin-bottom: -1px; border-bottom: 2px solid transparent; font-weight: 500; }
.tabs a:hover { color: var(--text); text-decoration: none; border-color: var(--border-strong); }
.tabs a[aria-current] { color: var(--text-strong); border-color: var(--accent); font-weight: 600; }
.tabs .count { font-size: .82em; background: var(--surface-strong); border-radius: 99px; padding: .08em .55em; margin-left: .25rem; font-weight: 500; }
.tabs .counts { margin-left: auto; }

.counts { font: 600 .84em var(--font-mono); white-space: nowrap; color: var(--muted); }
.plus { color: var(--good); }
.minus { color: var(--bad); }

.columns { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 1.5rem 2.25rem; align-items: start; }
aside { font-size: .93em; display: grid; gap: 1.4rem; }
aside h2 { font-size: .82rem; font-weight: 600; color: var(--muted); margin: 0 0 .5rem; }
aside p { margin: 0; }
aside .button { justify-content: center; }
.columns.review .files { margin-top: 0; }
aside .findings summary { cursor: pointer; }
aside .findings ul { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .5rem; overflow-wrap: anywhere; }
aside .review-facts { margin-top: .7rem; }
.command { margin: 0; font-size: .78em; white-space: pre-wrap; overflow-wrap: anywhere; }
.file-list { list-style: none; margin: 0; padding: 0; display: grid; }
.file-list li { display: flex; gap: .6rem; justify-content: space-between; align-items: baseline; }
.file-list a { color: var(--text); overflow-wrap: anywhere; padding: .2rem 0; }
.more-files summary { padding: .3rem 0; color: var(--muted); cursor: pointer; }
.file-list .old-name { color: var(--muted); text-decoration: line-through; }

.card-head { font-weight: 400; line-height: inherit; margin: 0; padding: .6rem 1.1rem; border-bottom: 1px solid var(--border); background: var(--surface); border-radius: var(--radius) var(--radius) 0 0; color: var(--muted); font-size: .93em; }
.card-head b { color: var(--text); }
.prose { padding: .35rem 1.1rem .5rem; overflow-wrap: anywhere; }
.prose h3 { font-size: 1.18em; margin: 1.3rem 0 .5rem; }
.prose h4, .prose h5, .prose h6 { font-size: 1em; margin: 1.1rem 0 .4rem; }
.prose p, .prose ul, .prose ol, .prose pre, .prose blockquote { margin: .7rem 0; }
.prose ul, .prose ol { padding-left: 1.5rem; }
.prose li p { margin: .25rem 0; }
.prose .task { list-style: none; margin-left: -1.35rem; }
.prose .task > p { display: inline; }
.prose .task input { margin: 0 .45rem 0 0; }
.prose blockquote { border-left: 3px solid var(--border-strong); padding-left: .9rem; margin-left: 0; color: var(--muted); }
.prose hr { border: 0; border-top: 1px solid var(--border); margin: 1.3rem 0; }
.prose .table { overflow-x: auto; }
.prose table { border-collapse: collapse; font-size: .95em; }
.prose th, .prose td { border: 1px solid var(--border); padding: .35rem .7rem; text-align: left; vertical-align: top; }
.prose th { background: var(--surface); font-weight: 600; white-space: nowrap; }
.prose .html { opacity: .75; }
.prose sub { font-size: .86em; vertical-align: baseline; color: var(--muted); }
.prose .plain { white-space: pre-wrap; border: 0; background: none; padding: 0; font: inherit; }

.timeline { list-style: none; margin: 0; padding: .9rem 0; position: relative; }
.timeline::before { content: ""; position: absolute; left: 1.45rem; top: 0; bottom: 0; border-left: 2px solid var(--border); }
.timeline li { position: relative; display: flex; gap: .8rem; align-items: baseline; padding: .3rem 0 .3rem 2.75rem; }
.timeline li::before { content: ""; position: absolute; left: 1.08rem; top: .82rem; width: .52rem; height: .52rem; border-radius: 50%; background: var(--background); border: 2px solid var(--muted); }
.timeline .subject { overflow-wrap: anywhere; }
.timeline code { margin-left: auto; white-space: nowrap; color: var(--muted); background: none; }

.merge-box { --tone: var(--muted); display: flex; gap: 1rem; margin-bottom: 1.3rem; border: 1px solid color-mix(in srgb, var(--tone) 50%, var(--border)); border-radius: var(--radius); padding: 1rem 1.1rem; background: color-mix(in srgb, var(--tone) 5%, var(--background)); }
.merge-box > .icon { color: var(--tone); width: 1.5rem; height: 1.5rem; margin-top: .05rem; }
.merge-box > div { min-width: 0; flex: 1; }
.merge-box h2 { font-size: 1.05rem; margin: 0 0 .25rem; }
.merge-box p { margin: 0; color: var(--muted); }
.merge-box ul { margin: .6rem 0 0; padding-left: 1.2rem; }
.merge-box.open, .pull-list .open { --tone: var(--good); }
.merge-box.merged, .pull-list .merged { --tone: var(--done); }
.merge-box.closed, .pull-list .closed { --tone: var(--bad); }
.merge-box.conflict { --tone: var(--warn); }
.merge-box .actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: .9rem; }
.merge-box form { margin: 0; }

.commits { list-style: none; margin: 0; padding: 0; display: grid; gap: .8rem; }
.commits li { padding: .8rem 1.1rem; }
.commits p { margin: 0; }
.commits .subject { display: flex; gap: 1rem; justify-content: space-between; overflow-wrap: anywhere; }
.commits .subject code { align-self: start; white-space: nowrap; background: none; color: var(--muted); }
.message { white-space: pre-wrap; font: inherit; border: 0; background: none; padding: 0; margin: .6rem 0 0; overflow-wrap: anywhere; }
.trailers { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .6rem 0 0; font-size: .86em; color: var(--muted); }
.trailers div { display: flex; gap: .4rem; }
.trailers dt::after { content: ":"; }
.trailers dd { margin: 0; overflow-wrap: anywhere; }

.pull-list { list-style: none; margin: 0; padding: 0; }
.pull-list li { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .7rem; padding: .75rem .2rem; border-bottom: 1px solid var(--border); }
.pull-list li > span:first-child { color: var(--tone, var(--muted)); }
.pull-list a { color: var(--text-strong); overflow-wrap: anywhere; }
.pull-list .muted { margin-left: auto; font-size: .92em; }

@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .tabs .counts { margin-left: 0; }
}
`;
