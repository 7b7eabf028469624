import {
  PARAMETER_PLACES,
  type ContentView,
  type OperationView,
  type ParameterView,
  type ResponseView,
} from "#content/api/operation-view.ts";
import { PLACE_TITLES, securityText } from "#content/api/operation-words.ts";
import { plainSummary } from "#content/api/document-text.ts";
import type { SecurityScheme } from "#content/api/security.ts";
import { printPanels, type Panel } from "#content/components/panels.ts";
import { attributes, escapeHtml } from "#content/markup/html.ts";
import { elementNode } from "#content/markup/page-nodes.ts";
import type { PagePrinter } from "#content/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { printApiField, printSchema } from "./print-schema.ts";

/** The method and the address, as the line at the top of an operation's page. */
export function printMethodBar(operation: { label: string; base: string; path: string }): string {
  const path = escapeHtml(operation.path).replace(/\{[^{}]{1,200}\}/g, (name) => `<b>${name}</b>`);
  const method = `<span class="api-method"${attributes({ "data-method": operation.label.toLowerCase() })}>${escapeHtml(operation.label)}</span>`;
  const base = operation.base === "" ? "" : `<span class="api-base">${escapeHtml(operation.base)}</span>`;
  return `<p class="api-bar">${method} <code>${base}<span class="api-path">${path}</span></code></p>\n`;
}

/** All that stands in the main column of an operation's page, below its address. */
export function printOperation(view: OperationView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  const heading = (text: string) => printHeading(text, 2, printer);
  let html = view.isDeprecated ? `<p class="api-deprecated">This operation is deprecated.</p>\n` : "";
  if (view.security.some((choice) => choice.length > 0)) {
    html += heading("Authorization") + printSecurity(view, describe);
  }
  for (const place of PARAMETER_PLACES) {
    const parameters = view.parameters.filter((parameter) => parameter.place === place);
    if (parameters.length > 0) html += heading(PLACE_TITLES[place]) + printParameters(parameters, printer, describe);
  }
  if (view.body !== null) {
    html += heading(view.isWebhook ? "Payload" : "Body");
    if (view.body.description !== null) html += describe(view.body.description);
    html += printContents(view.body.contents, printer, describe);
  }
  if (view.responses.length > 0) html += heading("Responses") + printResponses(view, printer, describe);
  if (view.externalDocs !== null) {
    html += `<p>${printer.link(view.externalDocs.href, escapeHtml(view.externalDocs.text), { line: null })}</p>\n`;
  }
  return html;
}

function printHeading(text: string, depth: 2 | 3, printer: PagePrinter): string {
  const node = elementNode("div", []);
  const id = printer.anchor(node, { text, depth, explicit: null });
  const link = `<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": `Link to this section: ${text}` })}></a>`;
  return `<h${depth}${attributes({ id })}>${escapeHtml(text)}${link}</h${depth}>\n`;
}

function printSecurity({ security }: OperationView, describe: DescribeInMarkdown): string {
  if (security.length === 1) return (security[0] ?? []).map((scheme) => printScheme(scheme, describe)).join("");
  const known = new Map(security.flat().map((scheme) => [scheme.name, scheme]));
  const choices = security.map((choice) => `<li>${describe(securityText(choice))}</li>`).join("");
  return `<p>One of these:</p><ul class="api-security">${choices}</ul>${[...known.values()].map((scheme) => printScheme(scheme, describe)).join("")}`;
}

function printScheme(
  { name, kind, description, carrier, scopes }: SecurityScheme,
  describe: DescribeInMarkdown,
): string {
  const head = [
    `<code class="field-name">${escapeHtml(carrier?.name ?? name)}</code>`,
    `<span class="field-type">${escapeHtml(kind)}</span>`,
    carrier === null ? "" : `<span class="field-place">${carrier.place}</span>`,
    `<span class="field-note">${escapeHtml(name)}</span>`,
  ];
  const hint =
    carrier === null || carrier.prefix === ""
      ? ""
      : `<p>Write <code>${escapeHtml(carrier.prefix)}</code> before the ${kind === "Basic authentication" ? "credentials" : "token"}.</p>`;
  const rights =
    scopes.length === 0
      ? ""
      : `<p class="api-choices"><span>Scopes</span> ${scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(" ")}</p>`;
  const body = (description === null ? hint : describe(description)) + rights;
  return `<div class="field"><div class="field-head">${head.filter(Boolean).join(" ")}</div><div class="field-body">${body}</div></div>\n`;
}

function printParameters(
  parameters: readonly ParameterView[],
  printer: PagePrinter,
  describe: DescribeInMarkdown,
): string {
  return parameters
    .map((parameter) => {
      const id = printer.anchor(elementNode("div", []), { text: parameter.name, depth: 0, explicit: null });
      const { name, isRequired, schema } = parameter;
      const description = parameter.description ?? schema.description;
      const isDeprecated = parameter.isDeprecated || schema.isDeprecated;
      return printApiField({ name, isRequired, isDeprecated, description, schema, id }, describe);
    })
    .join("");
}

function printContents(contents: readonly ContentView[], printer: PagePrinter, describe: DescribeInMarkdown): string {
  const print = ({ schema }: ContentView) => (schema === null ? "" : printSchema(schema, describe));
  const [only] = contents;
  if (only === undefined) return "";
  if (contents.length === 1)
    return `<p class="api-content-type"><code>${escapeHtml(only.type)}</code></p>${print(only)}`;
  const panels = contents.map((content): Panel => ({
    title: content.type,
    label: `<code>${escapeHtml(content.type)}</code>`,
    id: null,
    body: print(content),
  }));
  return printPanels(" api-contents", panels, { printer, id: null, sync: false });
}

function printResponses({ responses }: OperationView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  return responses
    .map((response, index) => printResponse(response, { isOpen: index === 0, printer, describe }))
    .join("");
}

function printResponse(
  response: ResponseView,
  { isOpen, printer, describe }: { isOpen: boolean; printer: PagePrinter; describe: DescribeInMarkdown },
): string {
  const { status, description, headers, contents } = response;
  const line = plainSummary(description) ?? "";
  const isWhole = description === null || line === description.trim();
  const body =
    (isWhole ? "" : describe(description)) +
    printHeaders(headers, describe) +
    printContents(contents, printer, describe);
  const id = printer.anchor(elementNode("div", []), { text: `response ${status}`, depth: 0, explicit: null });
  const badge = `<span class="api-status" data-status="${/^[1-5]/.exec(status)?.[0] ?? "0"}">${escapeHtml(status)}</span>`;
  const head = `${badge} <span class="api-response-words">${escapeHtml(line)}</span>`;
  if (body === "") return `<p class="api-response api-response-head"${attributes({ id })}>${head}</p>\n`;
  return `<details class="api-response"${attributes({ id, open: isOpen })}><summary class="api-response-head">${head}</summary><div class="api-response-body">${body}</div></details>\n`;
}

function printHeaders(headers: readonly ParameterView[], describe: DescribeInMarkdown): string {
  if (headers.length === 0) return "";
  const fields = headers.map((header) =>
    printApiField({ ...header, description: header.description ?? header.schema.description, id: null }, describe),
  );
  return `<details class="api-fields"><summary>${headers.length === 1 ? "1 header" : `${headers.length} headers`}</summary>${fields.join("")}</details>`;
}
