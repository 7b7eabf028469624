import type { KnownAddresses } from "#features/visitors/clients/verify-agent.ts";
import type { UnnamedProxy } from "#features/visitors/collect/unnamed-proxy.ts";
import type { PagedVisitors } from "#features/visitors/reports/counts.ts";
import { REPORTS } from "#features/visitors/reports/reports.ts";
import type { SearchReportRow } from "#features/visitors/searches/search-report.ts";
import type { SeriesRow } from "#features/visitors/reports/series.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { feedbackSections, type FeedbackSummary } from "./feedback-sections.ts";
import { barChart, NARROW } from "#kit/pages/bar-chart.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";

/** Ranges that the page offers, by their days. */
export const RANGES = [7, 30, 90, 365] as const;

type Range = (typeof RANGES)[number];

/** People and visitors of so many days in `bench/visitors/keys-and-people.ts`; docs/analytics/privacy.md has the table. */
const SIMULATED: Record<Range, readonly [people: number, visitors: number]> = {
  7: [7_970, 8_486],
  30: [9_988, 22_275],
  90: [10_000, 54_318],
  365: [10_000, 203_853],
};

/** The reports that are tables of the page. */
type TableName = Exclude<keyof typeof REPORTS, "days">;
type ReportRows = { [Name in TableName]: Awaited<ReturnType<(typeof REPORTS)[Name]["read"]>> };

export interface AnalyticsView extends ReportRows {
  place: ShownProject;
  days: Range;
  /** How old the addresses are that agents are checked by. */
  agentAddresses: readonly KnownAddresses[];
  unnamedProxy: UnnamedProxy | null;
  /** Script for docs that are hosted elsewhere. */
  snippet: string;
  visitors: PagedVisitors;
  series: readonly SeriesRow[];
  searches: readonly SearchReportRow[];
  feedback: FeedbackSummary;
}

const MAX_ROWS = 50;
const number = (value: number) => value.toLocaleString("en");

/** Visitors of a project: totals, days, pages, agents, surfaces, referrers, missing pages, what was not counted. */
export function analyticsPage(view: AnalyticsView): Html {
  const { place, days, visitors, series } = view;
  const { totals } = visitors;
  const choice = (range: number) =>
    html`<a href="/${place.slug}/analytics?days=${range}" ${range === days ? raw('aria-current="page"') : ""}>${range} days</a>`;
  const total = (name: string, value: number) =>
    html`<div class="card"><dt>${name}</dt><dd>${number(value)}</dd></div>`;
  const section = (name: TableName, rows: Report["rows"]) => report(view, { name, ...REPORTS[name].table, rows });
  const bars = series.map((row) => ({ label: row.day, human: row.visitors.human, ai: row.visitors.ai }));
  return dashboardDocument({
    title: `Visitors · ${place.name}`,
    place,
    reader: "member",
    section: "analytics",
    body: html`<div class="heading"><h1>Visitors</h1></div>
      <nav class="tabs" aria-label="Range">${RANGES.map(choice)}</nav>
      <dl class="totals">
        ${total("People", totals.human)} ${total("AI", totals.ai)} ${total("All, each once", totals.total)}
      </dl>
      ${proxyRemark(view.unnamedProxy)}
      <p class="muted">
        A visitor is an address with a browser, not a person: an office behind one address is a few visitors, one phone on many addresses is several.
        ${distanceFromPeople(days)} <a href="#what-a-visitor-is">How far off that is</a>
      </p>
      <div class="chart-wide">${barChart(bars)}</div>
      <div class="chart-narrow">${barChart(bars, NARROW)}</div>
      <p class="legend"><span>People</span> <span class="ai">AI</span> by UTC day · <a href="/${place.slug}/analytics/days.csv?days=${days}">CSV</a></p>
      ${report(view, { name: "pages", title: "Pages", columns: ["Page", "People", "AI", "All"], rows: visitors.visitors.map((row) => [row.path, row.human, row.ai, row.total]) })}
      ${section("agents", view.agents.map(REPORTS.agents.table.cells))}
      ${addressesNote(view.agentAddresses)}
      ${section("surfaces", view.surfaces.map(REPORTS.surfaces.table.cells))}
      ${section("referrers", view.referrers.map(REPORTS.referrers.table.cells))}
      ${report(view, {
        name: "searches",
        title: "What readers searched for",
        columns: ["Query", "Searches", "Found", "Opened", "Mostly this page"],
        rows: view.searches.map((row) => [
          row.searchQuery,
          row.hits,
          row.results,
          `${Math.round(row.ctr * 100)} %`,
          row.topClickedPage ?? "",
        ]),
      })}
      ${feedbackSections(view, view.feedback)}
      ${section("missing", view.missing.map(REPORTS.missing.table.cells))}
      ${section("excluded", view.excluded.map(REPORTS.excluded.table.cells))}
      <section class="report" id="what-a-visitor-is">
        <h2>What a visitor is</h2>
        <p>
          The counts are exact counts of keys, each made of an address and a browser or program. In the simulation that comes with Docent,
          2,018 people of one day are 1,959 visitors, ${simulated(30)}, and ${simulated(365)}; 200 colleagues behind one address are 6, and one phone on
          20 addresses is 20. <code>docs/analytics/privacy.md</code> says how that was simulated, and what else a key is.
        </p>
      </section>
      <details>
        <summary>Count docs that are hosted elsewhere</summary>
        <p>Add their origin to the project's setting <code>analytics.allowedOrigins</code>, and this to their pages:</p>
        <pre><code>${view.snippet}</code></pre>
      </details>`,
  });
}

const simulated = (days: Range): Html => {
  const [people, visitors] = SIMULATED[days];
  return html`${number(people)} people of ${days} days are ${number(visitors)} visitors`;
};

/** How far visitors are from people: the longer the range, the more addresses a person has had. */
function distanceFromPeople(days: Range): Html {
  const [people, visitors] = SIMULATED[days];
  const percent = Math.round((visitors / people - 1) * 100);
  return html`In the simulation that comes with Docent ${simulated(days)} (+${number(percent)} %)${
    days >= 90
      ? html`: <strong>over ${days} days visitors are no measure of people.</strong> Trust days and weeks.`
      : "."
  }`;
}

function addressesNote(lists: readonly KnownAddresses[]): Html {
  const dates = lists.map(({ date }) => date).toSorted();
  const [oldest, newest] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const old = lists.filter(({ isCurrent }) => !isCurrent).map(({ agent, date }) => `${agent} (${date})`);
  return html`<p class="muted">
    Agents are checked by the addresses that their operators published on
    ${oldest === newest ? oldest : `days between ${oldest} and ${newest}`}.
    ${
      old.length > 0 &&
      html`From elsewhere an agent is unverified while its list is older than two weeks: an assistant counts as AI all the same, and is judged again when a
      newer list comes. Older are those of ${old.join(", ")}. <code>docs/analytics/counting.md</code> says how to get newer ones.`
    }
  </p>`;
}

function proxyRemark(proxy: UnnamedProxy | null): Html | string {
  if (proxy === null) return "";
  const { address, namesReaders, trustedProxies } = proxy;
  const setting = html`<code>DOCENT_TRUSTED_PROXIES=${trustedProxies}</code>`;
  return html`<p class="remark" role="status">
    These numbers may be too low: many readers come from <code>${address}</code>, which looks like a proxy, and count as one visitor. If it is your
    proxy, whoever runs the server ${namesReaders ? html`sets ${setting}` : html`makes it send <code>X-Forwarded-For</code>, sets ${setting}`} and
    restarts it. <code>docs/operate/deployment.md</code> says how, under “Reverse proxy”. What was counted so far stays as it is.
  </p>`;
}

interface Report {
  /** Of its CSV. */
  name: string;
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A number, or a share as "67 %". */
function isNumeric(cell: string | number | undefined): boolean {
  return typeof cell === "number" || /^\d{1,3} %$/.test(cell ?? "");
}

function report({ place, days }: AnalyticsView, { name, title, columns, rows }: Report): Html {
  const isCount = (column: number) => isNumeric(rows[0]?.[column]);
  return html`<section class="report">
    <h2>${title} <a href="/${place.slug}/analytics/${name}.csv?days=${days}">CSV</a></h2>
    ${
      rows.length === 0
        ? html`<p class="muted">Nothing in this range.</p>`
        : html`<table class="figures ${columns.length > 4 ? "many" : ""}">
            <thead>
              <tr>
                ${columns.map((column, index) => html`<th scope="col" class="${isCount(index) ? "count" : ""}">${column}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${rows.slice(0, MAX_ROWS).map(
                (row) =>
                  html`<tr>
                    ${row.map((cell, index) => (isNumeric(cell) ? html`<td class="count" data-label="${columns[index]}">${typeof cell === "number" ? number(cell) : cell}</td>` : html`<td>${cell}</td>`))}
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${rows.length > MAX_ROWS ? html`<p class="muted">${number(rows.length - MAX_ROWS)} more are in the CSV.</p>` : ""}
  </section>`;
}
