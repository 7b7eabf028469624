import type { Problem } from "#docs/problems.ts";
import { counted } from "#lib/counted.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { groupProblems, placeText, type ProblemGroup } from "./problem-groups.ts";
import type { ReportState } from "./kept-reports.ts";
import type { Report } from "./report.ts";

/** "2 errors, 1 warning", or "no problems" */
export function countsText({ errors, warnings }: Pick<Report, "errors" | "warnings">): string {
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "no problems" : parts.join(", ");
}

/** The state of a report in a few words. */
export function stateText(state: ReportState): string {
  if (state.kind === "ready") return countsText(state.report);
  if (state.kind === "failed") return "the report could not be made";
  return `${state.done} of ${counted(state.all, "page")} looked at`;
}

/**
 * Problems as a list: first those that many places have in common, then the rest in blocks per file. `hrefOf` returns
 * the address of a file in the repository, or null.
 */
export function problemList(problems: readonly Problem[], hrefOf: (path: string) => string | null = () => null): Html {
  const { groups, single } = groupProblems(problems);
  const files = Map.groupBy(single, ({ path }) => path);
  return html`${
    groups.length > 0 &&
    html`<h2 class="report-file">In many places</h2>
    <ul class="report-problems">${groups.map((group) => groupItem(group, hrefOf))}</ul>`
  }${[...files].map(([path, found]) => {
    const href = hrefOf(path);
    return html`<h2 class="report-file">${href === null ? html`<code>${path}</code>` : html`<a href="${href}"><code>${path}</code></a>`}</h2>
      <ul class="report-problems">${found.map(problemItem)}</ul>`;
  })}`;
}

function groupItem({ first, count, shown }: ProblemGroup<Problem>, hrefOf: (path: string) => string | null): Html {
  const { severity, message, code } = first;
  const places = shown.map((one) => {
    const href = hrefOf(one.path);
    const place = html`<code>${placeText(one)}</code>`;
    return html` ${href === null ? place : html`<a href="${href}">${place}</a>`}`;
  });
  const more = `and ${(count - shown.length).toLocaleString("en")} more`;
  return html`<li class="${severity}"><b>${severity}</b> ${message} <small>${code}</small> in ${counted(count, "place")}:${places} ${more}</li>`;
}

export function problemItem({ severity, line, column, message, code }: Problem): Html {
  const place = line === null ? "" : column === undefined ? `line ${line}` : `line ${line}:${column}`;
  return html`<li class="${severity}"><b>${severity}</b> ${place && html`<span>${place}</span>`} ${message} <small>${code}</small></li>`;
}

/** A whole report, or its progress. */
export function reportView(state: ReportState, hrefOf?: (path: string) => string | null): Html {
  if (state.kind === "failed") return html`<p>The report could not be made this time. Look again in a minute.</p>`;
  if (state.kind === "making") {
    return html`<p role="status">The docs are being looked through: ${stateText(state)} so far.</p>`;
  }
  const { report } = state;
  const { links, durationMs, leftOut, pages } = report;
  return html`<p class="report-summary">
      <strong>${countsText(report)}</strong> in ${counted(pages, "page")}. ${counted(links.checked, "link")} checked, ${links.broken} broken. It took ${(durationMs / 1_000).toFixed(1)} s.
    </p>
    ${problemList(report.problems, hrefOf)}
    ${leftOut > 0 && html`<p>${counted(leftOut, "more problem")} not listed.</p>`}`;
}

const MAX_ON_PAGE = 10;

/**
 * The notice above a page for its author: the state of the docs, and the problems of this page. `path` is the page's
 * file.
 */
export function authorNotice(state: ReportState, { path, href }: { path: string | null; href: string }): Html {
  const own = state.kind === "ready" && path !== null ? state.report.problems.filter((each) => each.path === path) : [];
  return html`<aside class="site-problems" id="site-problems" lang="en" dir="ltr" aria-label="Check of these docs">
    <p><strong>${state.kind === "making" ? "Checking" : "Check"}</strong>: ${stateText(state)}. <a href="${href}">All problems</a></p>
    ${own.length > 0 && html`<p>On this page:</p><ul class="report-problems">${own.slice(0, MAX_ON_PAGE).map(problemItem)}</ul>`}
    ${own.length > MAX_ON_PAGE && html`<p>And ${own.length - MAX_ON_PAGE} more.</p>`}
  </aside>`;
}
