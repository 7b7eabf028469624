import {
  jsonObject,
  objectOf,
  refuseTooMany,
  type StreamRepair,
  type WireJson,
  type WireProtocol,
} from "./wire-repair.ts";

/**
 * OpenAI's Chat Completions as gateways and local servers speak it: arguments may be an object, a stream may end
 * without a `finish_reason`, an error may be in a choice, and tokens are counted in several ways.
 */
export const chatWire: WireProtocol = {
  stream: chatRepair,
  answer(json) {
    if (!Array.isArray(json["choices"])) return json;
    return failedChoice(json) ?? { ...withUsualUsage(json), choices: json["choices"].map(objectOf).map(chatChoice) };
  },
};

/** OpenRouter reports an upstream error in the choice (November 2026). */
function failedChoice({ choices }: WireJson): WireJson | null {
  const errors = (choices as unknown[]).map((choice) => objectOf(choice)["error"]);
  const error = errors.find((one) => typeof one === "object" && one !== null);
  return error === undefined ? null : { error };
}

/**
 * Token counts as OpenAI sends them (November 2026). xAI leaves the reasoning out of `completion_tokens`; Moonshot has
 * the cached tokens at the top, DeepSeek under a name of its own.
 */
function withUsualUsage(json: WireJson): WireJson {
  const usage = objectOf(json["usage"]);
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const reasoning = objectOf(usage["completion_tokens_details"])["reasoning_tokens"];
  const isApart = Number(reasoning) > 0 && Number(prompt) + Number(completion) + Number(reasoning) === total;
  const details = objectOf(usage["prompt_tokens_details"]);
  const cached = details["cached_tokens"] ?? usage["cached_tokens"] ?? usage["prompt_cache_hit_tokens"];
  if (!isApart && cached === details["cached_tokens"]) return json;
  return {
    ...json,
    usage: {
      ...usage,
      ...(isApart && { completion_tokens: Number(completion) + Number(reasoning) }),
      ...(cached !== undefined && { prompt_tokens_details: { ...details, cached_tokens: cached } }),
    },
  };
}

function chatRepair(): StreamRepair {
  let started: WireJson | null = null;
  let called = false;
  let finished = false;
  const calls = new Set<unknown>();
  return {
    event(json) {
      if (!Array.isArray(json["choices"])) return json;
      const failed = failedChoice(json);
      if (failed) return failed;
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
      return { ...withUsualUsage(json), choices };
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

/**
 * Sends the output limit as `max_completion_tokens` once the server has asked for that: OpenAI's reasoning models
 * refuse `max_tokens`, most other servers know nothing else (November 2026).
 */
export function withNewerLimit(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let isNewer = false;
  return async (address, init) => {
    const renamed = () => (typeof init?.body === "string" ? { ...init, body: renamedLimit(init.body) } : init);
    if (isNewer) return fetch(address, renamed());
    const response = await fetch(address, init);
    if (response.status !== 400) return response;
    const text = await response.text();
    if (!text.includes("max_completion_tokens")) return new Response(text, response);
    isNewer = true;
    return fetch(address, renamed());
  };
}

function renamedLimit(body: string): string {
  const { max_tokens: limit, ...rest } = jsonObject(body) ?? {};
  return limit === undefined ? body : JSON.stringify({ ...rest, max_completion_tokens: limit });
}
