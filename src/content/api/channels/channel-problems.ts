import { isJsonObject, type JsonObject } from "#content/json-document.ts";
import { follow } from "#content/api/references.ts";

/** What is broken in an AsyncAPI document, with words that stand in it near the place. */
export interface ChannelProblem {
  message: string;
  near: string;
}

const MAX_PROBLEMS = 30;

/** Broken parts that cost a reader something: what they name is left out, and the rest is shown. */
export function channelProblems(root: JsonObject): ChannelProblem[] {
  const problems: ChannelProblem[] = [];
  const complain = (message: string, near: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ message, near });
  };
  const channels = follow(root, root["channels"])?.object;
  if (channels === undefined) complain('The document has no "channels".', "asyncapi");
  for (const [id, written] of Object.entries(channels ?? {})) {
    const channel = follow(root, written)?.object;
    const name = id.slice(0, 200);
    if (channel === undefined) {
      if (!id.startsWith("x-")) complain(`The channel "${name}" is no object, or its $ref leads nowhere.`, id);
      continue;
    }
    for (const [message, each] of Object.entries(follow(root, channel["messages"])?.object ?? {})) {
      if (follow(root, each) !== null) continue;
      complain(`The message "${message.slice(0, 200)}" of the channel "${name}" leads nowhere.`, message);
    }
  }
  for (const [name, written] of Object.entries(follow(root, root["operations"])?.object ?? {})) {
    if (name.startsWith("x-")) continue;
    const operation = follow(root, written)?.object;
    const shown = name.slice(0, 200);
    if (operation === undefined) complain(`The operation "${shown}" is no object, or its $ref leads nowhere.`, name);
    else if (operation["action"] !== "send" && operation["action"] !== "receive") {
      complain(`The operation "${shown}" needs "action: send" or "action: receive"; it is left out.`, name);
    } else if (!isJsonObject(operation["channel"]) || follow(root, operation["channel"]) === null) {
      complain(`The channel of the operation "${shown}" leads nowhere; the operation is left out.`, name);
    }
  }
  return problems;
}
