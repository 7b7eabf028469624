/** The question at the end of a page, and the page that answers it. */
export const FEEDBACK_CSS = `
.site-feedback { margin: 1.6rem 0 0; padding: .9rem 1.1rem; border: 1px solid var(--border); border-radius: var(--radius); background: var(--surface); font-size: .92rem; }
.site-feedback p { margin: 0; }
.site-feedback-vote { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .6rem; }
.site-feedback-vote p { margin-right: auto; color: var(--text-strong); font-weight: 600; }
.site-feedback-vote span { display: flex; gap: .5rem; }
.site-feedback button { min-height: 2.25rem; min-width: 3.6rem; padding: 0 .8rem; border: 1px solid var(--border-strong); border-radius: 8px; background: var(--background); color: var(--text); font: 500 .9rem/1 var(--font-body); cursor: pointer; }
.site-feedback button:hover { border-color: var(--accent); color: var(--text-strong); }
.site-feedback button[aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.site-feedback-vote ~ .site-feedback-words { margin-top: .9rem; }
.site-message .site-feedback-words { padding-block: .3rem; }
.site-feedback-words label { display: block; margin-bottom: .35rem; color: var(--text-strong); font-weight: 600; }
.site-feedback-words textarea { display: block; width: 100%; min-height: 5.2rem; padding: .55rem .7rem; border: 1px solid var(--border-strong); border-radius: 8px; background: var(--background); color: var(--text-strong); font: 400 .95rem/1.5 var(--font-body); resize: vertical; }
.site-feedback-words div { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: .5rem 1rem; margin-top: .5rem; }
.site-feedback-words div p { flex: 1 1 14rem; color: var(--muted); font-size: .82rem; line-height: 1.45; }
.site-feedback-words [data-count] { display: block; font-variant-numeric: tabular-nums; }
.site-feedback-words button { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.site-feedback-words button:hover { border-color: transparent; color: var(--on-accent); filter: brightness(1.08); }
.site-feedback-status:not(:empty), .site-feedback[data-open] .site-feedback-status { min-height: 1.5em; margin-top: .6rem; color: var(--text); }
.site-feedback-status:focus { outline: none; }
@media print { .site-feedback { display: none; } }
`;
