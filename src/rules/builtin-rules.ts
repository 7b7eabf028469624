import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type NextCall, nextCall } from "./turn.ts";

const NO_TOKENS: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * The built-in model: not a language model, but rules for controlled English behind the same interface. A pure function of
 * the messages and the offered tools. It either understands every part of a request or ends the turn with `not_understood`
 * before anything is changed.
 */
export function createBuiltinRules(): LanguageModelV4 {
  return createRuleModel(nextCall);
}

/** A model whose next call depends only on the messages and the names of the offered tools. */
export function createRuleModel(
  next: (prompt: LanguageModelV4Prompt, toolNames: readonly string[]) => NextCall,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "docent",
    modelId: "builtin-rules",
    supportedUrls: {},
    doGenerate: (options) => Promise.resolve(answer(options, next)),
    doStream: (options) => {
      const { content, finishReason, usage } = answer(options, next);
      const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
      for (const part of content) if (part.type === "tool-call") parts.push(...streamOf(part));
      parts.push({ type: "finish", finishReason, usage });
      return Promise.resolve({ stream: ReadableStream.from(parts) });
    },
  };
}

function answer(
  options: LanguageModelV4CallOptions,
  next: (prompt: LanguageModelV4Prompt, toolNames: readonly string[]) => NextCall,
): LanguageModelV4GenerateResult {
  options.abortSignal?.throwIfAborted();
  const tools = (options.tools ?? []).map((tool) => tool.name);
  const { tool, input } = next(options.prompt, tools);
  // Unique in the conversation and the same on a replay: the number of messages before it.
  const call: LanguageModelV4ToolCall = {
    type: "tool-call",
    toolCallId: `rule-${options.prompt.length}`,
    toolName: tool,
    input: JSON.stringify(input),
  };
  return { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, usage: NO_TOKENS, warnings: [] };
}

function streamOf(call: LanguageModelV4ToolCall): LanguageModelV4StreamPart[] {
  const { toolCallId: id, toolName, input } = call;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    call,
  ];
}
