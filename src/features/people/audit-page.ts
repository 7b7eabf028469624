import { AUDIT_RETENTION_DAYS, type AuditEvent, type AuditFilter } from "#features/accounts/audit.ts";
import { dashboardDocument, type InstancePlace, type ShownProject, time } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

/** Of a project, or of the whole instance. */
export type AuditPlace = { place: ShownProject; instance: null } | { place: null; instance: InstancePlace };

export interface AuditPage {
  where: AuditPlace;
  /** Path of the page. */
  path: string;
  filter: AuditFilter;
  events: readonly (AuditEvent & { projectName: string | null })[];
  olderHref: string | null;
}

/** Who did what, newest first. */
export function auditPage(page: AuditPage): Html {
  const { where, path, filter } = page;
  const query = new URLSearchParams({ ...filter }).toString();
  return dashboardDocument({
    title: `Audit log · ${where.place?.name ?? "Docent"}`,
    place: where.place,
    ...(where.instance && { instance: where.instance }),
    reader: "member",
    ...(where.place && { section: "audit" }),
    body: html`<div class="heading"><h1>Audit log</h1></div>
      <p class="muted">
        Who changed what, on the dashboard, over HTTP and with git, in the last ${AUDIT_RETENTION_DAYS} days.
        Download it as <a href="${path}.csv?${query}">CSV</a> or <a href="${path}.json?${query}">JSON</a>.
      </p>
      <form class="inline search" method="get" action="${path}" role="search">
        <input name="actor" type="search" aria-label="Who" placeholder="Who" value="${filter.actor}" />
        <input name="action" type="search" aria-label="What" placeholder="What, e.g. members" value="${filter.action}" />
        <button class="button">Filter</button>
      </form>
      ${page.events.length === 0 ? html`<p class="muted">Nothing matches.</p>` : table(page)}
      ${page.olderHref !== null && html`<p><a href="${page.olderHref}" rel="next">Older</a></p>`}`,
  });
}

function table({ where, events }: AuditPage): Html {
  const columns = ["When", "Who", "What", ...(where.place ? [] : ["Project"]), "At", "From"];
  return html`<table class="keys">
    <thead>
      <tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
    </thead>
    <tbody>
      ${events.map(
        ({ at, actor, action, target, address, projectName }) =>
          html`<tr>
            <td>${time(at)}</td>
            <td data-label="Who">${raw(visibleHtml(actor.name))} ${actor.kind !== "person" && html`<span class="badge">${actor.kind}</span>`}</td>
            <td data-label="What">${action}</td>
            ${!where.place && html`<td data-label="Project">${raw(visibleHtml(projectName ?? ""))}</td>`}
            <td data-label="At"><code>${target}</code></td>
            <td data-label="From">${address}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
