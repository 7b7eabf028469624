import {
  PARAMETER_PLACES,
  type ContentView,
  type OperationView,
  type ParameterView,
  type ResponseView,
} from "#content/api/operation-view.ts";
import { plainSummary } from "#content/api/document-text.ts";
import type { SecurityChoice, SecurityScheme } from "#content/api/security.ts";
import { printPanels, type Panel } from "#content/components/panels.ts";
import { attributes, escapeHtml } from "#content/markup/html.ts";
import { elementNode } from "#content/markup/page-nodes.ts";
import type { PagePrinter } from "#content/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { english, type Words } from "#content/words/english.ts";
import { fillIn, type SiteLanguage } from "#content/words/site-language.ts";
import { PLACE_WORDS, type HeadingWord } from "./operation-headings.ts";
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
  const { words } = printer.language;
  const heading = (name: HeadingWord) => printHeading(name, 2, printer);
  let html = view.isDeprecated ? `<p class="api-deprecated">${words.deprecatedOperation}</p>\n` : "";
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
  if (view.responses.length > 0) html += heading("responses") + printResponses(view, printer, describe);
  if (view.externalDocs !== null) {
    html += `<p>${printer.link(view.externalDocs.href, escapeHtml(view.externalDocs.text), { line: null })}</p>\n`;
  }
  return html;
}

function printHeading(name: HeadingWord, depth: 2 | 3, printer: PagePrinter): string {
  const node = elementNode("div", []);
  const text = printer.language.words[name];
  // The same in every language: links from other pages and from the Markdown lead there.
  const explicit = printer.options.ids.next(english[name], null);
  const id = printer.anchor(node, { text, depth, explicit });
  const link = `<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": fillIn(printer.language.words.linkToSection, { title: text }) })}></a>`;
  return `<h${depth}${attributes({ id })}>${escapeHtml(text)}${link}</h${depth}>\n`;
}

function printSecurity({ security }: OperationView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  if (security.length === 1)
    return (security[0] ?? []).map((scheme) => printScheme(scheme, printer.language, describe)).join("");
  const known = new Map(security.flat().map((scheme) => [scheme.name, scheme]));
  const choices = security.map((choice) => `<li>${securityChoice(choice, printer.language.words)}</li>`).join("");
  return `<p>${printer.language.words.oneOfThese}</p><ul class="api-security">${choices}</ul>${[...known.values()].map((scheme) => printScheme(scheme, printer.language, describe)).join("")}`;
}

const KINDS = new Map<string, "bearerToken" | "basicAuthentication" | "apiKey" | "authorization">([
  ["Bearer token", "bearerToken"],
  ["Basic authentication", "basicAuthentication"],
  ["API key", "apiKey"],
  ["Authentication", "authorization"],
]);

/** What readers call a way to prove who they are; names such as `OAuth 2.0` stay. */
function securityKind(kind: string, words: Words): string {
  const name = KINDS.get(kind);
  return name === undefined ? kind : words[name];
}

function securityChoice(choice: SecurityChoice, words: Words): string {
  if (choice.length === 0) return `<p>${words.noneNeeded}</p>`;
  const parts = choice.map(
    ({ kind, name }) => `${escapeHtml(securityKind(kind, words))} (<code>${escapeHtml(name)}</code>)`,
  );
  return `<p>${parts.join(" + ")}</p>`;
}

function printScheme(
  { name, kind, description, carrier, scopes }: SecurityScheme,
  { words }: SiteLanguage,
  describe: DescribeInMarkdown,
): string {
  const head = [
    `<code class="field-name">${escapeHtml(carrier?.name ?? name)}</code>`,
    `<span class="field-type">${escapeHtml(securityKind(kind, words))}</span>`,
    carrier === null ? "" : `<span class="field-place">${carrier.place}</span>`,
    `<span class="field-note">${escapeHtml(name)}</span>`,
  ];
  const hint =
    carrier === null || carrier.prefix === ""
      ? ""
      : `<p>${fillIn(kind === "Basic authentication" ? words.prefixOfCredentials : words.prefixOfToken, { prefix: `<code>${escapeHtml(carrier.prefix)}</code>` })}</p>`;
  const rights =
    scopes.length === 0
      ? ""
      : `<p class="api-choices"><span>${words.scopes}</span> ${scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(" ")}</p>`;
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
      return printApiField({ name, isRequired, isDeprecated, description, schema, id }, describe, printer.language);
    })
    .join("");
}

function printContents(contents: readonly ContentView[], printer: PagePrinter, describe: DescribeInMarkdown): string {
  const print = ({ schema }: ContentView) => (schema === null ? "" : printSchema(schema, describe, printer.language));
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
    printHeaders(headers, describe, printer.language) +
    printContents(contents, printer, describe);
  const id = printer.anchor(elementNode("div", []), { text: `response ${status}`, depth: 0, explicit: null });
  const badge = `<span class="api-status" data-status="${/^[1-5]/.exec(status)?.[0] ?? "0"}">${escapeHtml(status)}</span>`;
  const head = `${badge} <span class="api-response-words">${escapeHtml(line)}</span>`;
  if (body === "") return `<p class="api-response api-response-head"${attributes({ id })}>${head}</p>\n`;
  return `<details class="api-response"${attributes({ id, open: isOpen })}><summary class="api-response-head">${head}</summary><div class="api-response-body">${body}</div></details>\n`;
}

function printHeaders(headers: readonly ParameterView[], describe: DescribeInMarkdown, language: SiteLanguage): string {
  if (headers.length === 0) return "";
  const fields = headers.map((header) =>
    printApiField(
      { ...header, description: header.description ?? header.schema.description, id: null },
      describe,
      language,
    ),
  );
  return `<details class="api-fields"><summary>${language.counted(language.words.headerCount, headers.length)}</summary>${fields.join("")}</details>`;
}
