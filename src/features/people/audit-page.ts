import type { EnteredFilter } from "./audit-filter.ts";
import type { AuditEvent } from "#features/accounts/audit.ts";
import { auditHref, AUDIT_KINDS, auditSentence } from "./audit-sentences.ts";
import { dashboardDocument, type InstancePlace, type ShownProject, time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { selectOptions } from "#kit/pages/post-form.ts";

/** Of a project, or of the whole instance. */
export type AuditPlace = { place: ShownProject; instance: null } | { place: null; instance: InstancePlace };

export interface AuditPage {
  where: AuditPlace;
  /** Path of the page. */
  path: string;
  filter: EnteredFilter;
  events: readonly (AuditEvent & { project: { slug: string; name: string } | null })[];
  olderHref: string | null;
  /** Retention period of entries. */
  keptDays: number;
}

/** Audit log, newest first. */
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
        Who changed what, on the dashboard, over HTTP and with git, in the last ${page.keptDays} days.
        Download it as <a href="${path}.csv?${query}">CSV</a> or <a href="${path}.json?${query}">JSON</a>.
      </p>
      <form class="inline search narrow" method="get" action="${path}" role="search">
        <input name="actor" type="search" aria-label="Who" placeholder="Who" value="${filter.actor}" />
        <select name="kind" aria-label="What">${selectOptions([["", "Everything"], ...AUDIT_KINDS], filter.kind)}</select>
        <label>From <input name="from" type="date" value="${filter.from}" /></label>
        <label>to <input name="to" type="date" value="${filter.to}" /></label>
        <button class="button">Filter</button>
      </form>
      ${page.events.length === 0 ? html`<p class="muted">Nothing matches.</p>` : table(page)}
      ${page.olderHref !== null && html`<p><a href="${page.olderHref}" rel="next">Older</a></p>`}`,
  });
}

function table({ where, events }: AuditPage): Html {
  const columns = ["When", "Who", "What", ...(where.place ? [] : ["Project"]), "From"];
  return listTable(
    columns,
    events.map(
      ({ at, actor, address, project, ...what }) =>
        html`<tr>
          <td>${time(at)}</td>
          <td data-label="Who">${raw(visibleHtml(actor.name))} ${actor.kind !== "person" && html`<span class="badge">${actor.kind}</span>`}</td>
          <td data-label="What" title="${what.action} ${what.target}">${linked(raw(visibleHtml(auditSentence(what))), auditHref(what, where.place?.slug ?? project?.slug ?? null))}</td>
          ${!where.place && html`<td data-label="Project">${project && html`<a href="/${project.slug}">${raw(visibleHtml(project.name))}</a>`}</td>`}
          <td data-label="From">${address}</td>
        </tr>`,
    ),
  );
}

const linked = (text: Html, href: string | null): Html => (href === null ? text : html`<a href="${href}">${text}</a>`);
