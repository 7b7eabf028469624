import { groupsOf, type LinkedOperation, type OverviewView } from "#docs/api/reading/overview-view.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { printHeading, printWordHeading } from "./print-parts.ts";
import { printSecurity } from "./print-security.ts";

/** The first page of an API: what it is, where it is, and links to its operations by group. */
export function printOverview(
  view: OverviewView,
  listed: readonly LinkedOperation[],
  { printer, describe }: { printer: PagePrinter; describe: DescribeInMarkdown },
): string {
  const { words } = printer.language;
  let html = "";
  if (view.version !== null) {
    html += `<p class="api-content-type">${words.version} <code>${escapeHtml(view.version)}</code></p>\n`;
  }
  if (view.description !== null) html += describe(view.description);
  if (view.servers.length > 0) {
    const servers = view.servers.map(
      ({ url, description }) =>
        `<li><code>${escapeHtml(url)}</code>${description === null ? "" : ` ${escapeHtml(description)}`}</li>`,
    );
    html += `${printWordHeading("servers", printer)}<ul>${servers.join("")}</ul>\n`;
  }
  if (view.security.some((choice) => choice.length > 0)) {
    html += printWordHeading("authorization", printer) + printSecurity(view, printer, describe);
  }
  for (const [group, operations] of groupsOf(listed)) {
    html += printHeading(group, { depth: 2, name: group, printer });
    html += `<ul class="api-list">${operations.map((operation) => printEntry(operation, printer)).join("")}</ul>\n`;
  }
  return html;
}

function printEntry({ method, title, href, description }: LinkedOperation, printer: PagePrinter): string {
  const badge = `<span class="api-method"${attributes({ "data-method": method.toLowerCase() })}>${escapeHtml(method)}</span>`;
  const more = description === null ? "" : `<p>${escapeHtml(description)}</p>`;
  return `<li>${badge}<div>${printer.link(href, escapeHtml(title), { line: null })}${more}</div></li>`;
}
