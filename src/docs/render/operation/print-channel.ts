import type { BindingView, MessageView } from "#docs/api/channels/channel-messages.ts";
import type { ChannelServer } from "#docs/api/channels/channel-servers.ts";
import type { ChannelOperationView, ChannelView } from "#docs/api/channels/channel-view.ts";
import type { Panel } from "#docs/components/panels.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { ApiTools } from "./describe.ts";
import {
  type HeadingWord,
  partHeading,
  printBadge,
  printDeprecated,
  printHeading,
  printParameter,
  printSampleBox,
  printTags,
  printUnder,
  printWordHeading,
} from "./print-parts.ts";
import { printFieldBox, printSchema } from "./print-schema.ts";
import { printSecurity } from "./print-security.ts";

/** The main column of a channel's page, below its address. */
export function printChannel(view: ChannelView, tools: ApiTools): string {
  const heading = (name: HeadingWord) => () => printWordHeading(name, tools);
  return (
    printIntro(view, tools) +
    printTags(view.tags) +
    printUnder(heading("servers"), view.servers, (each) => printServer(each, tools)) +
    printSecurity(view.security, heading("authorization"), tools) +
    printUnder(heading("pathParameters"), view.parameters, (each) =>
      printParameter({ ...each, isRequired: true }, tools),
    ) +
    printUnder(heading("bindings"), view.bindings, (each) => printBinding(each, tools)) +
    printUnder(heading("operations"), view.operations, (each) => printAction(each, tools)) +
    printUnder(heading("messages"), view.messages, (each) => printMessage(each, tools))
  );
}

function printIntro(
  { isDeprecated, description }: Pick<MessageView, "isDeprecated" | "description">,
  { printer, describe }: ApiTools,
): string {
  return (isDeprecated ? printDeprecated(printer.language.words.deprecated) : "") + describe(description);
}

function printServer(server: ChannelServer, tools: ApiTools): string {
  const { name, url, protocol, protocolVersion, description, bindings } = server;
  const head = [
    `<code class="field-name">${escapeHtml(url)}</code>`,
    `<span class="field-type">${escapeHtml([protocol, protocolVersion].filter(Boolean).join(" "))}</span>`,
    `<span class="field-note">${escapeHtml(name)}</span>`,
  ];
  return printFieldBox(head, tools.describe(description) + bindings.map((each) => printBinding(each, tools)).join(""));
}

function printAction(operation: ChannelOperationView, tools: ApiTools): string {
  const { printer } = tools;
  const { words } = printer.language;
  const { direction, title, name, reply } = operation;
  const text = title ?? name ?? direction;
  const says = direction === "send" ? words.applicationSends : words.applicationReceives;
  const badge = printBadge(direction.toUpperCase(), direction === "send" ? "sub" : "pub");
  const part = (html: string) => () => partHeading(html);
  let html =
    printHeading(text, { depth: 3, name: name ?? text, printer }) +
    `<p class="api-direction">${badge} ${says}</p>\n` +
    printIntro(operation, tools) +
    printSecurity(operation.security, part(words.authorization), tools) +
    printUnder(part(words.bindings), operation.bindings, (each) => printBinding(each, tools)) +
    operation.messages.map((message) => printMessage(message, tools)).join("");
  if (reply !== null) {
    const address = reply.address === null ? "" : ` <code>${escapeHtml(reply.address)}</code>`;
    html += partHeading(`${words.reply}${address}`) + tools.describe(reply.description);
    html += reply.messages.map((message) => printMessage(message, tools)).join("");
  }
  return html;
}

function printMessage(message: MessageView, tools: ApiTools): string {
  const { name, title, contentType, headers, payload, foreign, correlation } = message;
  const { words } = tools.printer.language;
  const type = contentType === null ? "" : ` <span class="field-type">${escapeHtml(contentType)}</span>`;
  const shown = title === null || title === name ? "" : ` <span class="field-note">${escapeHtml(title)}</span>`;
  let body = printIntro(message, tools);
  if (correlation !== null) {
    const location = `<span>correlationId <code>${escapeHtml(correlation.location)}</code></span>`;
    body += `<p class="api-constraints">${location}</p>${tools.describe(correlation.description)}`;
  }
  body += printUnder(
    () => partHeading(words.bindings),
    message.bindings,
    (each) => printBinding(each, tools),
  );
  if (headers !== null) body += partHeading(words.headers) + printSchema(headers, tools);
  if (payload !== null) body += partHeading(words.payload) + printSchema(payload, tools);
  if (foreign !== null) {
    body += partHeading(`${words.payload} (${escapeHtml(foreign.format)})`) + printSource(foreign.code, "", tools);
  }
  return `<section class="api-message"${attributes({ "aria-label": name })}><p class="api-message-head"><code class="field-name">${escapeHtml(name)}</code>${type}${shown}</p>${body}</section>\n`;
}

function printBinding({ protocol, code }: BindingView, tools: ApiTools): string {
  return `<p class="api-content-type"><code>${escapeHtml(protocol)}</code></p>${printSource(code, "json", tools)}`;
}

/** Examples of the messages, for the column next to the text. */
export function printChannelExamples({ operations, messages }: ChannelView, tools: ApiTools): string {
  const { printer } = tools;
  const all = [...operations.flatMap((each) => [...each.messages, ...(each.reply?.messages ?? [])]), ...messages];
  const seen = new Set<string>();
  const panels = all.flatMap(({ name, examples }): Panel[] => {
    if (seen.has(name)) return [];
    seen.add(name);
    return examples.map((example, index) => {
      const unnamed = index === 0 ? name : `${name} ${index + 1}`;
      const title = example.title === null ? unnamed : `${name}: ${example.title}`;
      return { title, label: escapeHtml(title), id: null, body: printSource(example.code, "json", tools) };
    });
  });
  return printSampleBox(printer.language.words.examples, panels, {
    printer,
    className: "response-example",
  });
}

function printSource(code: string, language: string, { printer }: ApiTools): string {
  return printer.code({ code, language, meta: "" }, { title: null });
}
