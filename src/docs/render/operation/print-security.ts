import type { SecurityChoice, SecurityScheme } from "#docs/api/security.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { Words } from "#docs/words/site-language.ts";
import { fillIn, type SiteLanguage } from "#docs/words/site-language.ts";
import type { DescribeInMarkdown } from "./describe.ts";

/** The credentials that a caller needs: one of several choices. */
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

/** The name of an authentication method; names such as `OAuth 2.0` are not translated. */
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
