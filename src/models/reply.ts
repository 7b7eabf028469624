import type { FinishReason, LanguageModelUsage, ModelMessage, TypedToolCall, ToolSet } from "ai";
import { NoSuchToolError } from "ai";
import { ModelCallError } from "./failure.ts";
import { toStorable } from "./message.ts";

/**
 * Tokens of one step. `cachedTokens` is the part of `inputTokens` that the provider read from its cache,
 * `cacheWriteTokens` the part that it wrote there, where it charges for that.
 */
export interface ModelUsage {
  inputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
}

export const noUsage: ModelUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** One call that the model asks for. With `invalid` set it cannot be run; the text tells the model why. */
export type RequestedCall =
  | { id: string; name: string; input: Record<string, unknown>; invalid: null }
  | { id: string; name: string; input: null; invalid: string };

/** What the model answered, ready to store and to act on. */
export interface ModelReply {
  /** The assistant message. To be stored together with the answers to its tool calls. */
  messages: ModelMessage[];
  toolCalls: RequestedCall[];
  text: string;
  finishReason: FinishReason;
}

/** The parts of the SDK's result that a reply is made of. */
export interface RawReply {
  text: string;
  toolCalls: TypedToolCall<ToolSet>[];
  finishReason: FinishReason;
  rawFinishReason: string | undefined;
  responseMessages: readonly ModelMessage[];
}

/**
 * Makes a reply safe to store and to send back. Names and ids of tool calls are brought into the alphabet that every
 * provider accepts, ids are made unique, arguments are always an object, blank text is left out: each of these is
 * answered with 400 by some provider when it is part of the history, and would end the job at its next step.
 * Throws `ModelCallError` when there is nothing to go on with.
 */
export function readReply(raw: RawReply, toolNames: readonly string[]): ModelReply {
  if (raw.rawFinishReason === "model_context_window_exceeded") {
    throw new ModelCallError("context_overflow", raw.rawFinishReason, { retryable: false });
  }
  const toolCalls = requestedCalls(raw, toolNames);
  const text = raw.text.trim();
  if (raw.finishReason === "content-filter" && toolCalls.length === 0) {
    throw new ModelCallError("refused", text, { retryable: false });
  }
  if (text === "" && toolCalls.length === 0) {
    // Gemini does this now and then (MALFORMED_FUNCTION_CALL, or STOP with no parts); the same call again helps.
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
  return { messages: toStorable(messages), toolCalls, text, finishReason: raw.finishReason };
}

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
  // The SDK's packages keep names as keys of plain objects, where "constructor" is always found.
  return clean in Object.prototype ? `_${clean}` : clean;
}

/** `counts`: how often an id was asked for, so that a thousand of one id are not looked up a thousand times each. */
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

/** How much was sent and how much came, where the provider does not count. */
export interface Sizes {
  inputCharacters: number;
  outputCharacters: number;
  /** What the model was asked to say at most. */
  maxOutputTokens: number;
}

/** What a provider says that a call took. */
export interface ReportedUsage {
  inputTokens?: number | undefined;
  cachedTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  outputTokens?: number | undefined;
}

/** The SDK's count of a whole answer. */
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
 * A count that can be added up: what is missing, negative or no number is estimated at four characters a token, so that
 * a budget still holds and never grows. A count beyond what can have been sent or asked for is a mistake of the
 * provider's and charged up to there: one such count would use up a project's budget of the day.
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

// An emoji or a rare script takes up to four tokens a character, one for each of its bytes.
const MOST_TOKENS_PER_CHARACTER = 4;
// What a provider adds of its own around tools and messages; Anthropic's is the largest known, under 1,000.
const TEMPLATE_TOKENS = 4_000;

// Larger than any call, small enough to be added up and stored.
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
