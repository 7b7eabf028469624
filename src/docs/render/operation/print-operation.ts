import { PARAMETER_PLACES } from "#docs/api/operation-parts.ts";
import type { OperationView } from "#docs/api/operation-view.ts";
import { escapeHtml, attributes } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import {
  PLACE_WORDS,
  type HeadingWord,
  printContents,
  printParameters,
  printResponses,
  printWordHeading,
  printHeading,
  printMethodBar,
} from "./print-parts.ts";
import { printSecurity } from "./print-security.ts";
import type { CallbackView } from "#docs/api/callbacks.ts";
import { type LinkedOperation, type OverviewView } from "#docs/api/reading/overview-view.ts";

/** The main column of an operation's page, below its address. */
export function printOperation(view: OperationView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  const { words } = printer.language;
  const heading = (name: HeadingWord) => printWordHeading(name, printer);
  let html = view.isDeprecated ? `<p class="api-deprecated">${words.deprecatedOperation}</p>\n` : "";
  if (view.description !== null) html += describe(view.description);
  if (view.security.some((choice) => choice.length > 0)) {
    html += heading("authorization") + printSecurity(view, printer, describe);
  }
  for (const place of PARAMETER_PLACES) {
    const parameters = view.parameters.filter((parameter) => parameter.place === place);
    if (parameters.length > 0) html += heading(PLACE_WORDS[place]) + printParameters(parameters, printer, describe);
  }
  if (view.body !== null) {
    html += heading(view.isWebhook ? "payload" : "body");
    if (view.body.description !== null) html += describe(view.body.description);
    html += printContents(view.body.contents, printer, describe);
  }
  if (view.responses.length > 0) html += heading("responses") + printResponses(view.responses, printer, describe);
  if (view.callbacks.length > 0) html += heading("callbacks") + printCallbacks(view.callbacks, printer, describe);
  if (view.externalDocs !== null) {
    html += `<p>${printer.link(view.externalDocs.href, escapeHtml(view.externalDocs.text), { line: null })}</p>\n`;
  }
  return html;
}

/** The requests that the API sends later, each below its own heading. */
function printCallbacks(
  callbacks: readonly CallbackView[],
  printer: PagePrinter,
  describe: DescribeInMarkdown,
): string {
  return callbacks.map((callback) => printCallback(callback, printer, describe)).join("");
}

function printCallback(callback: CallbackView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  const { words } = printer.language;
  const { name, title, method, expression, description, body, responses } = callback;
  const part = (text: string) => `<h4 class="api-part">${text}</h4>\n`;
  let html =
    printHeading(name, { depth: 3, name: `callback ${name}`, printer }) +
    printMethodBar({ label: method, base: "", path: expression });
  if (callback.isDeprecated) html += `<p class="api-deprecated">${words.deprecatedOperation}</p>\n`;
  if (title !== null && title !== name) html += `<p><strong>${escapeHtml(title)}</strong></p>\n`;
  if (description !== null) html += describe(description);
  for (const place of PARAMETER_PLACES) {
    const parameters = callback.parameters.filter((parameter) => parameter.place === place);
    if (parameters.length > 0) html += part(words[PLACE_WORDS[place]]) + printParameters(parameters, printer, describe);
  }
  if (body !== null) {
    html += part(words.payload) + (body.description === null ? "" : describe(body.description));
    html += printContents(body.contents, printer, describe);
  }
  if (responses.length > 0) html += part(words.responses) + printResponses(responses, printer, describe);
  return html;
}

/** The first page of an API: its description, its servers, and links to its operations by group. */
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
  for (const [group, operations] of Map.groupBy(listed, (each) => each.group)) {
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
