import { EventSourceParserStream, type EventSourceMessage } from "eventsource-parser/stream";
import { ModelCallError } from "./failure.ts";
import type { ProviderSettings } from "./settings.ts";

type Json = Record<string, unknown>;
/** Repairs one JSON event of a stream, or a whole JSON response. Null drops the event. */
type Repair = (json: Json) => Json | null;
type Fetch = typeof globalThis.fetch;

// Real responses stay under 1 MB (OpenAI streams each four times); an endless one would fill the memory.
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * A `fetch` whose responses the SDK's packages can read. The packages reject a whole response for one unknown event,
 * although providers ask clients to skip such events, and gateways and local servers speak older or sloppier variants
 * of the same protocols. Responses are limited to 32 MB.
 *
 * - Anthropic (https://docs.claude.com/en/api/versioning and /en/build-with-claude/streaming, November 2026): unknown
 *   events, content blocks and deltas are skipped; a `message_delta` without `usage` is accepted; ids of tool calls are
 *   made unique, because the SDK finds the arguments of a call by its id.
 * - OpenAI chat: events without data are skipped, arguments may be an object, a stream may end without a
 *   `finish_reason`, and a response that is not streamed is accepted in place of a stream.
 */
export function lenientFetch(fetch: Fetch, kind: ProviderSettings["kind"]): Fetch {
  return async (...request) => {
    const response = await fetch(...request);
    if (response.body === null) return response;
    const body = response.body.pipeThrough(bounded());
    const { status, statusText, headers } = response;
    const type = headers.get("content-type") ?? "";
    if (response.ok && type.includes("text/event-stream")) {
      return new Response(repairedStream(body, streamRepairs[kind]()), { status, statusText, headers });
    }
    if (response.ok && type.includes("json")) {
      const text = await new Response(body).text();
      const isStream = kind === "openai-compatible" && asksForStream(request[1]);
      return isStream ? streamOfAnswer(text, response) : new Response(repairedAnswer(text, kind), response);
    }
    return new Response(body, { status, statusText, headers });
  };
}

function bounded(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let sizeBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
      const message = `the answer was larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`;
      controller.error(new ModelCallError("model_error", message, { retryable: false }));
    },
  });
}

const END_OF_STREAM = "[DONE]";

interface StreamRepair {
  event: Repair;
  /** An event to insert before the end of the stream if the server left it out. */
  beforeEnd?(): Json | null;
}

function repairedStream(body: ReadableStream<Uint8Array<ArrayBuffer>>, repair: StreamRepair): ReadableStream {
  return body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(
      new TransformStream<EventSourceMessage, string>({
        transform(message, controller) {
          for (const text of repairedEvents(message, repair)) controller.enqueue(text);
        },
      }),
    )
    .pipeThrough(new TextEncoderStream());
}

function repairedEvents({ event, data }: EventSourceMessage, repair: StreamRepair): string[] {
  const name = event === undefined ? "" : `event: ${event}\n`;
  if (data.trim() === END_OF_STREAM) {
    const missing = repair.beforeEnd?.();
    return [...(missing ? [eventOf(missing)] : []), `data: ${END_OF_STREAM}\n\n`];
  }
  const json = readJson(data);
  if (json === null) return data.trim() === "" ? [] : [`${name}${eventOf(data)}`];
  const repaired = Object.keys(json).length === 0 ? null : repair.event(json);
  return repaired ? [`${name}${eventOf(repaired)}`] : [];
}

/** Serializes one event; text that is not JSON keeps its lines, so that the SDK rejects it. */
const eventOf = (data: Json | string) =>
  `${(typeof data === "string" ? data : JSON.stringify(data)).replaceAll(/^/gm, "data: ")}\n\n`;

const streamRepairs: Record<ProviderSettings["kind"], () => StreamRepair> = {
  anthropic: anthropicRepair,
  "openai-compatible": chatRepair,
  openai: () => ({ event: (json) => json }),
  google: () => ({ event: (json) => json }),
};

const ANTHROPIC_EVENTS = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);
// Only blocks that Docent's requests can cause: it uses none of the provider's own tools.
const ANTHROPIC_BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const ANTHROPIC_DELTAS = new Set(["text_delta", "input_json_delta", "thinking_delta", "signature_delta"]);

// A negative count is replaced by an estimate, see `credible`.
const NOT_COUNTED = { input_tokens: -1, output_tokens: -1 };

function anthropicRepair(): StreamRepair {
  const skipped = new Set<unknown>();
  const withUniqueId = createIds();
  let blocks = 0;
  return {
    event(json) {
      const { type, index } = json;
      if (!ANTHROPIC_EVENTS.has(String(type))) return null;
      if (type === "content_block_start") {
        const block = objectOf(json["content_block"]);
        refuseTooMany(++blocks);
        if (ANTHROPIC_BLOCKS.has(String(block["type"]))) return { ...json, content_block: withUniqueId(block) };
        skipped.add(index);
        return null;
      }
      if (type === "content_block_delta") {
        return skipped.has(index) || !ANTHROPIC_DELTAS.has(String(objectOf(json["delta"])["type"])) ? null : json;
      }
      if (type === "content_block_stop") return skipped.delete(index) ? null : json;
      if (type === "message_start") {
        const message = objectOf(json["message"]);
        return { ...json, message: { ...message, usage: { ...NOT_COUNTED, ...objectOf(message["usage"]) } } };
      }
      return type === "message_delta" ? { ...json, usage: { output_tokens: -1, ...objectOf(json["usage"]) } } : json;
    },
  };
}

/** Makes ids of tool calls unique by appending a count to repeated ones. */
function createIds(): (block: Json) => Json {
  const counts = new Map<string, number>();
  return (block) => {
    const { id } = block;
    if (block["type"] !== "tool_use" || typeof id !== "string") return block;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? block : { ...block, id: `${id}_${count}` };
  };
}

// Real models send up to a hundred; the SDK takes seconds and a gigabyte for ten thousand.
const MAX_PARTS = 1_000;

function refuseTooMany(count: number): void {
  if (count <= MAX_PARTS) return;
  const message = `the answer had more than ${MAX_PARTS} parts`;
  throw new ModelCallError("model_error", message, { retryable: false });
}

function chatRepair(): StreamRepair {
  let started: Json | null = null;
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
      const { usage: _, ...last } = started as Json;
      return { ...last, choices: [{ index: 0, delta: {}, finish_reason: called ? "tool_calls" : "stop" }] };
    },
  };
}

/** Ollama sends the arguments of a call as an object. */
function withTextArguments(message: Json): Json {
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

/** Repairs a response that is not streamed. */
function repairedAnswer(text: string, kind: ProviderSettings["kind"]): string {
  const json = readJson(text);
  if (json === null) return text;
  if (kind === "anthropic" && Array.isArray(json["content"])) {
    refuseTooMany(json["content"].length);
    const blocks = json["content"].map(objectOf).filter((block) => ANTHROPIC_BLOCKS.has(String(block["type"])));
    const usage = { ...NOT_COUNTED, ...objectOf(json["usage"]) };
    return JSON.stringify({ ...json, usage, content: blocks.map(createIds()) });
  }
  if (kind === "openai-compatible" && Array.isArray(json["choices"])) {
    return JSON.stringify({ ...json, choices: json["choices"].map(objectOf).map(chatChoice) });
  }
  return text;
}

const chatChoice = (choice: Json): Json => ({ ...choice, message: withTextArguments(objectOf(choice["message"])) });

const asksForStream = (init: RequestInit | undefined) =>
  typeof init?.body === "string" && readJson(init.body)?.["stream"] === true;

/** Converts the response of a server that does not stream into a stream of one event. */
function streamOfAnswer(text: string, { status, statusText }: Response): Response {
  const json = readJson(text);
  const headers = { "content-type": "text/event-stream" };
  if (json === null) {
    throw new ModelCallError(
      "model_error",
      'the server answered with something other than a stream. If it cannot stream, set "streaming": false for this provider',
      { retryable: false },
    );
  }
  const choices = Array.isArray(json["choices"])
    ? json["choices"].map(objectOf).map((given) => {
        const { message, ...choice } = chatChoice(given);
        const delta = objectOf(message);
        const calls = delta["tool_calls"];
        const numbered = Array.isArray(calls) && calls.map((call, index) => ({ ...objectOf(call), index }));
        return { ...choice, delta: { ...delta, ...(numbered && { tool_calls: numbered }) } };
      })
    : undefined;
  const repair = chatRepair();
  const event = repair.event({ ...json, ...(choices && { choices }) });
  const events = [event, repair.beforeEnd?.() ?? null].flatMap((one) => (one ? [eventOf(one)] : []));
  return new Response(`${events.join("")}data: ${END_OF_STREAM}\n\n`, { status, statusText, headers });
}

function readJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
