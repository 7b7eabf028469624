import type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";
import { type ModelMessage, type ToolSet, generateText, jsonSchema, tool } from "ai";
import { z } from "zod";
import { systemClock } from "#lib/clock.ts";
import { ModelCallError, type ModelFailure, toModelFailure } from "./failure.ts";
import type { ProviderOptions } from "./model.ts";
import { notingIn } from "./collect-stream.ts";
import { nothingReceived, type Received } from "./received.ts";
import type { Effort } from "./settings.ts";
import { waitOrAbort, withSignal } from "./patience.ts";
import { type ModelReply, type ModelUsage, addUsage, credible, noUsage, readReply, readUsage } from "./reply.ts";

/** A tool as the model sees it. `inputSchema` is a JSON Schema whose root is an object. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: JSONSchema7;
}

export interface RetryLimits {
  /** Maximum calls, including the first. */
  attempts: number;
  /** Wait before the second call if the provider names none; doubles for each further call. */
  firstWaitMs: number;
  /** Limit on the sum of waits. A provider that asks for more ends the step; see `failure.retryAfterMs`. */
  totalWaitMs: number;
}

export interface ModelStepInput {
  model: LanguageModelV4;
  system: string;
  /** The conversation. A tool call without its result is the caller's error. */
  messages: readonly ModelMessage[];
  tools: readonly OfferedTool[];
  /** Ends the step within 200 ms, during a call or a wait. */
  signal: AbortSignal;
  maxOutputTokens: number;
  /** For the whole step, including waits and retries. */
  timeoutMs: number;
  /** Timeout of one call, which is then retried. Without it one call may take the whole step's time. */
  attemptTimeoutMs?: number;
  providerOptions?: ProviderOptions;
  /** How long the model thinks; the provider's default if absent. */
  effort?: Effort | undefined;
  retries?: RetryLimits;
  /** Called as the answer arrives, with what there is of it; for models that stream. */
  onReceived?: Received["onChange"] | undefined;
  /** Called before each wait, for the transcript. */
  onRetry?: (retry: { failure: ModelFailure; waitMs: number; attempt: number }) => void;
}

export type ModelStep =
  | ({ ok: true; usage: ModelUsage } & ModelReply)
  | { ok: false; usage: ModelUsage; failure: ModelFailure };

// Enough for short disturbances. For longer ones the caller waits, and releases its slot meanwhile.
const defaultRetries: RetryLimits = { attempts: 3, firstWaitMs: 1_000, totalWaitMs: 10_000 };

// OpenAI Responses rejects less with 400.
const LEAST_OUTPUT_TOKENS = 16;

/**
 * Requests one step from the model. Tools are offered, never run. Every outcome except a programming error is a value,
 * including a cancelled call. Rate limits, broken connections and empty responses are retried within `retries`.
 * `usage` counts all attempts, including failed and truncated ones.
 */
export async function runModelStep(input: ModelStepInput): Promise<ModelStep> {
  const limits = input.retries ?? defaultRetries;
  const deadline = AbortSignal.timeout(input.timeoutMs);
  const whole = AbortSignal.any([input.signal, deadline]);
  const attemptTimeoutMs = Math.min(input.attemptTimeoutMs ?? input.timeoutMs, input.timeoutMs);
  const model = `${input.model.provider.replace(/\..*/, "")}/${input.model.modelId}`;
  let usage = noUsage;
  let waitedMs = 0;
  for (let attempt = 1; ; attempt++) {
    const ended = AbortSignal.timeout(attemptTimeoutMs);
    try {
      const reply = await callOnce(input, AbortSignal.any([whole, ended]), (used) => (usage = addUsage(usage, used)));
      return { ok: true, usage, ...reply };
    } catch (error) {
      const cause = input.signal.aborted
        ? new ModelCallError("cancelled", "", { retryable: false, cause: error })
        : deadline.aborted || ended.aborted
          ? new ModelCallError("model_timeout", `no answer within ${attemptTimeoutMs / 1000} s`, { retryable: true })
          : error;
      const failure = toModelFailure(cause, { model, now: systemClock.now() });
      const waitMs = failure.retryAfterMs ?? limits.firstWaitMs * 2 ** (attempt - 1);
      const mayWait = waitedMs + waitMs <= limits.totalWaitMs && !whole.aborted;
      if (!failure.retryable || attempt >= limits.attempts || !mayWait) return { ok: false, usage, failure };
      waitedMs += waitMs;
      input.onRetry?.({ failure, waitMs, attempt });
      // After an abort during the wait, the next attempt throws without making a call.
      await waitOrAbort(waitMs, whole).catch(() => undefined);
    }
  }
}

async function callOnce(
  input: ModelStepInput,
  signal: AbortSignal,
  onUsage: (usage: ModelUsage) => void,
): Promise<ModelReply> {
  const received = nothingReceived(input.onReceived);
  const maxOutputTokens = Math.max(LEAST_OUTPUT_TOKENS, input.maxOutputTokens);
  const inputCharacters = JSON.stringify([input.messages, input.tools], shortImage).length + input.system.length;
  const answer = withSignal(
    () =>
      generateText({
        model: notingIn(input.model, received),
        ...withBreakpoints(input),
        ...(input.tools.length > 0 ? { tools: toToolSet(input.tools) } : {}),
        ...(input.effort ? { reasoning: input.effort } : {}),
        ...(input.providerOptions ? { providerOptions: optionsWithEffort(input, input.providerOptions) } : {}),
        maxOutputTokens,
        maxRetries: 0, // our retries respect any Retry-After; the SDK's ignore one over 60 s
        abortSignal: signal,
        telemetry: { isEnabled: false },
        experimental_download: refuseDownload,
      }),
    signal,
  );
  const result = await answer.catch((error: unknown) => {
    if (received.isStarted)
      onUsage(credible(received.usage, { inputCharacters, outputCharacters: received.characters, maxOutputTokens }));
    throw error;
  });
  const outputCharacters = JSON.stringify(result.response.messages).length;
  onUsage(readUsage(result.usage, { inputCharacters, outputCharacters, maxOutputTokens }));
  const reply = {
    text: result.text,
    toolCalls: result.toolCalls,
    finishReason: result.finishReason,
    rawFinishReason: result.rawFinishReason,
    blockedBecause: Blocked.safeParse(result.providerMetadata).data?.anthropic.stopDetails.explanation,
    responseMessages: result.response.messages,
  };
  return readReply(
    reply,
    input.tools.map((offered) => offered.name),
  );
}

const Blocked = z.object({ anthropic: z.object({ stopDetails: z.object({ explanation: z.string() }) }) });

// An image is estimated by its tokens, not its bytes. The most expensive ones take some 2,500 tokens.
const IMAGE_CHARACTERS = 8_000;

function shortImage(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "file") return value;
  const { data } = value as { data?: unknown };
  return typeof data === "string" ? { ...value, data: data.slice(0, IMAGE_CHARACTERS) } : value;
}

/**
 * For explicit caching (Anthropic): caches the tools with the instructions, and the first message, separately. They
 * outlast a compaction of the conversation, and jobs of one project share them.
 */
function withBreakpoints({ system, messages, providerOptions }: ModelStepInput) {
  const cacheControl = providerOptions?.["anthropic"]?.["cacheControl"];
  if (cacheControl === undefined) return { instructions: system, messages: [...messages] };
  const kept = { providerOptions: { anthropic: { cacheControl } } };
  const [first, ...others] = messages;
  return {
    instructions: { role: "system" as const, content: system, ...kept },
    messages: first ? [{ ...first, ...kept }, ...others] : [],
  };
}

const OPENAI_NAMES = /^(?:gpt-|chatgpt-|o\d)/;

/**
 * A deployment on Azure has a name of its own, from which the SDK would conclude that the model does not think: it would
 * leave out the effort and not ask for the encrypted thoughts that the next step has to send back.
 */
function optionsWithEffort({ model, effort }: ModelStepInput, options: ProviderOptions): ProviderOptions {
  const { openai } = options;
  if (!openai || !effort || effort === "none" || OPENAI_NAMES.test(model.modelId)) return options;
  return { ...options, openai: { ...openai, forceReasoning: true } };
}

// Without a prototype: the SDK looks up a called tool by name, which may be "constructor".
function toToolSet(tools: readonly OfferedTool[]): ToolSet {
  const set = Object.create(null) as ToolSet;
  for (const { name, description, inputSchema } of tools)
    set[name] = tool({ description, inputSchema: jsonSchema(inputSchema) });
  return set;
}

// The SDK would fetch the URLs of images and files in messages itself, from inside our network.
async function refuseDownload(downloads: readonly unknown[]): Promise<[]> {
  if (downloads.length === 0) return [];
  throw new ModelCallError("model_error", "messages may not contain files by address", { retryable: false });
}
