import type { BindingView, MessageView } from "#docs/api/channels/channel-messages.ts";
import type { ChannelOperationView, ChannelView } from "#docs/api/channels/channel-view.ts";
import { printPanels, type Panel } from "#docs/components/panels.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import { elementNode } from "#docs/markup/page-nodes.ts";
import type { PagePrinter } from "#docs/render/page-printer.ts";
import type { DescribeInMarkdown } from "./describe.ts";
import { printHeading, printWordHeading } from "./print-parts.ts";
import { printApiField, printSchema } from "./print-schema.ts";
import { printSecurity } from "./print-security.ts";

interface Tools {
  printer: PagePrinter;
  describe: DescribeInMarkdown;
}

/** The main column of a channel's page, below its address. */
export function printChannel(view: ChannelView, tools: Tools): string {
  const { printer, describe } = tools;
  let html = view.isDeprecated ? printDeprecated(printer) : "";
  if (view.description !== null) html += describe(view.description);
  if (view.servers.length > 0) {
    html += printWordHeading("servers", printer);
    html += view.servers
      .map(({ name, url, protocol, description }) => {
        const head = `<code class="field-name">${escapeHtml(url)}</code> <span class="field-type">${escapeHtml(protocol)}</span> <span class="field-note">${escapeHtml(name)}</span>`;
        const body = description === null ? "" : describe(description);
        return `<div class="field"><div class="field-head">${head}</div><div class="field-body">${body}</div></div>\n`;
      })
      .join("");
  }
  if (view.security.some((choice) => choice.length > 0)) {
    html += printWordHeading("authorization", printer) + printSecurity(view, printer, describe);
  }
  if (view.parameters.length > 0) {
    html += printWordHeading("pathParameters", printer);
    html += view.parameters
      .map(({ name, description, schema }) => {
        const id = printer.anchor(elementNode("div", []), { text: name, depth: 0, explicit: null });
        const notes = { name, schema, id, isRequired: true, isDeprecated: false };
        return printApiField({ ...notes, description: description ?? schema.description }, describe, printer.language);
      })
      .join("");
  }
  if (view.bindings.length > 0) html += printWordHeading("bindings", printer) + printBindings(view.bindings, printer);
  if (view.operations.length > 0) {
    html += printWordHeading("operations", printer);
    html += view.operations.map((operation) => printAction(operation, tools)).join("");
  }
  if (view.messages.length > 0) {
    html += printWordHeading("messages", printer);
    html += view.messages.map((message) => printMessage(message, tools)).join("");
  }
  return html;
}

function printAction(operation: ChannelOperationView, tools: Tools): string {
  const { printer, describe } = tools;
  const { words } = printer.language;
  const { direction, title, name, description, security, bindings, messages, reply } = operation;
  const text = title ?? name ?? direction;
  const says = direction === "send" ? words.applicationSends : words.applicationReceives;
  const badge = `<span class="api-method"${attributes({ "data-method": direction === "send" ? "sub" : "pub" })}>${direction.toUpperCase()}</span>`;
  let html = printHeading(text, { depth: 3, name: name ?? text, printer });
  html += `<p class="api-direction">${badge} ${says}</p>\n`;
  if (operation.isDeprecated) html += printDeprecated(printer);
  if (description !== null) html += describe(description);
  if (security.some((choice) => choice.length > 0)) {
    html += part(words.authorization) + printSecurity({ security }, printer, describe);
  }
  if (bindings.length > 0) html += part(words.bindings) + printBindings(bindings, printer);
  html += messages.map((message) => printMessage(message, tools)).join("");
  if (reply !== null) {
    const address = reply.address === null ? "" : ` <code>${escapeHtml(reply.address)}</code>`;
    html += part(`${words.reply}${address}`);
    html += reply.messages.map((message) => printMessage(message, tools)).join("");
  }
  return html;
}

function printMessage(message: MessageView, { printer, describe }: Tools): string {
  const { name, title, description, contentType, headers, payload, foreign } = message;
  const { words } = printer.language;
  const type = contentType === null ? "" : ` <span class="field-type">${escapeHtml(contentType)}</span>`;
  const shown = title === null || title === name ? "" : ` <span class="field-note">${escapeHtml(title)}</span>`;
  let body = message.isDeprecated ? printDeprecated(printer) : "";
  if (description !== null) body += describe(description);
  if (headers !== null) body += part(words.headers) + printSchema(headers, describe, printer.language);
  if (payload !== null) body += part(words.payload) + printSchema(payload, describe, printer.language);
  if (foreign !== null) {
    body += part(`${words.payload} (${escapeHtml(foreign.format)})`) + printCode(foreign.code, "", printer);
  }
  return `<section class="api-message"${attributes({ "aria-label": name })}><p class="api-message-head"><code class="field-name">${escapeHtml(name)}</code>${type}${shown}</p>${body}</section>\n`;
}

function printBindings(bindings: readonly BindingView[], printer: PagePrinter): string {
  return bindings
    .map(({ protocol, code }) => {
      const title = `<p class="api-content-type"><code>${escapeHtml(protocol)}</code></p>`;
      return title + printCode(code, "json", printer);
    })
    .join("");
}

const MAX_EXAMPLES = 20;

/** Examples of the messages, for the column next to the text. */
export function printChannelExamples({ operations, messages }: ChannelView, printer: PagePrinter): string {
  const { words } = printer.language;
  const all = [...operations.flatMap((each) => [...each.messages, ...(each.reply?.messages ?? [])]), ...messages];
  const seen = new Set<string>();
  const panels = all.flatMap(({ name, examples }): Panel[] => {
    if (seen.has(name)) return [];
    seen.add(name);
    return examples.map((example, index) => {
      const title = index === 0 ? name : `${name}: ${example.title}`;
      return { title, label: escapeHtml(title), id: null, body: printCode(example.code, "json", printer) };
    });
  });
  if (panels.length === 0) return "";
  const shown = printPanels(" code-group response-example", panels.slice(0, MAX_EXAMPLES), {
    printer,
    id: null,
    sync: false,
  });
  return `<section${attributes({ "aria-label": words.examples })}><p class="api-samples-title">${words.examples}</p>${shown}</section>`;
}

function printCode(code: string, language: string, printer: PagePrinter): string {
  return printer.code({ code, language, meta: "" }, { title: null });
}

function printDeprecated(printer: PagePrinter): string {
  return `<p class="api-deprecated">${printer.language.words.deprecated}</p>\n`;
}

function part(html: string): string {
  return `<h4 class="api-part">${html}</h4>\n`;
}
