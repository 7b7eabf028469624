export const ANALYTICS_CSS = `
.totals { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; margin: 0; padding: 0; }
.totals .card { padding: .8rem 1rem; }
.totals dt { color: var(--muted); font-size: .9em; }
.totals dd { margin: .1rem 0 0; font-size: 1.8rem; font-weight: 650; letter-spacing: -.02em; color: var(--text-strong); font-variant-numeric: tabular-nums; }
.totals small { margin-left: .5rem; font-size: .85rem; font-weight: 500; letter-spacing: 0; color: var(--muted); white-space: nowrap; }
.chart-card { padding: 1rem 1.2rem .9rem; margin: 0 0 .8rem; }
.chart-card .chart { margin-bottom: .4rem; }
.heading + .chart-card { margin-top: 1rem; }
.page-filter { margin: 1rem 0 .8rem; overflow-wrap: anywhere; }
.range { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .8rem; }
.segments { display: inline-flex; border: 1px solid var(--border-strong); border-radius: 8px; overflow: hidden; }
.segments a { padding: .32rem .75rem; color: var(--muted); border-left: 1px solid var(--border); white-space: nowrap; }
.segments a:first-child { border-left: 0; }
.segments a:hover { background: var(--surface); text-decoration: none; }
.segments a[aria-current] { color: var(--text-strong); background: var(--surface-strong); font-weight: 600; }
.chart .hit { fill: transparent; }
.chart g:hover .hit { fill: var(--surface-strong); }
.chart { display: block; width: 100%; height: auto; margin: .5rem 0 1.5rem; }
.chart .human { fill: var(--accent); }
.chart .ai { fill: var(--done); }
.chart .grid { stroke: var(--border); stroke-width: 1; }
.chart .mark { fill: var(--muted); font-size: 12px; }
.legend { display: flex; gap: 1.2rem; color: var(--muted); font-size: .9em; margin: 0; }
.legend span::before { content: ""; display: inline-block; width: .75em; height: .75em; border-radius: 3px; margin-right: .4em; background: var(--accent); }
.legend .ai::before { background: var(--done); }
.figures { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.figures th { text-align: left; color: var(--muted); font-weight: 500; font-size: .9em; }
.figures th, .figures td { padding: .45rem .6rem; border-bottom: 1px solid var(--border); overflow-wrap: anywhere; }
.figures .count { text-align: right; white-space: nowrap; width: 4.6rem; }
.reports { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin: 1.2rem 0 0; }
.report { padding: .9rem 1.1rem 1rem; min-width: 0; overflow-x: auto; }
.report.wide { grid-column: 1 / -1; }
.report > :last-child { margin-bottom: 0; }
.report h2 { font-size: 1.02rem; margin: 0 0 .4rem; display: flex; justify-content: space-between; align-items: baseline; }
.report summary { margin-top: .5rem; color: var(--muted); font-size: .92em; cursor: pointer; }
.figures .name { position: relative; }
.figures .name svg { position: absolute; inset: 3px auto 3px 0; width: 100%; height: calc(100% - 6px); border-radius: 5px; }
.figures .name rect { fill: var(--accent-soft); }
.figures .name span { position: relative; }
.figures .name a { color: inherit; }
.figures .name a[aria-current] { font-weight: 600; color: var(--text); text-decoration: none; }
.figures tr:last-child td { border-bottom: 0; }
.chart-narrow { display: none; }
@media (max-width: 40rem) {
  .chart-wide { display: none; }
  .chart-narrow { display: block; }
  .totals { gap: .5rem; }
  .totals dd { font-size: 1.3rem; }
  .totals small { display: block; margin: 0; }
  .reports { grid-template-columns: minmax(0, 1fr); }
  .range .inline { width: 100%; }
  .figures th, .figures td { padding: .45rem .35rem; }
  .figures .count { width: 4.2rem; white-space: normal; }
  .figures.many, .figures.many tbody { display: block; }
  .figures.many thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .figures.many tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: .55rem 0; border-bottom: 1px solid var(--border); }
  .figures.many td { padding: 0; border: 0; color: var(--muted); }
  .figures.many td:first-child { flex: 1 0 100%; color: var(--text-strong); font-weight: 600; }
  .figures.many .count { width: auto; white-space: nowrap; text-align: left; color: var(--text); }
  .figures.many .count::before { content: attr(data-label) " "; color: var(--muted); }
}
.helpful .share { width: 7.5rem; white-space: nowrap; }
.helpful .count { width: 3rem; }
.helpful svg { width: 3.2rem; height: .55rem; margin-right: .5rem; border-radius: 99px; vertical-align: middle; }
.helpful .yes { fill: var(--accent); }
.helpful .no { fill: var(--border-strong); }
.words { margin: .6rem 0; padding: 0; list-style: none; }
.words > li { padding: .8rem 0; border-bottom: 1px solid var(--border); }
.words .meta { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .7rem; margin: 0; color: var(--muted); font-size: .9em; }
.words .meta b { color: var(--text-strong); overflow-wrap: anywhere; }
.words .good { color: var(--accent); }
.words .bad { color: var(--bad); }
.words blockquote { margin: .35rem 0 0; padding: 0; overflow-wrap: anywhere; }
.words form { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .55rem; }
.words select { padding: .3rem .5rem; border: 1px solid var(--border-strong); border-radius: 8px; background: var(--background); color: var(--text); font: inherit; font-size: .9em; }
.report h2 a { font-size: .85rem; font-weight: 500; }
`;
