import { objectOf, refuseTooMany, type StreamRepair, type WireJson, type WireProtocol } from "./wire-repair.ts";

/**
 * OpenAI's Chat Completions as gateways and local servers speak it: arguments may be an object, and a stream may end
 * without a `finish_reason`.
 */
export const chatWire: WireProtocol = {
  stream: chatRepair,
  answer(json) {
    if (!Array.isArray(json["choices"])) return json;
    return { ...json, choices: json["choices"].map(objectOf).map(chatChoice) };
  },
};

function chatRepair(): StreamRepair {
  let started: WireJson | null = null;
  let called = false;
  let finished = false;
  const calls = new Set<unknown>();
  return {
    event(json) {
      if (!Array.isArray(json["choices"])) return json;
      started = json;
      const choices = json["choices"].map((given: unknown) => {
        const choice = objectOf(given);
        finished ||= typeof choice["finish_reason"] === "string";
        const delta = withTextArguments(objectOf(choice["delta"]));
        const asked = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"].map(objectOf) : [];
        called ||= asked.length > 0;
        for (const { index, id } of asked) calls.add(index ?? id);
        refuseTooMany(Math.max(asked.length, calls.size));
        return { ...choice, delta };
      });
      return { ...json, choices };
    },
    beforeEnd() {
      if (finished || started === null) return null;
      const { usage: _, ...last } = started as WireJson;
      return { ...last, choices: [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }] };
    },
  };
}

/** Ollama sends the arguments of a call as an object. */
function withTextArguments(message: WireJson): WireJson {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return message;
  refuseTooMany(calls.length);
  return {
    ...message,
    tool_calls: calls.map((given: unknown) => {
      const call = objectOf(given);
      const called = objectOf(call["function"]);
      const { arguments: input } = called;
      if (typeof input !== "object" || input === null) return call;
      return { ...call, function: { ...called, arguments: JSON.stringify(input) } };
    }),
  };
}

const chatChoice = (choice: WireJson): WireJson => ({
  ...choice,
  message: withTextArguments(objectOf(choice["message"])),
});

/** The one event of a stream that has the whole answer of a server that does not stream. */
export function chatEventOfAnswer(json: WireJson): WireJson {
  if (!Array.isArray(json["choices"])) return json;
  const choices = json["choices"].map(objectOf).map((given) => {
    const { message, ...choice } = chatChoice(given);
    const delta = objectOf(message);
    const calls = delta["tool_calls"];
    const numbered = Array.isArray(calls) && calls.map((call, index) => ({ ...objectOf(call), index }));
    return { ...choice, delta: { ...delta, ...(numbered && { tool_calls: numbered }) } };
  });
  return { ...json, choices };
}
