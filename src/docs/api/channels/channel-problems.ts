import { isJsonObject, type Json, type JsonObject } from "#docs/json-document.ts";
import { follow } from "#docs/api/references.ts";

/** What is broken in an AsyncAPI document, and the names that lead to the place. */
export interface ChannelProblem {
  message: string;
  way: readonly string[];
  /** The `$ref` that points to nothing; null when something else is wrong. */
  reference: string | null;
}

const MAX_PROBLEMS = 30;

/** Broken parts that cost a reader something: what they name is left out, and the rest is shown. */
export function channelProblems(root: JsonObject): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const complain = (way: readonly string[], message: string, broken?: Json) => {
    const reference = isJsonObject(broken) && typeof broken["$ref"] === "string" ? broken["$ref"] : null;
    if (problems.length < MAX_PROBLEMS) problems.push({ message, way, reference });
  };
  const entries = (name: string) =>
    Object.entries(follow(root, root[name])?.object ?? {}).filter(([key]) => !key.startsWith("x-"));
  if (follow(root, root["channels"]) === null) complain(["channels"], 'The document has no map of "channels".');
  const looked = new Set<JsonObject>();
  for (const [id, written] of entries("channels")) {
    const channel = follow(root, written)?.object;
    const name = id.slice(0, 200);
    if (channel === undefined) {
      complain(["channels", id], `The channel "${name}" is not an object, or its $ref points to nothing.`, written);
      continue;
    }
    const messages = follow(root, channel["messages"])?.object ?? {};
    // Many channels may share one map: what is wrong in it is told once.
    if (looked.has(messages)) continue;
    looked.add(messages);
    for (const [message, each] of Object.entries(messages)) {
      if (follow(root, each) !== null) continue;
      const text = `The message "${message.slice(0, 200)}" of the channel "${name}" is not an object, or its $ref points to nothing.`;
      complain(["channels", id, "messages", message], text, each);
    }
  }
  for (const [name, written] of entries("operations")) {
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
    }
  }
  return problems;
}
