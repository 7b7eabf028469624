import { CHARACTERS, SHOWN } from "#docs/api/bounds.ts";
import type { Json, JsonObject } from "#docs/json-document.ts";
import { descriptionOf, textOf } from "#docs/api/document-text.ts";
import { aboutOf } from "#docs/api/external-docs.ts";
import { tagsOfPage } from "#docs/api/operations.ts";
import { follow, partsIn } from "#docs/api/references.ts";
import {
  anyLeftOut,
  createSchemaReader,
  type LeftOutOfPage,
  type SchemaReader,
  type SchemaTree,
} from "#docs/api/schema-tree.ts";
import { securityOf, type SecurityChoice } from "#docs/api/security.ts";
import { actionsByChannel, channelBadge, type ChannelAction } from "./channel-list.ts";
import { bindingsOf, messagesOf, withTraits, type BindingView, type MessageView } from "./channel-messages.ts";
import { serversOfChannel, type ChannelServer } from "./channel-servers.ts";

/** One channel as its page shows it, with every reference followed. */
export interface ChannelView {
  badge: string;
  /** Where messages go: a topic or a path; the channel's name where the document has no address. */
  address: string;
  title: string | null;
  description: string | null;
  isDeprecated: boolean;
  tags: readonly string[];
  servers: readonly ChannelServer[];
  security: readonly SecurityChoice[];
  parameters: readonly { name: string; description: string | null; schema: SchemaTree }[];
  bindings: readonly BindingView[];
  operations: readonly ChannelOperationView[];
  /** Messages that no operation mentions. */
  messages: readonly MessageView[];
  leftOut: LeftOutOfPage;
}

export interface ChannelOperationView {
  direction: ChannelAction["direction"];
  name: string | null;
  title: string | null;
  description: string | null;
  isDeprecated: boolean;
  security: readonly SecurityChoice[];
  bindings: readonly BindingView[];
  messages: readonly MessageView[];
  reply: { address: string | null; description: string | null; messages: readonly MessageView[] } | null;
}

/** Reads one channel by its name in the document; null when it does not exist. */
export function viewChannel(root: JsonObject, id: string): ChannelView | null {
  const written = partsIn(root, root["channels"]).find(([name]) => name === id)?.[1];
  const found = follow(root, written);
  if (found === null) return null;
  const channel = found.object;
  const actions = actionsByChannel(root)(found);
  const servers = serversOfChannel(root, channel);
  const readers = { send: createSchemaReader(root, "response"), receive: createSchemaReader(root, "request") };
  const operations = actions.map((action) => operationOf(root, channel, { action, reader: readers[action.direction] }));
  const all = messagesOf(root, channel["messages"], readers.send);
  const spoken = new Set(
    operations.flatMap(({ messages, reply }) => [...messages, ...(reply?.messages ?? [])]).map(({ name }) => name),
  );
  const parameters = parametersOf(root, channel["parameters"], readers.receive);
  return {
    badge: channelBadge(
      servers.map(({ protocol }) => protocol),
      actions,
    ),
    address: textOf(channel["address"], CHARACTERS.url) ?? id,
    title: textOf(channel["title"], CHARACTERS.summary),
    description: aboutOf(root, channel),
    isDeprecated: channel["deprecated"] === true,
    tags: tagsOfPage(root, channel["tags"]),
    servers,
    security: securityOfAll(servers),
    parameters,
    bindings: bindingsOf(root, channel["bindings"]),
    operations,
    messages: all.filter(({ name }) => !spoken.has(name)),
    leftOut: anyLeftOut(readers.send, readers.receive),
  };
}

/** Each choice once: the servers of one document mostly require the same. */
function securityOfAll(servers: readonly ChannelServer[]): SecurityChoice[] {
  const choices = new Map(servers.flatMap(({ security }) => security).map((each) => [JSON.stringify(each), each]));
  return [...choices.values()];
}

function parametersOf(root: JsonObject, written: Json | undefined, reader: SchemaReader): ChannelView["parameters"] {
  return Object.entries(follow(root, written)?.object ?? {})
    .slice(0, SHOWN.parameters)
    .flatMap(([name, each]) => {
      const parameter = follow(root, each)?.object;
      // Since 3.0 a parameter is a string, and the parameter itself has the fields that a schema would have.
      const { description: _, schema, ...rest } = parameter ?? {};
      const tree = reader.tree(schema ?? { type: "string", ...rest });
      if (parameter === undefined || tree === null) return [];
      const location = textOf(parameter["location"], CHARACTERS.url);
      const place = location === null ? [] : [{ label: "location" as const, value: location }];
      return [
        {
          name: name.slice(0, CHARACTERS.name),
          description: descriptionOf(parameter),
          schema: { ...tree, constraints: [...tree.constraints, ...place] },
        },
      ];
    });
}

function operationOf(
  root: JsonObject,
  channel: JsonObject,
  { action, reader }: { action: ChannelAction; reader: SchemaReader },
): ChannelOperationView {
  const operation = withTraits(root, action.operation);
  const reply = follow(root, operation["reply"])?.object;
  const replyChannel = follow(root, reply?.["channel"])?.object;
  const title = textOf(operation["title"], CHARACTERS.summary) ?? textOf(operation["summary"], CHARACTERS.summary);
  return {
    direction: action.direction,
    name: action.name,
    title,
    description: aboutOf(root, operation, title),
    isDeprecated: operation["deprecated"] === true,
    security: securityOf(root, operation["security"]),
    bindings: bindingsOf(root, operation["bindings"]),
    messages: messagesOf(root, operation["message"] ?? operation["messages"] ?? channel["messages"], reader),
    reply:
      reply === undefined
        ? null
        : {
            address:
              textOf(replyChannel?.["address"], CHARACTERS.url) ??
              textOf(follow(root, reply["address"])?.object["location"], CHARACTERS.url),
            description: descriptionOf(follow(root, reply["address"])?.object),
            messages: messagesOf(root, reply["messages"] ?? replyChannel?.["messages"], reader),
          },
  };
}
