import { EventSourceParserStream, type EventSourceMessage } from "eventsource-parser/stream";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatEventOfAnswer, chatWire, withNewerLimit } from "./chat-wire.ts";
import { ModelCallError } from "./failure.ts";
import { webPageFrom } from "./failure-facts.ts";
import { responsesWire } from "./responses-wire.ts";
import type { ProviderSettings } from "./settings.ts";
import { jsonObject, type StreamRepair, type WireJson, type WireProtocol } from "./wire-repair.ts";

type Fetch = typeof globalThis.fetch;

// Real responses stay under 1 MB (OpenAI streams each four times); an endless one would fill the memory.
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * A `fetch` whose responses the SDK's packages can read. The packages reject a whole response for one unknown event,
 * although providers ask clients to skip such events, and gateways and local servers speak older or sloppier variants
 * of the same protocols: see the repairs of each. On every protocol, events without data are skipped, and a chat
 * server may answer without a stream. A web page in place of an answer is an outage, as of a gateway
 * that starts or a proxy that requests a sign-in. Responses are limited to 32 MB.
 */
export function lenientFetch(fetch: Fetch, kind: ProviderSettings["kind"]): Fetch {
  const send = kind === "openai-compatible" ? withNewerLimit(bounded(fetch)) : bounded(fetch);
  return async (...request) => {
    const response = await send(...request);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const type = headers.get("content-type") ?? "";
    if (response.ok && type.includes("text/event-stream")) {
      return new Response(repairedStream(body, wires[kind].stream()), { status, statusText, headers });
    }
    if (response.ok && type.includes("json")) {
      const text = await new Response(body).text();
      if (text.trimStart().startsWith("<")) throw webPage(request[0]);
      const isStream = kind === "openai-compatible" && asksForStream(request[1]);
      return isStream ? streamOfAnswer(text, response) : new Response(repairedAnswer(text, kind), response);
    }
    return response;
  };
}

function bounded(fetch: Fetch): Fetch {
  return async (...request) => {
    const response = await fetch(...request);
    if (response.body === null) return response;
    if (response.ok && /html/i.test(response.headers.get("content-type") ?? "")) {
      await response.body.cancel();
      throw webPage(response.url || request[0]);
    }
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(boundedBody()), { status, statusText, headers });
  };
}

/** `address`: where the page came from, after redirects. */
function webPage(address: Parameters<Fetch>[0]): ModelCallError {
  const url = address instanceof Request ? address.url : String(address);
  return new ModelCallError("model_unavailable", webPageFrom(url), {
    retryable: true,
    hint: "Check the address of the provider, and whether a gateway or a proxy between answers in its place, then send the message again.",
  });
}

function boundedBody(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
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
  const json = jsonObject(data);
  if (json === null) return data.trim() === "" ? [] : [`${name}${eventOf(data)}`];
  const repaired = Object.keys(json).length === 0 ? null : repair.event(json);
  return repaired ? [`${name}${eventOf(repaired)}`] : [];
}

/** Serializes one event; text that is not JSON keeps its lines, so that the SDK rejects it. */
const eventOf = (data: WireJson | string) =>
  `${(typeof data === "string" ? data : JSON.stringify(data)).replaceAll(/^/gm, "data: ")}\n\n`;

const wires: Record<ProviderSettings["kind"], WireProtocol> = {
  anthropic: anthropicWire,
  "openai-compatible": chatWire,
  openai: responsesWire,
  google: { stream: () => ({ event: (json) => json }), answer: (json) => json },
};

/** Repairs a response that is not streamed. */
function repairedAnswer(text: string, kind: ProviderSettings["kind"]): string {
  const json = jsonObject(text);
  return json === null ? text : JSON.stringify(wires[kind].answer(json));
}

const asksForStream = (init: RequestInit | undefined) =>
  typeof init?.body === "string" && jsonObject(init.body)?.["stream"] === true;

/** Converts the response of a server that does not stream into a stream of one event. */
function streamOfAnswer(text: string, { status, statusText }: Response): Response {
  const json = jsonObject(text);
  const headers = { "content-type": "text/event-stream" };
  if (json === null) {
    throw new ModelCallError(
      "model_error",
      'the server answered with something other than a stream. If it cannot stream, set "streaming": false for this provider',
      { retryable: false },
    );
  }
  const repair = chatWire.stream();
  const event = repair.event(chatEventOfAnswer(json));
  const events = [event, repair.beforeEnd?.() ?? null].flatMap((one) => (one ? [eventOf(one)] : []));
  return new Response(`${events.join("")}data: ${END_OF_STREAM}\n\n`, { status, statusText, headers });
}
