import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { ModelCallError, StreamedError } from "./failure.ts";
import { nothingReceived, type Received, usageOfEvent } from "./received.ts";

/**
 * The same model with a `doGenerate` that collects the stream. Long responses then avoid the 300 s timeout of Node's
 * `fetch` for response headers, a dead connection is detected after `idleMs` without an event, and a response that ends
 * without a finish reason is an error, not a shorter response.
 */
export function overStream(model: LanguageModelV4, options: { idleMs: number }): StreamedModel {
  const streamed = (received: Received): LanguageModelV4 => ({
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream: (call) => model.doStream(call),
    doGenerate: (call) => collect(model, call, { ...options, received }),
  });
  return { ...streamed(nothingReceived()), notingIn: streamed };
}

/** A model that records the progress of a response while it streams. */
export interface StreamedModel extends LanguageModelV4 {
  notingIn(received: Received): LanguageModelV4;
}

/** The model, recording progress in `received` if it streams; otherwise there is no progress to record. */
export const notingIn = (model: LanguageModelV4, received: Received): LanguageModelV4 =>
  "notingIn" in model ? (model as StreamedModel).notingIn(received) : model;

async function collect(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  { idleMs, received }: { idleMs: number; received: Received },
): Promise<LanguageModelV4GenerateResult> {
  const watchdog = new AbortController();
  const abortSignal = call.abortSignal ? AbortSignal.any([call.abortSignal, watchdog.signal]) : watchdog.signal;
  const stalled = new ModelCallError("model_timeout", `nothing came for ${idleMs / 1000} s`, { retryable: true });
  let timer = setTimeout(() => watchdog.abort(stalled), idleMs);
  try {
    const { stream, request, response } = await model.doStream({ ...call, abortSignal, includeRawChunks: true });
    const gathering = createGathering();
    for await (const part of stream) {
      clearTimeout(timer);
      timer = setTimeout(() => watchdog.abort(stalled), idleMs);
      note(received, part);
      gathering.take(part);
    }
    return { ...gathering.result(), ...(request ? { request } : {}), response: { ...gathering.metadata, ...response } };
  } catch (error) {
    throw watchdog.signal.aborted ? stalled : error;
  } finally {
    clearTimeout(timer);
  }
}

function note(received: Received, part: LanguageModelV4StreamPart): void {
  if (part.type === "raw") Object.assign(received.usage, usageOfEvent(part.rawValue));
  else if (part.type !== "stream-start" && part.type !== "error") received.isStarted = true;
  if ("delta" in part) received.characters += part.delta.length;
  if (part.type === "text-delta") received.text += part.delta;
  if (part.type === "tool-input-start") received.tool = part.toolName;
  if (part.type === "tool-input-end" || part.type === "text-start") received.tool = null;
  if (part.type !== "raw") received.onChange?.(received);
}

function createGathering() {
  const content: LanguageModelV4Content[] = [];
  // Unfinished blocks by id. They are in `content` from their start, which keeps the order.
  const open = new Map<string, { text: string; providerMetadata?: LanguageModelV4Content["providerMetadata"] }>();
  const metadata: { id?: string; timestamp?: Date; modelId?: string } = {};
  let warnings: LanguageModelV4GenerateResult["warnings"] = [];
  let finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> | null = null;

  function grow(
    kind: "text" | "reasoning",
    part: { id: string; delta?: string; providerMetadata?: LanguageModelV4Content["providerMetadata"] },
  ) {
    const key = `${kind}:${part.id}`;
    let block = open.get(key);
    if (!block) {
      const added = { type: kind, text: "" };
      content.push(added);
      open.set(key, added);
      block = added;
    }
    block.text += part.delta ?? "";
    if (part.providerMetadata) block.providerMetadata = part.providerMetadata;
  }

  function take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "text-delta":
        return grow("text", part);
      case "reasoning-start":
      case "reasoning-delta":
        return grow("reasoning", part);
      case "text-end":
      case "reasoning-end": {
        const kind = part.type === "text-end" ? "text" : "reasoning";
        grow(kind, { id: part.id, ...(part.providerMetadata ? { providerMetadata: part.providerMetadata } : {}) });
        open.delete(`${kind}:${part.id}`); // an id may be used again for a later block
        return;
      }
      case "tool-call":
      case "tool-result":
      case "tool-approval-request":
      case "custom":
      case "file":
      case "reasoning-file":
      case "source":
        content.push(part);
        return;
      case "stream-start":
        warnings = part.warnings;
        return;
      case "response-metadata": {
        const { type: _, ...rest } = part;
        Object.assign(metadata, rest);
        return;
      }
      case "finish":
        finish = part;
        return;
      case "error":
        throw part.error instanceof Error ? part.error : new StreamedError(part.error);
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
      case "ping":
      case "raw":
        return;
    }
  }

  function result() {
    // How the packages report a truncated stream (SDK 7: two as "interrupted", one as "other").
    const { unified, raw } = finish?.finishReason ?? { unified: "interrupted", raw: undefined };
    if (!finish || (raw === undefined && (unified === "interrupted" || unified === "other"))) {
      throw new ModelCallError("model_unavailable", "the answer broke off", { retryable: true });
    }
    const { finishReason, usage, providerMetadata } = finish;
    return { content, finishReason, usage, warnings, ...(providerMetadata ? { providerMetadata } : {}) };
  }
  return { take, result, metadata };
}
