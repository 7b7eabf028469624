import type { SecurityChoice, SecurityScheme } from "#docs/api/security.ts";
import { plainText } from "#docs/api/document-text.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import { fillIn, type Words } from "#docs/words/site-language.ts";
import type { ApiTools } from "./describe.ts";
import { printFieldBox } from "./print-schema.ts";

/** The credentials that a caller needs, below a heading: one of several choices. Nothing where none are needed. */
export function printSecurity(security: readonly SecurityChoice[], heading: () => string, tools: ApiTools): string {
  const { words } = tools.printer.language;
  const schemes = security.flat();
  if (schemes.length === 0) return "";
  const title = heading();
  if (security.length === 1) return title + schemes.map((scheme) => printScheme(scheme, tools)).join("");
  const known = [...new Map(schemes.map((scheme) => [scheme.name, scheme])).values()];
  const choices = security.map((choice) => `<li>${securityChoice(choice, words)}</li>`).join("");
  return `${title}<p>${words.oneOfThese}</p><ul class="api-security">${choices}</ul>${known.map((scheme) => printScheme(scheme, tools)).join("")}`;
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
  { name, kind, description, carrier, scopes, addresses, format }: SecurityScheme,
  { printer, describe }: ApiTools,
): string {
  const { words } = printer.language;
  const head = [
    `<code class="field-name">${escapeHtml(carrier?.name ?? name)}</code>`,
    `<span class="field-type">${escapeHtml(securityKind(kind, words))}</span>`,
    carrier === null ? "" : `<span class="field-place">${carrier.place}</span>`,
    `<span class="field-note">${escapeHtml(name)}</span>`,
    format === null ? "" : `<span class="field-note">${escapeHtml(format)}</span>`,
  ];
  const hint =
    carrier === null || carrier.prefix === ""
      ? ""
      : `<p>${fillIn(kind === "Basic authentication" ? words.prefixOfCredentials : words.prefixOfToken, { prefix: `<code>${escapeHtml(carrier.prefix)}</code>` })}</p>`;
  const rights =
    scopes.length === 0
      ? ""
      : `<p class="api-choices"><span>${words.scopes}</span> ${scopes.map((scope) => `<code>${escapeHtml(scope.name)}</code>`).join(" ")}</p>`;
  const items = [
    ...addresses.map((each) => `${escapeHtml(each.name)}: <code>${escapeHtml(each.href)}</code>`),
    ...scopes.flatMap((scope) =>
      scope.description === null
        ? []
        : [`<code>${escapeHtml(scope.name)}</code> ${escapeHtml(plainText(scope.description))}`],
    ),
  ];
  const facts =
    items.length === 0 ? "" : `<ul class="api-facts">${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
  const body = (description === null ? hint : describe(description)) + rights + facts;
  return printFieldBox(head, body);
}
