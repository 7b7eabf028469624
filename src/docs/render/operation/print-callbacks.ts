import type { CallbackView } from "#docs/api/callbacks.ts";
import { PARAMETER_PLACES } from "#docs/api/operation-parts.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { PLACE_WORDS } from "./operation-headings.ts";
import { printContents, printHeading, printMethodBar, printParameters, printResponses } from "./print-parts.ts";

/** The requests that the API sends later, each with a heading of its own. */
export function printCallbacks(
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
