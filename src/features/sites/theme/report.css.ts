/** The report of a site for its author, and the notice above pages. */
export const REPORT_CSS = `
.site-problems { padding: .5rem 1rem; border-bottom: 1px solid var(--border); background: var(--surface); color: var(--text); font-size: .88rem; line-height: 1.5; }
.site-problems p { margin: 0; text-align: center; }
.site-problems a { color: var(--accent); font-weight: 600; }
.site-problems .report-problems { max-width: 46rem; margin: .2rem auto; }
.report-file { margin: 1.6rem 0 .4rem; font-size: 1rem; overflow-wrap: anywhere; }
.report-problems { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.report-problems li { margin: .25rem 0; text-align: left; }
.report-problems .error b { color: light-dark(#b3261e, #ff9d94); }
.report-problems .warning b { color: light-dark(#7a5200, #e0b03f); }
.report-problems span, .report-problems small { color: var(--muted); }
`;
