import type { OperationView } from "#docs/api/operation-view.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { ApiTools } from "./describe.ts";
import {
  type HeadingWord,
  partHeading,
  printBadge,
  printCall,
  printDeprecated,
  printHeading,
  printMethodBar,
  printUnder,
  printWordHeading,
} from "./print-parts.ts";
import { printContentExamples } from "./print-examples.ts";
import { printSecurity } from "./print-security.ts";
import type { CallbackView } from "#docs/api/callbacks.ts";
import { type LinkedOperation, type OverviewView } from "#docs/api/reading/overview-view.ts";

/** The main column of an operation's page, below its address. */
export function printOperation(view: OperationView, tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  const heading = (name: HeadingWord) => printWordHeading(name, tools);
  let html = view.isDeprecated ? printDeprecated(words.deprecatedOperation) : "";
  html += describe(view.description) + printSecurity(view.security, () => heading("authorization"), tools);
  html += printCall(view, tools, { heading, payload: view.isWebhook ? "payload" : "body" });
  html += printUnder(
    () => heading("callbacks"),
    view.callbacks,
    (each) => printCallback(each, tools),
  );
  if (view.externalDocs !== null) {
    html += `<p>${printer.link(view.externalDocs.href, escapeHtml(view.externalDocs.text), { line: null })}</p>\n`;
  }
  return html;
}

/** A request that the API sends later, below its own heading. */
function printCallback(callback: CallbackView, tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  const { name, title, method, expression, description } = callback;
  let html =
    printHeading(name, { depth: 3, name: `callback ${name}`, printer }) +
    printMethodBar({ label: method, base: "", path: expression });
  if (callback.isDeprecated) html += printDeprecated(words.deprecatedOperation);
  if (title !== null && title !== name) html += `<p><strong>${escapeHtml(title)}</strong></p>\n`;
  const heading = (word: HeadingWord) => partHeading(words[word]);
  const examples = printContentExamples(callback.body?.contents ?? [], tools);
  const call = printCall(callback, tools, { heading, payload: "payload" });
  return html + describe(description) + call + (examples === "" ? "" : partHeading(words.examples) + examples);
}

/** The first page of an API: its description, its servers, and links to its operations by group. */
export function printOverview(view: OverviewView, listed: readonly LinkedOperation[], tools: ApiTools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  let html = "";
  if (view.version !== null) {
    html += `<p class="api-content-type">${words.version} <code>${escapeHtml(view.version)}</code></p>\n`;
  }
  html += describe(view.description);
  if (view.servers.length > 0) {
    const servers = view.servers.map(
      ({ url, description }) =>
        `<li><code>${escapeHtml(url)}</code>${description === null ? "" : ` ${escapeHtml(description)}`}</li>`,
    );
    html += `${printWordHeading("servers", tools)}<ul>${servers.join("")}</ul>\n`;
  }
  html += printSecurity(view.security, () => printWordHeading("authorization", tools), tools);
  for (const [group, operations] of Map.groupBy(listed, (each) => each.group)) {
    html += printHeading(group, { depth: 2, name: group, printer });
    html += `<ul class="api-list">${operations.map((operation) => printEntry(operation, printer)).join("")}</ul>\n`;
  }
  return html;
}

function printEntry({ method, title, href, description }: LinkedOperation, printer: PagePrinter): string {
  const more = description === null ? "" : `<p>${escapeHtml(description)}</p>`;
  return `<li>${printBadge(method)}<div>${printer.link(href, escapeHtml(title), { line: null })}${more}</div></li>`;
}
