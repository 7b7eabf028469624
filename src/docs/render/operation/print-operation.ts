import { PARAMETER_PLACES } from "#docs/api/operation-parts.ts";
import type { OperationView } from "#docs/api/operation-view.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { PLACE_WORDS, type HeadingWord } from "./operation-headings.ts";
import { printCallbacks } from "./print-callbacks.ts";
import { printSecurity } from "./print-security.ts";
import { printContents, printParameters, printResponses, printWordHeading } from "./print-parts.ts";

/** All that stands in the main column of an operation's page, below its address. */
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
