import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { CHARACTERS, MAX_OPERATIONS, SHOWN } from "#docs/api/bounds.ts";
import { plainSummary, textOf } from "#docs/api/document-text.ts";
import { aboutOf } from "#docs/api/external-docs.ts";
import { slugPart, type ListedOperation, listingOf, tagNames } from "#docs/api/operations.ts";
import { follow, partsIn } from "#docs/api/references.ts";
import { protocolsOfChannel } from "./channel-servers.ts";

/** What the described application does at a channel. */
export interface ChannelAction {
  /** From the application's point of view: it sends what readers receive. */
  direction: "send" | "receive";
  name: string | null;
  operation: JsonObject;
}

/** Whether a document is AsyncAPI, of any version. */
export function isAsyncApi(root: JsonObject): boolean {
  return root["asyncapi"] !== undefined && root["openapi"] === undefined;
}

/** The channels of an AsyncAPI document in their order, as entries for lists. */
export function channelsOf(root: JsonObject): ListedOperation[] {
  const actions = actionsByChannel(root);
  return partsIn(root, root["channels"])
    .slice(0, MAX_OPERATIONS)
    .flatMap(([id, written]) => {
      const found = follow(root, written);
      return found === null ? [] : [summarise(root, { id, channel: found.object, actions: actions(found) })];
    });
}

/** The actions at each channel. In 2.x `publish` is what readers do, so the application receives. */
export function actionsByChannel(
  root: JsonObject,
): (channel: { object: JsonObject; target: JsonObject }) => ChannelAction[] {
  const byTarget = new Map<JsonObject, ChannelAction[]>();
  for (const [name, written] of Object.entries(follow(root, root["operations"])?.object ?? {})) {
    const operation = follow(root, written)?.object;
    const target = follow(root, operation?.["channel"])?.target;
    const direction = (["send", "receive"] as const).find((each) => each === operation?.["action"]);
    if (operation === undefined || target === undefined || direction === undefined) continue;
    const actions = byTarget.get(target) ?? [];
    byTarget.set(target, actions);
    if (actions.length < SHOWN.actions) actions.push({ direction, name: name.slice(0, CHARACTERS.name), operation });
  }
  return ({ object, target }) => {
    const own = (["subscribe", "publish"] as const).flatMap((verb): ChannelAction[] => {
      const operation = follow(root, object[verb])?.object;
      const direction = verb === "subscribe" ? "send" : "receive";
      return operation === undefined
        ? []
        : [{ direction, name: textOf(operation["operationId"], CHARACTERS.name), operation }];
    });
    return [...(byTarget.get(target) ?? []), ...own];
  };
}

/** `WSS` for a WebSocket; otherwise what readers do there: `PUB`, `SUB`, or both. */
export function channelBadge(protocols: readonly string[], actions: readonly ChannelAction[]): string {
  if (protocols.some((protocol) => /^wss?$/i.test(protocol))) return "WSS";
  const directions = new Set(actions.map(({ direction }) => direction));
  if (directions.size === 1) return directions.has("send") ? "SUB" : "PUB";
  return directions.size === 2 ? "PUB/SUB" : "CHANNEL";
}

function summarise(
  root: JsonObject,
  { id, channel, actions }: { id: string; channel: JsonObject; actions: readonly ChannelAction[] },
): ListedOperation {
  const protocols = protocolsOfChannel(root, channel);
  const method = channelBadge(protocols, actions);
  const title = textOf(channel["title"], CHARACTERS.summary) ?? id.slice(0, CHARACTERS.name);
  const tag = tagNames(root, channel["tags"])[0] ?? (method === "WSS" ? "Websockets" : "Channels");
  const parts = [slugPart(tag), slugPart(title) || "channel"];
  return {
    method,
    path: id,
    slug: parts.filter((part) => part !== "").join("/"),
    title,
    description: plainSummary(aboutOf(root, channel)),
    tag,
    ...listingOf(root, channel),
  };
}

/** A broken part of an AsyncAPI document, and the names of the fields that lead to it. */
interface ChannelProblem {
  message: string;
  way: readonly string[];
  /** The `$ref` whose target does not exist; null when something else is wrong. */
  reference: string | null;
}

/** Broken parts that affect readers: the part is left out, and the rest is shown. */
export function channelProblems(root: JsonObject): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const complain = (way: readonly string[], message: string, broken?: Json) => {
    const reference = isJsonObject(broken) && typeof broken["$ref"] === "string" ? broken["$ref"] : null;
    problems.push({ message, way, reference });
  };
  if (follow(root, root["channels"]) === null) complain(["channels"], 'The document has no map of "channels".');
  const looked = new Set<JsonObject>();
  for (const [id, written] of partsIn(root, root["channels"])) {
    const channel = follow(root, written)?.object;
    const name = id.slice(0, 200);
    if (channel === undefined) {
      complain(["channels", id], `The channel "${name}" is not an object, or its $ref points to nothing.`, written);
      continue;
    }
    const messages = follow(root, channel["messages"])?.object ?? {};
    // Many channels may share one map: its problems are reported once.
    if (looked.has(messages)) continue;
    looked.add(messages);
    for (const [message, each] of Object.entries(messages)) {
      if (follow(root, each) !== null) continue;
      const text = `The message "${message.slice(0, 200)}" of the channel "${name}" is not an object, or its $ref points to nothing.`;
      complain(["channels", id, "messages", message], text, each);
    }
  }
  const actions = new Map<JsonObject, number>();
  for (const [name, written] of partsIn(root, root["operations"])) {
    const operation = follow(root, written)?.object;
    const shown = name.slice(0, 200);
    const way = ["operations", name];
    const channel = operation?.["channel"];
    if (operation === undefined) {
      complain(way, `The operation "${shown}" is not an object, or its $ref points to nothing.`, written);
    } else if (operation["action"] !== "send" && operation["action"] !== "receive") {
      const text = `The operation "${shown}" needs "action: send" or "action: receive"; it is left out.`;
      complain([...way, "action"], text);
    } else if (!isJsonObject(channel) || follow(root, channel) === null) {
      const text = `The channel of the operation "${shown}" does not exist; the operation is left out.`;
      complain([...way, "channel"], text, channel);
    } else {
      const { target } = follow(root, channel)!;
      actions.set(target, (actions.get(target) ?? 0) + 1);
      if (actions.get(target) === SHOWN.actions + 1)
        complain(way, `Only the first ${SHOWN.actions} operations of its channel are shown; "${shown}" is left out.`);
    }
  }
  return problems;
}
