import english from "#docs/words/languages/en.json" with { type: "json" };
import type { ContentView, ParameterView, ResponseView, ParameterPlace } from "#docs/api/operation-parts.ts";
import { plainSummary } from "#docs/api/document-text.ts";
import { printPanels, type Panel } from "#docs/components/panels.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { elementNode } from "#docs/markup/page-nodes.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import { fillIn, type SiteLanguage, type Words } from "#docs/words/site-language.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { printApiField, printSchema } from "./print-schema.ts";

/** A heading of the page's outline in the page's language. */
export function printWordHeading(name: HeadingWord, printer: PagePrinter): string {
  // The id is the same in every language: links from other pages and from the Markdown use it.
  return printHeading(printer.language.words[name], { depth: 2, name: english[name], printer });
}

/** A heading of the page's outline; its id is derived from `name`. */
export function printHeading(
  text: string,
  { depth, name, printer }: { depth: 2 | 3; name: string; printer: PagePrinter },
): string {
  const node = elementNode("div", []);
  const explicit = printer.options.ids.next(name, null);
  const id = printer.anchor(node, { text, depth, explicit });
  const link = `<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": fillIn(printer.language.words.linkToSection, { title: text }) })}></a>`;
  return `<h${depth}${attributes({ id })}>${escapeHtml(text)}${link}</h${depth}>\n`;
}

export function printParameters(
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

export function printContents(
  contents: readonly ContentView[],
  printer: PagePrinter,
  describe: DescribeInMarkdown,
): string {
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

export function printResponses(
  responses: readonly ResponseView[],
  printer: PagePrinter,
  describe: DescribeInMarkdown,
): string {
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

/** The method and the address, as the line at the top of an operation's page. */
export function printMethodBar(operation: { label: string; base: string; path: string }): string {
  const path = escapeHtml(operation.path).replace(/\{[^{}]{1,200}\}/g, (name) => `<b>${name}</b>`);
  const method = `<span class="api-method"${attributes({ "data-method": operation.label.toLowerCase() })}>${escapeHtml(operation.label)}</span>`;
  const base = operation.base === "" ? "" : `<span class="api-base">${escapeHtml(operation.base)}</span>`;
  return `<p class="api-bar">${method} <code>${base}<span class="api-path">${path}</span></code></p>\n`;
}

/** The headings of an operation's page, by their names in the table of words. */
export type HeadingWord = keyof Pick<
  Words,
  | "authorization"
  | "bindings"
  | "callbacks"
  | "messages"
  | "operations"
  | "servers"
  | "pathParameters"
  | "queryParameters"
  | "headers"
  | "cookies"
  | "body"
  | "payload"
  | "responses"
>;

export const PLACE_WORDS: Readonly<Record<ParameterPlace, HeadingWord>> = {
  path: "pathParameters",
  query: "queryParameters",
  header: "headers",
  cookie: "cookies",
};
