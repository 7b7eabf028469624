import english from "#docs/words/languages/en.json" with { type: "json" };
import {
  PARAMETER_PLACES,
  type ContentView,
  type ParameterView,
  type ResponseView,
  type ParameterPlace,
  type CallParts,
} from "#docs/api/operation-parts.ts";
import type { ApiField } from "#docs/api/schema-tree.ts";
import { plainSummary } from "#docs/api/document-text.ts";
import { printPanels, type Panel } from "#docs/components/panels.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { elementNode } from "#docs/markup/page-nodes.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import { fillIn, type Words } from "#docs/words/site-language.ts";
import type { ApiTools } from "./describe.ts";
import type { ApiServer } from "#docs/api/servers.ts";
import { printApiField, printFieldBox, printSchema } from "./print-schema.ts";

/** A heading of the page's outline in the page's language. */
export function printWordHeading(name: HeadingWord, { printer }: Pick<ApiTools, "printer">): string {
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

/** An id in the page that is not in its outline. */
export function anchorOf(text: string, { printer }: ApiTools): string {
  return printer.anchor(elementNode("div", []), { text, depth: 0, explicit: null });
}

/** Items below a heading; "" without items. */
export function printUnder<Item>(heading: () => string, items: readonly Item[], print: (item: Item) => string): string {
  return items.length === 0 ? "" : heading() + items.map(print).join("");
}

/** A heading within a part of the page, which the outline leaves out. */
export const partHeading = (html: string): string => `<h4 class="api-part">${html}</h4>\n`;

/** Known by the name of their field in every language, as other fields of a description. */
export const printTags = (tags: readonly string[]): string =>
  tags.length === 0
    ? ""
    : `<p class="api-constraints"><span>tags ${tags.map((tag) => `<code>${escapeHtml(tag)}</code>`).join(" ")}</span></p>\n`;

export const printDeprecated = (words: string): string => `<p class="api-deprecated">${words}</p>\n`;

/** Parameters, body and responses of a request, each below a heading. */
export function printCall(
  call: CallParts,
  tools: ApiTools,
  { heading, payload }: { heading: (word: HeadingWord) => string; payload: HeadingWord },
): string {
  const { describe } = tools;
  let html = "";
  for (const place of PARAMETER_PLACES) {
    const parameters = call.parameters.filter((parameter) => parameter.place === place);
    html += printUnder(
      () => heading(PLACE_WORDS[place]),
      parameters,
      (each) => printParameter(each, tools),
    );
  }
  if (call.body !== null) {
    html += heading(payload) + describe(call.body.description) + printContents(call.body.contents, tools);
  }
  const [first] = call.responses;
  return (
    html +
    printUnder(
      () => heading("responses"),
      call.responses,
      (each) => printResponse(each, each === first, tools),
    )
  );
}

export function printParameter(parameter: ApiField, tools: ApiTools): string {
  return printApiField(parameter, tools, anchorOf(parameter.name, tools));
}

function printContents(contents: readonly ContentView[], tools: ApiTools): string {
  const print = ({ schema }: ContentView) => (schema === null ? "" : printSchema(schema, tools));
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
  return printPanels(" api-contents", panels, { printer: tools.printer, id: null, sync: false });
}

function printResponse(response: ResponseView, isOpen: boolean, tools: ApiTools): string {
  const { status, description, headers, contents, links } = response;
  const line = plainSummary(description) ?? "";
  const isWhole = line === (description ?? "").trim();
  const body =
    (isWhole ? "" : tools.describe(description)) +
    printHeaders(headers, tools) +
    printContents(contents, tools) +
    printLinks(links, tools);
  const id = anchorOf(`response ${status}`, tools);
  const badge = `<span class="api-status" data-status="${/^[1-5]/.exec(status)?.[0] ?? "0"}">${escapeHtml(status)}</span>`;
  const head = `${badge} <span class="api-response-words">${escapeHtml(line)}</span>`;
  if (body === "") return `<p class="api-response api-response-head"${attributes({ id })}>${head}</p>\n`;
  return `<details class="api-response"${attributes({ id, open: isOpen })}><summary class="api-response-head">${head}</summary><div class="api-response-body">${body}</div></details>\n`;
}

function printLinks(links: ResponseView["links"], tools: ApiTools): string {
  const print = ({ name, target, description, values }: ResponseView["links"][number]) => {
    const head = [
      `<code class="field-name">${escapeHtml(name)}</code>`,
      target === null ? "" : `<span class="field-type">${escapeHtml(target)}</span>`,
    ];
    const given = values.map((each) => `<span>${escapeHtml(each.name)} <code>${escapeHtml(each.value)}</code></span>`);
    const taken = given.length === 0 ? "" : `<p class="api-constraints">${given.join(" ")}</p>`;
    return printFieldBox(head, tools.describe(description) + taken);
  };
  return printUnder(() => partHeading(tools.printer.language.words.links), links, print);
}

/** The servers of an API with their variables, as a list. */
export function printServers(servers: readonly Pick<ApiServer, "url" | "description" | "variables">[]): string {
  const more = (description: string | null) => (description === null ? "" : ` ${escapeHtml(description)}`);
  const items = servers.map(({ url, description, variables }) => {
    const inner = variables.map(({ name, values, description: text }) => {
      const codes = values.map((value) => `<code>${escapeHtml(value)}</code>`);
      return `<li><code>${escapeHtml(name)}</code>: ${codes.join(" ")}${more(text)}</li>`;
    });
    const list = inner.length === 0 ? "" : `<ul>${inner.join("")}</ul>`;
    return `<li><code>${escapeHtml(url)}</code>${more(description)}${list}</li>`;
  });
  return `<ul>${items.join("")}</ul>\n`;
}

function printHeaders(headers: readonly ParameterView[], tools: ApiTools): string {
  const { words, counted } = tools.printer.language;
  if (headers.length === 0) return "";
  const fields = headers.map((header) => printApiField(header, tools));
  return `<details class="api-fields"><summary>${counted(words.headerCount, headers.length)}</summary>${fields.join("")}</details>`;
}

/** A column box of examples with a title; "" without examples. */
export function printSampleBox(
  title: string,
  panels: readonly Panel[],
  { printer, className, sync = false }: { printer: PagePrinter; className: string; sync?: boolean },
): string {
  if (panels.length === 0) return "";
  const shown = printPanels(` code-group ${className}`, panels, { printer, id: null, sync });
  return `<section${attributes({ "aria-label": title })}><p class="api-samples-title">${title}</p>${shown}</section>`;
}

/** A method, an action or a kind of operation in its color. */
export function printBadge(label: string, method = label.toLowerCase()): string {
  return `<span class="api-method"${attributes({ "data-method": method })}>${escapeHtml(label)}</span>`;
}

/** The method and the address, as the line at the top of an operation's page. */
export function printMethodBar(operation: { label: string; base: string; path: string }): string {
  const path = escapeHtml(operation.path).replace(/\{[^{}]{1,200}\}/g, (name) => `<b>${name}</b>`);
  const base = operation.base === "" ? "" : `<span class="api-base">${escapeHtml(operation.base)}</span>`;
  return `<p class="api-bar">${printBadge(operation.label)} <code>${base}<span class="api-path">${path}</span></code></p>\n`;
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
