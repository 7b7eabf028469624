import { parameterLines, schemaLines } from "#docs/api/operation-markdown.ts";
import { securityLines } from "#docs/api/operation-parts.ts";
import type { ChannelOperationView, ChannelView } from "./channel-view.ts";
import type { BindingView, MessageView } from "./channel-messages.ts";
import { codeSpan, fence, pageOfLines, plainText } from "#docs/api/document-text.ts";

/** A channel as Markdown for agents: the same facts as its page. */
export function channelMarkdown(view: ChannelView): string {
  const lines = [codeSpan(`${view.badge} ${view.address}`), ""];
  if (view.isDeprecated) lines.push("**Deprecated.**", "");
  if (view.description !== null) lines.push(view.description, "");
  if (view.servers.length > 0) {
    const servers = view.servers.map(({ name, url, protocol, description }) => {
      const more = description === null ? "" : `: ${plainText(description)}`;
      return `- ${codeSpan(url)} (${plainText(name)}, ${plainText(protocol)})${more}`;
    });
    lines.push("## Servers", "", ...servers, "");
  }
  lines.push(...securityLines(view.security));
  if (view.parameters.length > 0) {
    const rows = view.parameters.flatMap(({ name, description, schema }) =>
      parameterLines({ name, description, schema, isRequired: true, isDeprecated: false }),
    );
    lines.push("## Path parameters", "", ...rows, "");
  }
  lines.push(...bindingLines(view.bindings));
  if (view.operations.length > 0) lines.push("## Operations", "", ...view.operations.flatMap(operationLines));
  if (view.messages.length > 0) lines.push("## Messages", "", ...view.messages.flatMap(messageLines));
  return pageOfLines(lines, "AsyncAPI");
}

function operationLines(operation: ChannelOperationView): string[] {
  const { title, name, direction, description, security, messages, reply } = operation;
  return [
    `### ${plainText(title ?? name ?? direction)}`,
    "",
    `The application ${direction}s these messages.`,
    "",
    ...(operation.isDeprecated ? ["**Deprecated.**", ""] : []),
    ...(description === null ? [] : [description, ""]),
    ...securityLines(security, "Authorization:"),
    ...bindingLines(operation.bindings),
    ...messages.flatMap(messageLines),
    ...(reply === null ? [] : [`Reply${reply.address === null ? "" : ` at ${codeSpan(reply.address)}`}:`, ""]),
    ...(reply?.messages.flatMap(messageLines) ?? []),
  ];
}

function messageLines(message: MessageView): string[] {
  const { name, title, description, contentType, headers, payload, foreign, examples } = message;
  const type = contentType === null ? "" : ` (${codeSpan(contentType)})`;
  const [example] = examples;
  return [
    `#### Message ${codeSpan(name)}${type}`,
    "",
    ...(title === null || title === name ? [] : [plainText(title), ""]),
    ...(message.isDeprecated ? ["**Deprecated.**", ""] : []),
    ...(description === null ? [] : [description, ""]),
    ...(headers === null ? [] : ["Headers:", "", ...schemaLines(headers), ""]),
    ...(payload === null ? [] : ["Payload:", "", ...schemaLines(payload), ""]),
    ...(foreign === null ? [] : [`Payload (${plainText(foreign.format)}):`, "", ...fence("", foreign.code), ""]),
    ...(example === undefined ? [] : ["Example:", "", ...fence("json", example.code), ""]),
  ];
}

function bindingLines(bindings: readonly BindingView[]): string[] {
  return bindings.flatMap(({ protocol, code }) => [
    `Bindings (${plainText(protocol)}):`,
    "",
    ...fence("json", code),
    "",
  ]);
}
