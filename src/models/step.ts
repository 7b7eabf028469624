import type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";
import { type ModelMessage, type ToolSet, generateText, jsonSchema, tool } from "ai";
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
  /** Calls in all, the first one included. */
  attempts: number;
  /** Wait before the second call when the provider names none; doubled for each further one. */
  firstWaitMs: number;
  /** All waits together. A provider that asks for more ends the step, with its wish in `failure.retryAfterMs`. */
  totalWaitMs: number;
}

export interface ModelStepInput {
  model: LanguageModelV4;
  system: string;
  /** The conversation. A tool call in it without its result is an error of the caller. */
  messages: readonly ModelMessage[];
  tools: readonly OfferedTool[];
  /** Ends the step within 200 ms, in a call and in a wait alike. */
  signal: AbortSignal;
  maxOutputTokens: number;
  /** For the whole step, with its waits and retries. */
  timeoutMs: number;
  /** For one call: one that hangs is given up after this and made again. Without it one may take the whole step's time. */
  attemptTimeoutMs?: number;
  providerOptions?: ProviderOptions;
  /** How long the model thinks; absent for the provider's own default. */
  effort?: Effort | undefined;
  retries?: RetryLimits;
  /** Called as the answer arrives, with what there is of it; for models that stream. */
  onReceived?: Received["onChange"] | undefined;
  /** Told before each wait, for the transcript. */
  onRetry?: (retry: { failure: ModelFailure; waitMs: number; attempt: number }) => void;
}

export type ModelStep =
  | ({ ok: true; usage: ModelUsage } & ModelReply)
  | { ok: false; usage: ModelUsage; failure: ModelFailure };

// What a short disturbance needs. A longer one is waited for by the caller, who gives his place to others meanwhile.
const defaultRetries: RetryLimits = { attempts: 3, firstWaitMs: 1_000, totalWaitMs: 10_000 };

// OpenAI Responses answers 400 to less.
const LEAST_OUTPUT_TOKENS = 16;

/**
 * Asks the model once what to do next. Tools are offered, never run. Every end but a programming error is a value, a
 * cancelled call too. Rate limits, broken connections and empty answers are tried again within `retries`.
 * `usage` counts all attempts, also those that gave nothing and those that broke off.
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
      // An abort in the wait is seen by the next attempt, which then makes no call.
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
        ...(input.providerOptions ? { providerOptions: input.providerOptions } : {}),
        maxOutputTokens,
        maxRetries: 0, // ours honour any Retry-After; the SDK's ignore one over 60 s
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
    responseMessages: result.response.messages,
  };
  return readReply(
    reply,
    input.tools.map((offered) => offered.name),
  );
}

// Counted by its tokens, not by its bytes: with room for the dearest, some 2,500 tokens.
const IMAGE_CHARACTERS = 8_000;

function shortImage(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "file") return value;
  const { data } = value as { data?: unknown };
  return typeof data === "string" ? { ...value, data: data.slice(0, IMAGE_CHARACTERS) } : value;
}

/**
 * Where the provider caches what it is told to (Anthropic), the end of the instructions, with the tools before them, and
 * the first message are kept on their own: a cut of the conversation leaves them, and jobs of one project share them.
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

// Without a prototype: the SDK looks a called tool up by its name, which may be "constructor".
function toToolSet(tools: readonly OfferedTool[]): ToolSet {
  const set = Object.create(null) as ToolSet;
  for (const { name, description, inputSchema } of tools)
    set[name] = tool({ description, inputSchema: jsonSchema(inputSchema) });
  return set;
}

// The SDK would fetch addresses of images and files in messages by itself, from inside our network.
async function refuseDownload(wanted: readonly unknown[]): Promise<[]> {
  if (wanted.length === 0) return [];
  throw new ModelCallError("model_error", "messages may not contain files by address", { retryable: false });
}
