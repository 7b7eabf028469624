import type { FinishReason, LanguageModelUsage, ModelMessage, TypedToolCall, ToolSet } from "ai";
import { NoSuchToolError } from "ai";
import { ModelCallError } from "./failure.ts";
import { toStorable } from "./message.ts";

/**
 * Tokens of one step. `cachedTokens` is the part of `inputTokens` that was read from the provider's cache,
 * `cacheWriteTokens` the part that was written to it, for providers that charge for that.
 */
export interface ModelUsage {
  inputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}

export const noUsage: ModelUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** A tool call requested by the model. If `invalid` is set it cannot be run; the text is for the model. */
export type RequestedCall =
  | { id: string; name: string; input: Record<string, unknown>; invalid: null }
  | { id: string; name: string; input: null; invalid: string };

/** The model's reply, ready to store and to act on. */
export interface ModelReply {
  /** The assistant message. To be stored together with the results of its tool calls. */
  messages: ModelMessage[];
  toolCalls: RequestedCall[];
  text: string;
  finishReason: FinishReason;
}

/** The parts of the SDK's result that make up a reply. */
export interface RawReply {
  text: string;
  toolCalls: TypedToolCall<ToolSet>[];
  finishReason: FinishReason;
  rawFinishReason: string | undefined;
  /** Why the provider blocked the answer, in its own words. */
  blockedBecause: string | undefined;
  responseMessages: readonly ModelMessage[];
}

/**
 * Makes a reply safe to store and to send back. Names and ids of tool calls are limited to the characters that every
 * provider accepts, ids are made unique, arguments are always an object, and blank text is removed. Some provider
 * rejects each of these in the history with 400, which would end the job at its next step.
 * Throws `ModelCallError` if the reply has no usable content.
 */
export function readReply(raw: RawReply, toolNames: readonly string[]): ModelReply {
  if (raw.rawFinishReason === "model_context_window_exceeded") {
    throw new ModelCallError("context_overflow", raw.rawFinishReason, { retryable: false });
  }
  if (BROKEN_OFF.has(raw.rawFinishReason ?? "")) {
    throw new ModelCallError("model_unavailable", `the answer ended with ${raw.rawFinishReason}`, { retryable: true });
  }
  const toolCalls = requestedCalls(raw, toolNames);
  const text = raw.text.trim();
  if (raw.finishReason === "content-filter" && toolCalls.length === 0) {
    throw new ModelCallError("refused", raw.blockedBecause ?? text, { retryable: false });
  }
  if (text === "" && toolCalls.length === 0) {
    if (raw.finishReason === "length") throw thoughtOnly();
    // Gemini does this occasionally (MALFORMED_FUNCTION_CALL, or STOP without parts); a retry helps.
    const reason = raw.rawFinishReason ?? raw.finishReason;
    throw new ModelCallError("model_error", `the answer was empty (${reason})`, { retryable: true });
  }
  const waiting = toolCalls.values();
  const messages = raw.responseMessages.flatMap((message) => {
    if (message.role !== "assistant" || typeof message.content === "string") return [];
    const content = message.content.flatMap((part): (typeof part)[] => {
      if (part.type === "text" && part.text.trim() === "") return [];
      if (part.type !== "tool-call") return [part];
      const call = waiting.next().value;
      return call ? [{ ...part, toolCallId: call.id, toolName: call.name, input: call.input ?? {} }] : [];
    });
    return [{ ...message, content }];
  });
  // Anthropic's `pause_turn`, which the SDK reads as a complete answer: words before that are not the end of the work.
  const isPaused = raw.rawFinishReason === "pause_turn" && toolCalls.length === 0;
  return { messages: toStorable(messages), toolCalls, text, finishReason: isPaused ? "error" : raw.finishReason };
}

// OpenRouter and DeepSeek, November 2026: the provider stopped in the middle.
const BROKEN_OFF = new Set(["error", "insufficient_system_resource"]);

const thoughtOnly = () =>
  new ModelCallError("model_error", "the answer reached the limit of output tokens before its first word", {
    retryable: false,
    hint: "Thinking counts as output: raise maxOutputTokens of this model or lower its effort, then send the message again.",
  });

function requestedCalls(raw: RawReply, toolNames: readonly string[]): RequestedCall[] {
  const ids = { taken: new Set<string>(), counts: new Map<string, number>() };
  return raw.toolCalls.map((call) => {
    const id = uniqueId(call.toolCallId, ids);
    const name = safeName(call.toolName);
    const invalid = whyInvalid(call, raw.finishReason, toolNames);
    return invalid === null && isObject(call.input)
      ? { id, name, input: call.input, invalid: null }
      : { id, name, input: null, invalid: invalid ?? "The arguments must be a JSON object." };
  });
}

function safeName(given: string): string {
  const clean = given.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 63) || "unnamed";
  // The SDK's packages use names as keys of plain objects, where "constructor" always exists.
  return clean in Object.prototype ? `_${clean}` : clean;
}

/** `counts` has the uses of each id, so that a thousand equal ids do not take a thousand lookups each. */
function uniqueId(given: string, { taken, counts }: { taken: Set<string>; counts: Map<string, number> }): string {
  const clean = given.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60) || "call";
  let id = clean;
  let count = counts.get(clean) ?? 1;
  while (taken.has(id)) id = `${clean}_${++count}`;
  counts.set(clean, count);
  taken.add(id);
  return id;
}

function whyInvalid(
  call: TypedToolCall<ToolSet>,
  finishReason: FinishReason,
  toolNames: readonly string[],
): string | null {
  if (call.invalid !== true) return null;
  if (NoSuchToolError.isInstance(call.error)) {
    return `There is no tool "${call.toolName}". The tools are: ${toolNames.join(", ")}.`;
  }
  return finishReason === "length"
    ? "The arguments were cut off at the limit of output tokens. Do the same in smaller pieces."
    : "The arguments are not valid JSON. Send the call again with correct JSON.";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sizes of request and response, for providers that report no token counts. */
export interface Sizes {
  inputCharacters: number;
  outputCharacters: number;
  /** The output limit of the request. */
  maxOutputTokens: number;
}

/** Token counts as a provider reports them. */
export interface ReportedUsage {
  inputTokens?: number | undefined;
  cachedTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** The usage that the SDK reports for a complete response. */
export const readUsage = (usage: LanguageModelUsage, sizes: Sizes): ModelUsage =>
  credible(
    {
      inputTokens: usage.inputTokens,
      cachedTokens: usage.inputTokenDetails.cacheReadTokens,
      cacheWriteTokens: usage.inputTokenDetails.cacheWriteTokens,
      outputTokens: usage.outputTokens,
    },
    sizes,
  );

/**
 * Usage that can be added up. A missing, negative or non-numeric count is estimated at four characters per token, so
 * that a budget still holds and never grows. A count above what the request allows is a provider's mistake and is
 * capped: one such count would use up a project's daily budget.
 */
export function credible(reported: ReportedUsage, sizes: Sizes): ModelUsage {
  const mostInput = MOST_TOKENS_PER_CHARACTER * sizes.inputCharacters + TEMPLATE_TOKENS;
  const mostOutput = Math.max(sizes.maxOutputTokens, sizes.outputCharacters);
  const estimatedInput = Math.ceil(sizes.inputCharacters / 4);
  const inputTokens = Math.min(mostInput, counted(reported.inputTokens) ?? estimatedInput);
  const cachedTokens = Math.min(inputTokens, counted(reported.cachedTokens) ?? 0);
  return {
    inputTokens,
    cachedTokens,
    cacheWriteTokens: Math.min(inputTokens - cachedTokens, counted(reported.cacheWriteTokens) ?? 0),
    outputTokens: Math.min(
      mostOutput,
      counted(reported.outputTokens) ?? Math.min(sizes.maxOutputTokens, Math.ceil(sizes.outputCharacters / 4)),
    ),
  };
}

// An emoji or a character of a rare script takes up to four tokens, one per byte.
const MOST_TOKENS_PER_CHARACTER = 4;
// Tokens that a provider adds around tools and messages; Anthropic adds the most, under 1,000.
const TEMPLATE_TOKENS = 4_000;

// More than any call uses, small enough to be summed and stored.
const MOST_TOKENS = 1_000_000_000;

function counted(tokens: number | undefined): number | null {
  if (tokens === undefined || !Number.isFinite(tokens) || tokens < 0) return null;
  return Math.min(MOST_TOKENS, Math.ceil(tokens));
}

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
