import { PARAMETER_PLACES } from "#content/api/operation-parts.ts";
import type { OperationView } from "#content/api/operation-view.ts";
import type { SecurityChoice, SecurityScheme } from "#content/api/security.ts";
import { escapeHtml } from "#content/markup/html.ts";
import type { PagePrinter } from "#content/render/page-printer.ts";
import type { Words } from "#content/words/english.ts";
import { fillIn, type SiteLanguage } from "#content/words/site-language.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { PLACE_WORDS, type HeadingWord } from "./operation-headings.ts";
import { printCallbacks } from "./print-callbacks.ts";
import { printContents, printParameters, printResponses, printWordHeading } from "./print-parts.ts";

/** All that stands in the main column of an operation's page, below its address. */
export function printOperation(view: OperationView, printer: PagePrinter, describe: DescribeInMarkdown): string {
  const { words } = printer.language;
  const heading = (name: HeadingWord) => printWordHeading(name, printer);
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
  if (view.responses.length > 0) html += heading("responses") + printResponses(view.responses, printer, describe);
  if (view.callbacks.length > 0) html += heading("callbacks") + printCallbacks(view.callbacks, printer, describe);
  if (view.externalDocs !== null) {
    html += `<p>${printer.link(view.externalDocs.href, escapeHtml(view.externalDocs.text), { line: null })}</p>\n`;
  }
  return html;
}

/** What a caller needs to prove who it is: one of several choices. */
export function printSecurity(
  { security }: { security: readonly SecurityChoice[] },
  printer: PagePrinter,
  describe: DescribeInMarkdown,
): string {
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
