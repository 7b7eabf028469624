import { type FailedFetch, failedFetchWords } from "#features/visitors/clients/failed-fetches.ts";
import type { KnownAddresses } from "#features/visitors/clients/verify-agent.ts";
import type { UnnamedProxy } from "#features/visitors/collect/unnamed-proxy.ts";
import type { PagedVisitors } from "#features/visitors/reports/counts.ts";
import { REPORTS } from "#features/visitors/reports/reports.ts";
import type { SearchReportRow } from "#features/visitors/searches/search-report.ts";
import type { SeriesRow } from "#features/visitors/reports/series.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { feedbackSections, type FeedbackSummary } from "./feedback-sections.ts";
import { reportCard, type ReportCard, shownNumber as number } from "./report-card.ts";
import { RANGES, type ShownRange } from "./shown-range.ts";
import { dayText } from "#features/visitors/day.ts";
import type { Counts } from "#features/visitors/reports/top-pages.ts";
import { barChart, daysPerBar, NARROW } from "#kit/pages/bar-chart.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

type Range = (typeof RANGES)[number];

/**
 * People and visitors over this many days in `bench/visitors/keys-and-people.ts`; docs/analytics/privacy.md has the
 * table.
 */
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
  range: ShownRange;
  /** The page whose visitors are shown; null for the whole site. */
  path: string | null;
  /** The totals of the same number of days before. */
  previous: Counts;
  /** How many visitor secrets the range was counted with. */
  epochs: number;
  /** The dates of the address lists that verify agents. */
  agentAddresses: readonly KnownAddresses[];
  /** The lists that cannot be fetched. */
  failedFetches: readonly FailedFetch[];
  unnamedProxy: UnnamedProxy | null;
  /** Script for docs that are hosted elsewhere. */
  snippet: string;
  /** Where another service publishes the site; null where Docent does. */
  externalSite: string | null;
  visitors: PagedVisitors;
  series: readonly SeriesRow[];
  searches: readonly SearchReportRow[];
  feedback: FeedbackSummary;
}

/** Visitors of a project: totals, days, pages, agents, surfaces, referrers, missing pages, and excluded views. */
export function analyticsPage(view: AnalyticsView): Html {
  const { place, range, visitors, series, path } = view;
  const analytics = `/${place.slug}/analytics`;
  const csv = (name: string) => `${analytics}/${name}.csv?${range.query}`;
  const section = (name: TableName, rows: ReportCard["rows"], more: Partial<ReportCard> = {}) =>
    reportCard({ csv: csv(name), ...REPORTS[name].table, rows, ...more });
  const perBar = daysPerBar(series.length);
  const bars = series.map((row) => ({ label: row.day, human: row.visitors.human, ai: row.visitors.ai }));
  return dashboardDocument({
    title: `Analytics · ${place.name}`,
    place,
    reader: "member",
    section: "analytics",
    body: html`<div class="heading"><h1>Analytics</h1>${rangeChoice(view)}</div>
      ${path !== null && pageFilter(view, path)}
      ${range.problem !== null && html`<p class="problem" role="alert">${range.problem}</p>`}
      ${proxyRemark(view.unnamedProxy)}
      <section class="card chart-card">
        ${totals(view)}
        <div class="chart-wide">${barChart(bars)}</div>
        <div class="chart-narrow">${barChart(bars, NARROW)}</div>
        <p class="legend">
          <span>People</span> <span class="ai">AI</span> by day (UTC)${perBar > 1 && html`, each bar the average of ${perBar} days`}
          ${series.length < range.days && html`, the last ${number(series.length)} days of the range`}
          ${path === null && html`<a href="${csv("days")}">CSV</a>`}
        </p>
      </section>
      <p class="muted note-line">
        Docent counts addresses with a browser, not people. ${distanceFromPeople(range.days)}
        ${view.epochs > 1 && html`<strong>The visitor secret changed ${view.epochs === 2 ? "" : `${view.epochs - 1} times `}in this range:</strong> readers who came before and after the change count twice.`}
        <a href="#what-a-visitor-is">How visitors are counted</a>
      </p>
      <div class="reports">
        ${reportCard({
          title: "Pages",
          csv: csv("pages"),
          columns: ["Page", "People", "AI", "All"],
          rows: visitors.visitors.map((row) => [row.path, row.human, row.ai, row.total]),
          bars: 3,
          hrefOf: (shown) => `${analytics}?${range.query}&page=${encodeURIComponent(shown)}`,
          current: path,
          isWide: path !== null,
        })}
        ${path === null && siteReports()}
      </div>
      <section class="block prose" id="what-a-visitor-is">
        <h2>How visitors are counted</h2>
        <p>
          A visitor is an address together with a browser or program, and each is counted once. An office behind one address counts as a few visitors,
          one phone on many addresses as several. In the simulation that comes with Docent, 2,018 people count as 1,959 visitors in a day,
          ${simulated(30)}, and ${simulated(365)}; 200 colleagues behind one address count as 6, and one phone on 20 addresses as 20.
          <a href="/reference/analytics/privacy">What is stored, and how it was simulated</a>
        </p>
        ${addressesNote(view.agentAddresses)} ${view.failedFetches.map(failedFetch)}
      </section>
      <details>
        <summary>Count visitors of docs that are hosted elsewhere</summary>
        <p>${
          view.externalSite === null
            ? html`Add their origin to the project's setting <code>analytics.allowedOrigins</code>, and this to their pages:`
            : html`Views from ${view.externalSite} are accepted. Add this to its pages; add the origins of further sites to the project's setting <code>analytics.allowedOrigins</code>:`
        }</p>
        <pre><code>${view.snippet}</code></pre>
      </details>`,
  });

  /** Reports that exist for the whole site only. */
  function siteReports(): Html {
    return html`${section("referrers", view.referrers.map(REPORTS.referrers.table.cells), { bars: 1 })}
      ${reportCard({
        title: "Searches",
        csv: csv("searches"),
        columns: ["Query", "Searches", "Found", "Opened", "Mostly this page"],
        rows: view.searches.map((row) => [
          row.searchQuery,
          row.hits,
          row.results,
          `${Math.round(row.ctr * 100)} %`,
          row.topClickedPage ?? "",
        ]),
        bars: 1,
        isWide: true,
      })}
      ${feedbackSections(view, view.feedback)}
      ${section("agents", view.agents.map(REPORTS.agents.table.cells), { isWide: true })}
      ${section("missing", view.missing.map(REPORTS.missing.table.cells), { bars: 1 })}
      ${section("surfaces", view.surfaces.map(REPORTS.surfaces.table.cells))}
      ${section("excluded", view.excluded.map(REPORTS.excluded.table.cells))}`;
  }
}

/** The page that is shown, with a link back to all pages. */
function pageFilter({ place, range }: AnalyticsView, path: string): Html {
  return html`<p class="page-filter">
    Visitors of <strong>${raw(visibleHtml(path))}</strong> ·
    <a href="${place.siteUrl.replace(/\/$/, "")}${encodeURI(path)}">Open page ↗</a> ·
    <a href="/${place.slug}/analytics?${range.query}">Whole site</a>
  </p>`;
}

/** Ranges that end today, and two fields for any other. */
function rangeChoice({ place, range, path }: AnalyticsView): Html {
  const address = `/${place.slug}/analytics`;
  const filter = path === null ? "" : `&page=${encodeURIComponent(path)}`;
  return html`<div class="range">
    <nav class="segments" aria-label="Range">
      ${RANGES.map((days) => html`<a href="${address}?days=${days}${filter}" ${days === range.preset ? raw('aria-current="page"') : ""}>${days} days</a>`)}
    </nav>
    <form class="inline" method="get" action="${address}">
      ${path !== null && html`<input type="hidden" name="page" value="${path}" />`}
      <input type="date" name="from" aria-label="First day" value="${dayText(range.from)}" required />
      <span aria-hidden="true">–</span>
      <input type="date" name="to" aria-label="Last day" value="${dayText(range.to - 1)}" required />
      <button class="button">Show</button>
    </form>
  </div>`;
}

/** The totals, each with its change from the same number of days before. */
function totals({ range, visitors, previous }: AnalyticsView): Html {
  const total = (name: string, kind: keyof Counts) => {
    const [value, before] = [visitors.totals[kind], previous[kind]];
    const percent = Math.round((value / before - 1) * 100);
    const title = `${number(before)} in the ${number(range.days)} days before`;
    const change =
      before > 0 &&
      html`<small title="${title}">${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${number(Math.abs(percent))} %</small>`;
    return html`<div><dt>${name}</dt><dd>${number(value)}${change}</dd></div>`;
  };
  return html`<dl class="totals">${total("People", "human")} ${total("AI", "ai")} ${total("All", "total")}</dl>`;
}

const simulated = (days: Range): Html => {
  const [people, visitors] = SIMULATED[days];
  return html`${number(people)} people count as ${number(visitors)} visitors in ${days} days`;
};

/** How visitors differ from people: the longer the range, the more addresses a person has had. */
function distanceFromPeople(shown: number): Html {
  const days = RANGES.findLast((range) => range <= shown) ?? RANGES[0];
  const [people, visitors] = SIMULATED[days];
  const percent = Math.round((visitors / people - 1) * 100);
  return html`In a simulation, ${simulated(days)} (+${number(percent)} %).
    ${days >= 90 && html`<strong>Over ${days} days, the number of visitors says little about the number of people.</strong> Compare days and weeks instead.`}`;
}

function addressesNote(lists: readonly KnownAddresses[]): Html {
  const dates = lists.map(({ date }) => date).toSorted();
  const [oldest, newest] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const old = lists.filter(({ isCurrent }) => !isCurrent).map(({ agent, date }) => `${agent} (${date})`);
  return html`<p class="muted">
    Docent verifies agents by the addresses that their operators published
    ${oldest === newest ? `on ${oldest}` : `between ${oldest} and ${newest}`}.
    ${
      old.length > 0 &&
      html`While a list is more than two weeks old, an agent at another address is unverified: an assistant still counts as AI, and is checked again when a
      newer list arrives. More than two weeks old: ${old.join(", ")}. <a href="/reference/analytics/counting#newer-addresses">Get newer lists</a>`
    }
  </p>`;
}

function failedFetch(failed: FailedFetch): Html {
  const { words, advice } = failedFetchWords(failed);
  return html`<p class="muted"><strong>${words.replace(/[.]?$/, ".")}</strong> ${advice}</p>`;
}

function proxyRemark(proxy: UnnamedProxy | null): Html | string {
  if (proxy === null) return "";
  const { address, namesReaders, trustedProxies } = proxy;
  const setting = html`<code>DOCENT_TRUSTED_PROXIES=${trustedProxies}</code>`;
  return html`<p class="remark" role="status">
    These numbers may be too low: many readers come from <code>${address}</code>, which looks like a proxy, and count as one visitor. If it is your
    proxy, ${namesReaders ? html`set ${setting}` : html`make it send <code>X-Forwarded-For</code>, set ${setting}`} and restart the server.
    Counts of the past do not change. <a href="/reference/operate/deployment#reverse-proxy">How to set up a reverse proxy</a>
  </p>`;
}
