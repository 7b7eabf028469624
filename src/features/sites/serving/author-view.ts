import type { PlainAnswer } from "#lib/network/plain-http.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import type { KeptReports } from "#features/sites/report/kept-reports.ts";
import { authorNotice, reportView } from "#features/sites/report/report-view.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { html } from "#kit/pages/markup.ts";
import { messageDocument, type SiteFrame } from "#features/sites/theme/page.ts";
import type { Visit } from "./site-answers.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

/** What authors see in addition to readers: in previews, and in `docent dev`. */
export interface AuthorView {
  reports: KeptReports;
  /** Whether pages reload when the docs change: an event of `CHANGES_PATH`. */
  reloads?: boolean;
}

/** The address of a site's whole report for its author. */
export const REPORT_PATH = "/_docent/report";
/** Server-sent events `change` and `report`. */
export const CHANGES_PATH = "/_docent/changes";

const REFRESH_SECONDS = 2;

/** Creates the notice above each page: the state of the docs, and the problems in a page's file. */
export function authorNotices(
  { reports, reloads = false }: AuthorView,
  { project, version, files }: { project: SiteProject; version: SiteVersion; files: ThemeFiles },
): NonNullable<SiteFrame["authorNotice"]> {
  const state = reports.look({ name: project.slug, project: project.id }, version);
  const script = reloads
    ? html`<script type="module" src="${files.url("live-reload.js")}" data-changes="${CHANGES_PATH}"></script>`
    : null;
  return (path) => html`${authorNotice(state, { path, href: REPORT_PATH })}${script}`;
}

/** The report as a page of the site. */
export function sendReport({ reports }: AuthorView, visit: Visit): Promise<PlainAnswer> {
  const { request, project, version, frame } = visit;
  const state = reports.look({ name: project.slug, project: project.id }, version);
  const routeOf = (path: string) => version.docs.pagesByPath.get(path)?.route ?? null;
  const message = { title: "Report", code: null, navigation: null, body: reportView(state, routeOf) };
  const body = createBody(messageDocument({ ...frame, authorNotice: null }, message), "text/html; charset=utf-8", {
    owner: project.id,
  });
  const refresh = state.kind === "ready" ? null : { Refresh: String(REFRESH_SECONDS) };
  return sendBody(request, body, { headers: { ...PAGE_HEADERS, ...refresh } });
}
