import { parameterLines, schemaLines } from "#docs/api/operation-markdown.ts";
import { securityLines } from "#docs/api/security-markdown.ts";
import type { ChannelOperationView, ChannelView } from "./channel-view.ts";
import type { BindingView, MessageView } from "./channel-messages.ts";
import { codeSpan, fence, introLines, linesUnder, pageOfLines, plainText, tagLines } from "#docs/api/document-text.ts";

/** A channel as Markdown for agents: the same facts as its page. */
export function channelMarkdown(view: ChannelView): string {
  const lines = [codeSpan(`${view.badge} ${view.address}`), ""];
  const servers = view.servers.map(({ name, url, protocol, protocolVersion, description }) => {
    const more = description === null ? "" : `: ${plainText(description)}`;
    return `- ${codeSpan(url)} (${plainText(name)}, ${plainText([protocol, protocolVersion].filter(Boolean).join(" "))})${more}`;
  });
  const parameters = view.parameters.flatMap((each) => parameterLines({ ...each, isRequired: true }));
  lines.push(
    ...introLines(view),
    ...tagLines(view.tags),
    ...linesUnder("## Servers", servers),
    ...view.servers.flatMap(({ name, bindings }) => bindingLines(bindings, `Bindings of ${plainText(name)}`)),
    ...securityLines(view.security),
    ...linesUnder("## Path parameters", parameters),
    ...bindingLines(view.bindings),
  );
  if (view.operations.length > 0) lines.push("## Operations", "", ...view.operations.flatMap(operationLines));
  if (view.messages.length > 0) lines.push("## Messages", "", ...view.messages.flatMap(messageLines));
  return pageOfLines(lines, "AsyncAPI");
}

function operationLines(operation: ChannelOperationView): string[] {
  const { title, name, direction, security, messages, reply } = operation;
  return [
    `### ${plainText(title ?? name ?? direction)}`,
    "",
    `The application ${direction}s these messages.`,
    "",
    ...introLines(operation),
    ...securityLines(security, "Authorization:"),
    ...bindingLines(operation.bindings),
    ...messages.flatMap(messageLines),
    ...(reply === null ? [] : [`Reply${reply.address === null ? "" : ` at ${codeSpan(reply.address)}`}:`, ""]),
    ...(typeof reply?.description === "string" ? [reply.description, ""] : []),
    ...(reply?.messages.flatMap(messageLines) ?? []),
  ];
}

function messageLines(message: MessageView): string[] {
  const { name, title, contentType, headers, payload, foreign, correlation, examples } = message;
  const type = contentType === null ? "" : ` (${codeSpan(contentType)})`;
  return [
    `#### Message ${codeSpan(name)}${type}`,
    "",
    ...(title === null || title === name ? [] : [plainText(title), ""]),
    ...introLines(message),
    ...(correlation === null ? [] : [`Correlation ID: ${codeSpan(correlation.location)}`, ""]),
    ...(typeof correlation?.description === "string" ? [correlation.description, ""] : []),
    ...bindingLines(message.bindings),
    ...linesUnder("Headers:", headers === null ? [] : schemaLines(headers)),
    ...linesUnder("Payload:", payload === null ? [] : schemaLines(payload)),
    ...(foreign === null ? [] : linesUnder(`Payload (${plainText(foreign.format)}):`, fence("", foreign.code))),
    ...examples.flatMap((example, index) =>
      linesUnder(
        example.title === null
          ? `Example${examples.length === 1 ? "" : ` ${index + 1}`}:`
          : `Example "${plainText(example.title)}":`,
        fence("json", example.code),
      ),
    ),
  ];
}

function bindingLines(bindings: readonly BindingView[], title = "Bindings"): string[] {
  return bindings.flatMap(({ protocol, code }) =>
    linesUnder(`${title} (${plainText(protocol)}):`, fence("json", code)),
  );
}
