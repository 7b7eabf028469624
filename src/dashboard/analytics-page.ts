import type { VisitorCounts } from "#analytics/counts.ts";
import type {
  AgentReportRow,
  ExcludedReportRow,
  MissingReportRow,
  ReferrerReportRow,
  SurfaceReportRow,
} from "#analytics/reports.ts";
import type { SeriesRow } from "#analytics/series.ts";
import { html, type Html, raw } from "#sites/theme/markup.ts";
import { barChart } from "./bar-chart.ts";
import { document, type Place } from "./document.ts";

/** Ranges that the page offers, by their days. */
export const RANGES = [7, 30, 90, 365] as const;

export interface AnalyticsView {
  place: Place;
  days: number;
  /** Script for docs that are hosted elsewhere. */
  snippet: string;
  visitors: VisitorCounts;
  series: readonly SeriesRow[];
  agents: readonly AgentReportRow[];
  surfaces: readonly SurfaceReportRow[];
  referrers: readonly ReferrerReportRow[];
  missing: readonly MissingReportRow[];
  excluded: readonly ExcludedReportRow[];
}

const MAX_ROWS = 50;
const number = (value: number) => value.toLocaleString("en");
const SURFACES = { html: "HTML", markdown: "Markdown", llms: "llms.txt" };
const CATEGORIES: Record<AgentReportRow["category"], string> = {
  assistant: "assistant",
  search: "search index",
  training: "training",
  other_bot: "robot",
  browser: "browser",
  http_client: "program",
};

/** Visitors of a project: totals, days, pages, agents, surfaces, referrers, missing pages, what was not counted. */
export function analyticsPage(view: AnalyticsView): Html {
  const { place, days, visitors, series } = view;
  const { totals } = visitors;
  const choice = (range: number) =>
    html`<a href="/${place.slug}/analytics?days=${range}" ${range === days ? raw('aria-current="page"') : ""}>${range} days</a>`;
  const total = (name: string, value: number) =>
    html`<div class="card"><dt>${name}</dt><dd>${number(value)}</dd></div>`;
  return document({
    title: `Visitors · ${place.name}`,
    place,
    reader: "member",
    section: "analytics",
    body: html`<div class="heading"><h1>Visitors</h1></div>
      <nav class="tabs" aria-label="Range">${RANGES.map(choice)}</nav>
      <dl class="totals">
        ${total("People", totals.human)} ${total("AI readers", totals.ai)} ${total("All, each once", totals.total)}
      </dl>
      ${barChart(series.map((row) => ({ label: row.day, human: row.visitors.human, ai: row.visitors.ai })))}
      <p class="legend"><span>People</span> <span class="ai">AI readers</span> by UTC day · <a href="/${place.slug}/analytics/days.csv?days=${days}">CSV</a></p>
      ${report(
        view,
        "pages",
        "Pages",
        ["Page", "Human", "AI", "Visitors"],
        visitors.visitors.map((row) => [row.path, row.human, row.ai, row.total]),
      )}
      ${report(
        view,
        "agents",
        "Agents",
        ["Agent", "Operator", "Kind", "Views", "Verified", "Spoofed"],
        view.agents.map((row) => [
          row.name,
          row.operator ?? "",
          CATEGORIES[row.category],
          row.human + row.ai + row.other,
          row.verified,
          row.spoofed,
        ]),
      )}
      ${report(
        view,
        "surfaces",
        "Surfaces",
        ["Surface", "Human views", "AI views"],
        view.surfaces.map((row) => [SURFACES[row.surface], row.human, row.ai]),
      )}
      ${report(
        view,
        "referrers",
        "Where readers came from",
        ["Site", "Human views", "AI views"],
        view.referrers.map((row) => [row.referrer ?? "(direct)", row.human, row.ai]),
      )}
      ${report(
        view,
        "missing",
        "Pages that AI readers looked for and did not find",
        ["Path", "AI", "Others"],
        view.missing.map((row) => [row.path, row.ai, row.other]),
      )}
      ${report(
        view,
        "excluded",
        "Not counted",
        ["Why", "Views"],
        view.excluded.map((row) => [row.explanation, row.views]),
      )}
      <details>
        <summary>Count docs that are hosted elsewhere</summary>
        <p>Add their origin to the project's setting <code>analytics.allowedOrigins</code>, and this to their pages:</p>
        <pre><code>${view.snippet}</code></pre>
      </details>`,
  });
}

function report(
  { place, days }: AnalyticsView,
  name: string,
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Html {
  const isCount = (column: number) => typeof rows[0]?.[column] === "number";
  return html`<section class="report">
    <h2>${title} <a href="/${place.slug}/analytics/${name}.csv?days=${days}">CSV</a></h2>
    ${
      rows.length === 0
        ? html`<p class="muted">Nothing in this range.</p>`
        : html`<table class="figures">
            <thead>
              <tr>
                ${columns.map((column, index) => html`<th scope="col" class="${isCount(index) ? "count" : ""}">${column}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${rows.slice(0, MAX_ROWS).map(
                (row) =>
                  html`<tr>
                    ${row.map((cell) => (typeof cell === "number" ? html`<td class="count">${number(cell)}</td>` : html`<td>${cell}</td>`))}
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${rows.length > MAX_ROWS ? html`<p class="muted">${number(rows.length - MAX_ROWS)} more are in the CSV.</p>` : ""}
  </section>`;
}
